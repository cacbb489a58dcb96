import { addNumbers, encodeDecimal, parseDecimal } from './decimal.ts';
import { invalid } from './faults.ts';
import { operandValue } from './operand.ts';
import { type Path, valueAt } from './path.ts';
import type { Scope } from './scope.ts';
import type { SetValue, Update } from './update.ts';
import { type Item, setAttribute, typeOf, type Value, type ValueType } from './value.ts';

const BAD_OPERAND = 'An operand in the update expression has an incorrect data type';
const BAD_PATH = 'The document path provided in the update expression is invalid for update';

/**
 * Changes `target` in place. Every right-hand side sees `before`, so the order of clauses does not matter.
 *
 * @param target a deep copy of `before`
 * @throws ValidationException for a path that leads nowhere or an operand of the wrong type
 */
export function applyUpdate(update: Update, scope: Scope, before: Item, target: Item): void {
  const values = update.set.map(({ path, value }) => ({
    path: scope.path(path),
    value: evaluate(value, scope, before),
  }));
  for (const { path, value } of values) put(target, path, value);
  for (const { path, value } of update.add) {
    const at = scope.path(path);
    put(target, at, added(valueAt(before, at), scope.value(value)));
  }
  const emptied: Path[] = [];
  for (const { path, value } of update.delete) {
    const at = scope.path(path);
    const rest = without(valueAt(before, at), scope.value(value));
    if (rest) put(target, at, rest);
    else if (valueAt(before, at)) emptied.push(at);
  }
  // Highest list index first, so that an earlier removal does not shift a later one.
  const removals = [...update.remove.map((path) => scope.path(path)), ...emptied];
  for (const path of removals.sort(byIndexDescending)) remove(target, path);
}

function byIndexDescending(a: Path, b: Path): number {
  const at = a.findIndex((step, index) => step !== b[index]);
  return typeof a[at] === 'number' && typeof b[at] === 'number' ? b[at] - a[at] : 0;
}

function evaluate(expression: SetValue, scope: Scope, before: Item): Value {
  if ('sum' in expression) {
    const [left, right] = expression.sum.map((side) => evaluate(side, scope, before).N);
    if (left === undefined || right === undefined) {
      throw invalid(BAD_OPERAND);
    }
    return { N: addNumbers(left, right, expression.sign) };
  }
  if ('ifNotExists' in expression) {
    const [path, otherwise] = expression.ifNotExists;
    return valueAt(before, scope.path(path)) ?? evaluate(otherwise, scope, before);
  }
  if ('append' in expression) {
    const [left, right] = expression.append.map((side) => evaluate(side, scope, before).L);
    if (!left || !right) throw invalid(BAD_OPERAND);
    return { L: [...left, ...right] };
  }
  const value = operandValue(expression, scope, before);
  if (!value) {
    throw invalid('The provided expression refers to an attribute that does not exist in the item');
  }
  return value;
}

/** ADD: the sum of numbers, the union of sets. */
function added(old: Value | undefined, operand: Value): Value {
  const type = typeOf(operand);
  if (operand.N === undefined && !isSet(type)) throw wrongType('ADD', type);
  if (!old) return operand;
  if (typeOf(old) !== type) throw invalid(BAD_OPERAND);
  if (old.N !== undefined && operand.N !== undefined) return { N: addNumbers(old.N, operand.N) };
  const union = [...new Set([...(old[type] as string[]), ...(operand[type] as string[])])];
  return { [type]: ordered(type, union) };
}

/** DELETE: what is left of a set; undefined when nothing is, because sets cannot be empty. */
function without(old: Value | undefined, operand: Value): Value | undefined {
  const type = typeOf(operand);
  if (!isSet(type)) throw wrongType('DELETE', type);
  if (!old) return undefined;
  if (typeOf(old) !== type) throw invalid(BAD_OPERAND);
  const gone = new Set(operand[type] as string[]);
  const rest = (old[type] as string[]).filter((member) => !gone.has(member));
  return rest.length > 0 ? { [type]: rest } : undefined;
}

function isSet(type: ValueType): boolean {
  return type === 'SS' || type === 'NS' || type === 'BS';
}

function ordered(type: ValueType, members: string[]): string[] {
  const bytes = (member: string): Buffer =>
    type === 'NS'
      ? encodeDecimal(parseDecimal(member))
      : Buffer.from(member, type === 'BS' ? 'base64' : 'utf8');
  return members.sort((a, b) => Buffer.compare(bytes(a), bytes(b)));
}

function wrongType(operator: string, type: ValueType): Error {
  return invalid(
    `Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ${operator}, operand type: ${type}`,
  );
}

function put(item: Item, path: Path, value: Value): void {
  const parent = valueAt(item, path.slice(0, -1));
  const last = path.at(-1);
  if (typeof last === 'string' && parent?.M) setAttribute(parent.M, last, value);
  // An index beyond the end appends.
  else if (typeof last === 'number' && parent?.L) parent.L.splice(last, 1, value);
  else throw invalid(BAD_PATH);
}

function remove(item: Item, path: Path): void {
  const parent = valueAt(item, path.slice(0, -1));
  const last = path.at(-1);
  if (typeof last === 'string' && parent?.M) delete parent.M[last];
  else if (typeof last === 'number' && parent?.L) parent.L.splice(last, 1);
  else throw invalid(BAD_PATH);
}

import type { Condition } from './condition.ts';
import { invalid } from './faults.ts';
import type { Operand } from './operand.ts';
import type { Scope } from './scope.ts';
import type { KeyPart, KeyShape } from './tables.ts';
import { orderedBytes, typeOf } from './value.ts';

/** One end of a range of sort keys. */
export interface Bound {
  bytes: Buffer;
  inclusive: boolean;
}

/** The rows a key condition asks for: one partition and perhaps a range in it. */
export interface KeyRange {
  pk: Buffer;
  low?: Bound | undefined;
  high?: Bound | undefined;
}

const UNSUPPORTED = 'Query key condition not supported';

/**
 * Turns a key condition into a range.
 *
 * Source: DynamoDB API Reference "Query", KeyConditionExpression.
 * @throws ValidationException when it is not `hash = value`, perhaps AND one condition on the sort key
 */
export function keyRange(condition: Condition, scope: Scope, shape: KeyShape): KeyRange {
  const conjuncts = flatten(condition);
  const equality = conjuncts.find(
    (each) => each.is === 'compare' && isPath(each.left, shape.hash.name, scope),
  );
  if (!equality) throw invalid(`Query condition missed key schema element: ${shape.hash.name}`);
  if (equality.is !== 'compare' || equality.comparator !== '=' || conjuncts.length > 2)
    throw invalid(UNSUPPORTED);
  const pk = bytesOf(equality.right, scope, shape.hash);
  const other = conjuncts.find((each) => each !== equality);
  if (!other) return { pk };
  if (!shape.range) throw invalid(UNSUPPORTED);
  return { pk, ...rangeOf(other, scope, shape.range) };
}

function flatten(condition: Condition): Condition[] {
  return condition.is === 'and' ? [...flatten(condition.left), ...flatten(condition.right)] : [condition];
}

function rangeOf(condition: Condition, scope: Scope, range: KeyPart): Pick<KeyRange, 'low' | 'high'> {
  const subject = condition.is === 'compare' ? condition.left : subjectOf(condition);
  if (!subject || !isPath(subject, range.name, scope)) {
    throw invalid(`Query condition missed key schema element: ${range.name}`);
  }
  const bound = (operand: Operand, inclusive = true): Bound => ({
    bytes: bytesOf(operand, scope, range),
    inclusive,
  });
  if (condition.is === 'between') {
    const [low, high] = [bound(condition.low), bound(condition.high)];
    if (Buffer.compare(low.bytes, high.bytes) > 0) {
      throw invalid(
        'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound',
      );
    }
    return { low, high };
  }
  if (condition.is === 'begins_with') {
    const low = bound(condition.operand);
    const end = range.type === 'N' ? undefined : afterPrefix(low.bytes);
    if (range.type === 'N')
      throw invalid(
        'Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
      );
    return { low, high: end && { bytes: end, inclusive: false } };
  }
  if (condition.is !== 'compare') throw invalid(UNSUPPORTED);
  switch (condition.comparator) {
    case '=':
      return { low: bound(condition.right), high: bound(condition.right) };
    case '<':
      return { high: bound(condition.right, false) };
    case '<=':
      return { high: bound(condition.right) };
    case '>':
      return { low: bound(condition.right, false) };
    case '>=':
      return { low: bound(condition.right) };
    default:
      throw invalid('Unsupported operator on KeyCondition');
  }
}

function subjectOf(condition: Condition): Operand | undefined {
  if (condition.is === 'between') return condition.operand;
  return condition.is === 'begins_with' ? condition.subject : undefined;
}

function isPath(operand: Operand, name: string, scope: Scope): boolean {
  if (!('path' in operand)) return false;
  const path = scope.path(operand.path);
  return path.length === 1 && path[0] === name;
}

function bytesOf(operand: Operand, scope: Scope, { type }: KeyPart): Buffer {
  if (!('value' in operand)) throw invalid(UNSUPPORTED);
  const value = scope.value(operand.value);
  if (typeOf(value) !== type) {
    throw invalid(
      'One or more parameter values were invalid: Condition parameter type does not match schema type',
    );
  }
  const bytes = orderedBytes(value) as Buffer;
  return bytes;
}

/** The first byte string after all that begin with `prefix`; undefined if there is none. */
function afterPrefix(prefix: Buffer): Buffer | undefined {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length--;
  if (length === 0) return undefined;
  const end = Buffer.from(prefix.subarray(0, length));
  end[length - 1] = (end[length - 1] as number) + 1;
  return end;
}

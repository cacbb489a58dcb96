import { invalid, notImplemented } from '../../fault.ts';
import { negate, sumOf } from '../values/number.ts';
import { attribute, type Item, type Value } from '../values/value.ts';
import { type Operand, parseOperand } from './condition.ts';
import type { Tokens } from './tokens.ts';

/** Returns the new value of each attribute in an update, from the item before it; undefined removes the attribute. */
export type Update = ReadonlyMap<string, Operand>;

const CLAUSES = new Map<string, (tokens: Tokens, name: string) => Operand>([
  ['SET', set],
  ['REMOVE', () => () => undefined],
  ['ADD', add],
  ['DELETE', remove],
]);

/**
 * Reads an update expression. Each clause occurs at most once, in any order. Source: DynamoDB Developer Guide "Using
 * update expressions in DynamoDB".
 */
export function parseUpdate(tokens: Tokens): Update {
  const update = new Map<string, Operand>();
  const clauses = new Map(CLAUSES);
  while (tokens.peek() !== '') {
    const clause = tokens.peek().toUpperCase();
    const read = clauses.get(clause);
    if (!read) throw tokens.unexpected();
    clauses.delete(clause);
    tokens.next();
    do {
      const name = tokens.attribute();
      if (update.has(name)) throw tokens.fault(`Two document paths overlap with each other: [${name}]`);
      update.set(name, read(tokens, name));
    } while (tokens.take(','));
  }
  return update;
}

/**
 * Returns the item after an update. Every right-hand side sees the item before it, so the order of clauses does not
 * matter.
 */
export function applyUpdate(update: Update, before: Item): Item {
  const after = new Map(Object.entries(before));
  for (const [name, compute] of update) {
    const value = compute(before);
    if (value) after.set(name, value);
    else after.delete(name);
  }
  return Object.fromEntries(after);
}

function set(tokens: Tokens): Operand {
  tokens.expect('=');
  const left = term(tokens);
  const sign = tokens.take('+') ? 1 : tokens.take('-') ? -1 : 0;
  if (sign === 0) return left;
  const right = term(tokens);
  return (before) => sum(left(before), right(before), sign);
}

function term(tokens: Tokens): Operand {
  if (tokens.peek() === 'if_not_exists' && tokens.peek(1) === '(') {
    tokens.next();
    tokens.expect('(');
    const name = tokens.attribute();
    tokens.expect(',');
    const otherwise = term(tokens);
    tokens.expect(')');
    return (before) => attribute(before, name) ?? otherwise(before);
  }
  const operand = parseOperand(tokens);
  return (before) => {
    const value = operand(before);
    if (value) return value;
    throw invalid('The provided expression refers to an attribute that does not exist in the item');
  };
}

function add(tokens: Tokens, name: string): Operand {
  const value = tokens.value();
  const { SS: members } = value;
  if (members) return (before) => setOf([...textsOf(attribute(before, name)), ...members]);
  if (value.N === undefined) return refuse('ADD of anything but a number or texts');
  return (before) => sum(attribute(before, name) ?? { N: '0' }, value, 1);
}

function remove(tokens: Tokens, name: string): Operand {
  const { SS: members } = tokens.value();
  if (!members) return refuse('DELETE of anything but texts');
  return (before) => setOf(textsOf(attribute(before, name)).filter((one) => !members.includes(one)));
}

/** Returns the members of a set of texts; none of a missing attribute. @throws Fault for another value */
function textsOf(value: Value | undefined): readonly string[] {
  if (value && !value.SS) throw wrongType();
  return value?.SS ?? [];
}

/** Returns a set of these texts in the stored order; undefined for none, because DynamoDB stores no empty set. */
const setOf = (texts: readonly string[]): Value | undefined =>
  texts.length > 0 ? { SS: [...new Set(texts)].sort() } : undefined;

const wrongType = () => invalid('An operand in the update expression has an incorrect data type');

function refuse(feature: string): never {
  throw notImplemented(`DynamoDB ${feature}`);
}

/** Returns the exact sum of two numbers; with `sign` -1, their difference. */
function sum(left: Value | undefined, right: Value | undefined, sign: 1 | -1): Value {
  if (left?.N === undefined || right?.N === undefined) throw wrongType();
  return { N: sumOf(left.N, sign < 0 ? negate(right.N) : right.N) };
}

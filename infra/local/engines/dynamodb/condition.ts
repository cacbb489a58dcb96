import { isDeepStrictEqual } from 'node:util';
import { notImplemented } from '../fault.ts';
import type { Tokens } from './tokens.ts';
import { attribute, type Item, orderedBytes, typeOf, type Value } from './value.ts';

/** Whether an item meets a condition. A missing item is the empty item. */
export type Condition = (item: Item) => boolean;

/** What an attribute or a `:placeholder` is worth for an item; undefined for a missing attribute. */
export type Operand = (item: Item) => Value | undefined;

/** For values of one type, from their order: negative, 0 or positive. */
const COMPARATORS = new Map<string, (order: number) => boolean>([
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
]);

/**
 * Reads a condition. NOT binds before AND, AND before OR.
 *
 * Source: DynamoDB Developer Guide "Condition and filter expressions, operators, and functions".
 */
export function parseCondition(tokens: Tokens): Condition {
  const left = and(tokens);
  if (!tokens.take('OR')) return left;
  const right = parseCondition(tokens);
  return (item) => left(item) || right(item);
}

function and(tokens: Tokens): Condition {
  const left = not(tokens);
  if (!tokens.take('AND')) return left;
  const right = and(tokens);
  return (item) => left(item) && right(item);
}

function not(tokens: Tokens): Condition {
  if (tokens.take('NOT')) {
    const condition = not(tokens);
    return (item) => !condition(item);
  }
  if (tokens.take('(')) {
    const inner = parseCondition(tokens);
    tokens.expect(')');
    return inner;
  }
  return tokens.peek(1) === '(' ? predicate(tokens) : comparison(tokens);
}

function predicate(tokens: Tokens): Condition {
  const name = tokens.next();
  tokens.expect('(');
  if (name !== 'attribute_exists' && name !== 'attribute_not_exists' && name !== 'begins_with') {
    throw notImplemented(`DynamoDB function ${name}`);
  }
  const subject = tokens.attribute();
  if (name !== 'begins_with') {
    tokens.expect(')');
    return (item) => Object.hasOwn(item, subject) === (name === 'attribute_exists');
  }
  tokens.expect(',');
  const prefix = parseOperand(tokens);
  tokens.expect(')');
  return (item) => beginsWith(attribute(item, subject), prefix(item));
}

function comparison(tokens: Tokens): Condition {
  const left = parseOperand(tokens);
  const comparator = tokens.peek();
  if (/^(between|in)$/i.test(comparator)) throw notImplemented(`DynamoDB condition with ${comparator}`);
  const compares = COMPARATORS.get(comparator);
  if (!compares && comparator !== '=' && comparator !== '<>') throw tokens.unexpected();
  tokens.next();
  const right = parseOperand(tokens);
  if (!compares) return (item) => equal(left(item), right(item)) === (comparator === '=');
  return (item) => {
    const order = compare(left(item), right(item));
    return order !== undefined && compares(order);
  };
}

/** Reads an attribute or a `:placeholder`. */
export function parseOperand(tokens: Tokens): Operand {
  if (tokens.peek(1) === '(') throw notImplemented(`DynamoDB function ${tokens.peek()}`);
  if (tokens.peek().startsWith(':')) {
    const value = tokens.value();
    return () => value;
  }
  const name = tokens.attribute();
  return (item) => attribute(item, name);
}

/** A missing attribute equals nothing. */
function equal(a: Value | undefined, b: Value | undefined): boolean {
  return a !== undefined && isDeepStrictEqual(a, b);
}

/** The order of two values; undefined where there is none. */
function compare(a: Value | undefined, b: Value | undefined): number | undefined {
  if (!a || !b || typeOf(a) !== typeOf(b)) return undefined;
  const [left, right] = [orderedBytes(a), orderedBytes(b)];
  return left && right && Buffer.compare(left, right);
}

function beginsWith(subject: Value | undefined, prefix: Value | undefined): boolean {
  if (!subject || !prefix || subject.N !== undefined || typeOf(subject) !== typeOf(prefix)) return false;
  const [bytes, start] = [orderedBytes(subject), orderedBytes(prefix)];
  return bytes !== undefined && start !== undefined && bytes.subarray(0, start.length).equals(start);
}

import { isDeepStrictEqual } from 'node:util';
import { notImplemented } from '../../fault.ts';
import { attribute, type Item, orderedBytes, typeOf, type Value } from '../values/value.ts';
import type { Tokens } from './tokens.ts';

/** True if an item meets a condition. A missing item counts as the empty item. */
export type Condition = (item: Item) => boolean;

/** The value of an attribute or a `:placeholder` for an item; undefined for a missing attribute. */
export type Operand = (item: Item) => Value | undefined;

const COMPARATORS = new Map<string, (a: Value | undefined, b: Value | undefined) => boolean>([
  ['=', equal],
  ['<>', (a, b) => !equal(a, b)],
  ['<', (a, b) => compare(a, b) < 0],
  ['<=', (a, b) => compare(a, b) <= 0],
  ['>', (a, b) => compare(a, b) > 0],
  ['>=', (a, b) => compare(a, b) >= 0],
]);

/**
 * Reads a condition. NOT binds before AND, AND before OR.
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
  return tokens.peek(1) === '(' && tokens.peek() !== 'size' ? predicate(tokens) : comparison(tokens);
}

function predicate(tokens: Tokens): Condition {
  const name = tokens.next();
  const compares = TEXT_FUNCTIONS.get(name);
  if (!compares && !/^attribute_(not_)?exists$/.test(name)) throw notImplemented(`DynamoDB function ${name}`);
  tokens.expect('(');
  const subject = tokens.attribute();
  if (compares) tokens.expect(',');
  const part = compares ? parseOperand(tokens) : undefined;
  tokens.expect(')');
  if (compares && part) return (item) => holds(compares, attribute(item, subject), part(item));
  return (item) => Object.hasOwn(item, subject) === (name === 'attribute_exists');
}

function comparison(tokens: Tokens): Condition {
  const left = parseOperand(tokens);
  const comparator = tokens.peek();
  if (/^(between|in)$/i.test(comparator)) throw notImplemented(`DynamoDB condition with ${comparator}`);
  const compares = COMPARATORS.get(comparator);
  if (!compares) throw tokens.unexpected();
  tokens.next();
  const right = parseOperand(tokens);
  return (item) => compares(left(item), right(item));
}

/** Reads an attribute, its `size`, or a `:placeholder`. */
export function parseOperand(tokens: Tokens): Operand {
  if (tokens.peek() === 'size' && tokens.peek(1) === '(') return parseSize(tokens);
  if (tokens.peek(1) === '(') throw notImplemented(`DynamoDB function ${tokens.peek()}`);
  if (tokens.peek().startsWith(':')) {
    const value = tokens.value();
    return () => value;
  }
  const name = tokens.attribute();
  return (item) => attribute(item, name);
}

/** Reads `size(attribute)`, for sets only. A missing attribute has no size. */
function parseSize(tokens: Tokens): Operand {
  tokens.next();
  tokens.expect('(');
  const name = tokens.attribute();
  tokens.expect(')');
  return (item) => {
    const value = attribute(item, name);
    if (!value) return undefined;
    const members = value.SS ?? value.NS;
    if (!members) throw notImplemented('DynamoDB function size of anything but a set');
    return { N: String(members.length) };
  };
}

/** A missing attribute equals nothing. */
function equal(a: Value | undefined, b: Value | undefined): boolean {
  return a !== undefined && isDeepStrictEqual(a, b);
}

/** The order of two values: negative, 0 or positive; NaN if the values have no order. */
function compare(a: Value | undefined, b: Value | undefined): number {
  const pair = orderedPair(a, b);
  return pair ? Buffer.compare(...pair) : Number.NaN;
}

type TextFunction = (bytes: Buffer, part: Buffer) => boolean;

/** The functions that compare a part of a text or of bytes. `contains` for sets and lists is not implemented. */
const TEXT_FUNCTIONS = new Map<string, TextFunction>([
  ['begins_with', (bytes, start) => bytes.subarray(0, start.length).equals(start)],
  ['contains', (bytes, part) => bytes.includes(part)],
]);

function holds(compares: TextFunction, subject: Value | undefined, part: Value | undefined): boolean {
  const pair = orderedPair(subject, part);
  return pair !== undefined && subject?.N === undefined && compares(...pair);
}

/** Returns the bytes of two values of the same ordered type. */
function orderedPair(a: Value | undefined, b: Value | undefined): [Buffer, Buffer] | undefined {
  if (!a || !b || typeOf(a) !== typeOf(b)) return undefined;
  const [left, right] = [orderedBytes(a), orderedBytes(b)];
  return left && right && [left, right];
}

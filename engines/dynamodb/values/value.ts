import { invalid } from '../../fault.ts';
import { numberText, orderedNumber, parseNumber } from './number.ts';

/** An attribute value on the wire: exactly one member is present. B is base64. */
export interface Value {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: boolean;
  SS?: string[];
  NS?: string[];
  BS?: string[];
  L?: Value[];
  M?: Item;
}

/** Attributes by name. Any name is possible, `__proto__` too: read with `attribute`, make with `Object.fromEntries`. */
export type Item = { [name: string]: Value };

const MAXIMUM_DEPTH = 32;

/** Checks the content of each type and converts it to its stored form. */
const READERS = new Map<string, (content: unknown, depth: number) => Value[keyof Value]>([
  ['S', text],
  ['N', number],
  ['B', binary],
  ['BOOL', boolean],
  ['NULL', (content) => boolean(content) || refuse('true in NULL')],
  ['SS', (content) => set(content, text)],
  ['NS', (content) => set(content, number)],
  ['BS', (content) => set(content, binary)],
  ['L', (content, depth) => list(content).map((element) => canonical(element, depth + 1))],
  ['M', (content, depth) => canonicalItem(content, depth + 1)],
]);

/** Returns the item's own attribute with that name. */
export function attribute(item: Item, name: string): Value | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}

/** Returns those named attributes that the item has. */
export function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

/** Returns a stored document with those attributes; undefined: all of them. */
export const shownDoc = (doc: string, names: readonly string[] | undefined): string =>
  names ? JSON.stringify(pick(JSON.parse(doc), names)) : doc;

/** Returns the type of a value, one of ten. */
export function typeOf(value: Value): keyof Value {
  return Object.keys(value)[0] as keyof Value;
}

/**
 * Checks a value from a client and returns its stored form: canonical numbers, sorted sets. Equal values are deeply
 * equal in stored form.
 * @throws ValidationException
 */
export function canonical(input: unknown, depth = 0): Value {
  if (depth > MAXIMUM_DEPTH) throw invalid('Nesting Levels have exceeded supported limits');
  const [[type, content] = ['', undefined], ...more] = Object.entries(Object(input));
  const read = READERS.get(type);
  if (read && more.length === 0) return { [type]: read(content, depth) };
  throw invalid('Supplied AttributeValue must contain exactly one of the supported datatypes');
}

/** The stored form of a map of attributes. */
export function canonicalItem(input: unknown, depth = 0): Item {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return refuse('a map');
  if (depth === 0 && Object.hasOwn(input, '')) throw invalid('Attribute name must not be empty');
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, canonical(value, depth)]));
}

/**
 * Returns the bytes of a scalar in DynamoDB's order: UTF-8 for strings, raw bytes for binary, the ordered form for
 * numbers. Undefined for types without an order.
 */
export function orderedBytes(value: Value): Buffer | undefined {
  if (value.S !== undefined) return Buffer.from(value.S, 'utf8');
  if (value.N !== undefined) return orderedNumber(parseNumber(value.N));
  return value.B === undefined ? undefined : Buffer.from(value.B, 'base64');
}

function refuse(expected: string): never {
  throw invalid(`AttributeValue: ${expected} was expected`);
}

function text(content: unknown): string {
  return typeof content === 'string' ? content : refuse('a string');
}

function boolean(content: unknown): boolean {
  return typeof content === 'boolean' ? content : refuse('a boolean');
}

function number(content: unknown): string {
  return numberText(parseNumber(text(content)));
}

function binary(content: unknown): string {
  const encoded = text(content);
  return Buffer.from(encoded, 'base64').toString('base64') === encoded ? encoded : refuse('base64');
}

function list(content: unknown): unknown[] {
  return Array.isArray(content) ? content : refuse('a list');
}

/** Sets have no order. The stored order is always the same. */
function set(content: unknown, read: (member: unknown) => string): string[] {
  const members = list(content).map(read).sort();
  const isSet = members.length > 0 && new Set(members).size === members.length;
  return isSet ? members : refuse('a set, not empty and without duplicates,');
}

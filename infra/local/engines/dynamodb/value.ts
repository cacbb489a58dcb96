import { invalid, invalidParameter } from './faults.ts';
import { orderedNumber, parseNumber } from './number.ts';

/** An attribute value on the wire: exactly one member is present. B is base64. */
export interface Value {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: true;
  SS?: string[];
  NS?: string[];
  BS?: string[];
  L?: Value[];
  M?: Item;
}

/** Attributes by name. Any name is possible, `__proto__` too: read with `attribute`, make with `Object.fromEntries`. */
export type Item = { [name: string]: Value };

const MAX_DEPTH = 32;

/** The attribute of that name, if the item itself has it. */
export function attribute(item: Item, name: string): Value | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}

/** The named attributes of an item, as far as it has them. */
export function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(item, name) ? [[name, item[name] as Value]] : [])),
  );
}

/** Which of the ten types a value has. */
export function typeOf(value: Value): keyof Value {
  return Object.keys(value)[0] as keyof Value;
}

/**
 * Checks a value from a client and answers its one stored form: canonical numbers, sets in order. Two equal
 * values are deeply equal in stored form.
 *
 * @throws ValidationException
 */
export function canonical(input: unknown, depth = 0): Value {
  if (depth > MAX_DEPTH) throw invalid('Nesting Levels have exceeded supported limits');
  const [entry, ...more] = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  if (!entry || more.length > 0) {
    throw invalid('Supplied AttributeValue must contain exactly one of the supported datatypes');
  }
  const [type, content] = entry;
  switch (type) {
    case 'S':
      return { S: text(content) };
    case 'N':
      return { N: number(content) };
    case 'B':
      return { B: binary(content) };
    case 'BOOL':
      if (typeof content !== 'boolean') throw invalid('Supplied BOOL is not a boolean');
      return { BOOL: content };
    case 'NULL':
      if (content !== true) throw invalidParameter('Null attribute value types must have the value of true');
      return { NULL: true };
    case 'SS':
      return { SS: set(content, text) };
    case 'NS':
      return { NS: set(content, number) };
    case 'BS':
      return { BS: set(content, binary) };
    case 'L':
      return { L: list(content).map((element) => canonical(element, depth + 1)) };
    case 'M':
      return { M: canonicalItem(content, depth + 1) };
    default:
      throw invalid(`${type} is not one of the supported datatypes`);
  }
}

/** The stored form of a map of attributes. */
export function canonicalItem(input: unknown, depth = 0): Item {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalid('A map of attribute values was expected');
  }
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      if (name === '' && depth === 0) throw invalidParameter('Attribute name must not be empty');
      return [name, canonical(value, depth)];
    }),
  );
}

/**
 * Bytes of a scalar in DynamoDB's order: UTF-8 for strings, raw bytes for binary, ordered form for numbers.
 * Undefined for types that have no order.
 */
export function orderedBytes(value: Value): Buffer | undefined {
  if (value.S !== undefined) return Buffer.from(value.S, 'utf8');
  if (value.N !== undefined) return orderedNumber(parseNumber(value.N));
  return value.B === undefined ? undefined : Buffer.from(value.B, 'base64');
}

function text(content: unknown): string {
  if (typeof content !== 'string') throw invalid('A string was expected in an AttributeValue');
  return content;
}

function number(content: unknown): string {
  return parseNumber(text(content)).text;
}

function binary(content: unknown): string {
  const encoded = text(content);
  if (Buffer.from(encoded, 'base64').toString('base64') === encoded) return encoded;
  throw invalid('A base64 string was expected in an AttributeValue');
}

function list(content: unknown): unknown[] {
  if (!Array.isArray(content)) throw invalid('A list was expected in an AttributeValue');
  return content;
}

/** Sets have no order: the stored one is any, as long as it is always the same. */
function set(content: unknown, read: (member: unknown) => string): string[] {
  const members = list(content).map(read).sort();
  if (members.length === 0) throw invalidParameter('A set may not be empty');
  if (new Set(members).size === members.length) return members;
  throw invalidParameter(`Input collection [${members.join(', ')}] contains duplicates.`);
}

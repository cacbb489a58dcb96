import { encodeDecimal, formatDecimal, parseDecimal } from './decimal.ts';
import { invalid, invalidParameter } from './faults.ts';

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

/** Attributes by name. Any name is possible, `__proto__` too: read with `attribute`, write with `setAttribute`. */
export type Item = { [name: string]: Value };

/** The names of the ten data types. */
export type ValueType = keyof Value;

const MAX_DEPTH = 32;

/** The attribute of that name, if the item itself has it. */
export function attribute(item: Item, name: string): Value | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}

/** Sets an attribute; plain assignment would change the prototype for the name `__proto__`. */
export function setAttribute(item: Item, name: string, value: Value): void {
  Object.defineProperty(item, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Which of the ten types a canonical value has. */
export function typeOf(value: Value): ValueType {
  for (const type in value) return type as ValueType;
  throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
}

/**
 * Checks a value from a client and answers its one stored form: canonical numbers and base64, sets in order.
 * Two equal values have equal stored forms.
 *
 * @throws ValidationException
 */
export function canonical(input: unknown, depth = 0): Value {
  if (depth > MAX_DEPTH) throw invalid('Nesting Levels have exceeded supported limits');
  const entries = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  const [type, content] = entries[0] ?? ['', undefined];
  if (entries.length === 0) {
    throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  }
  if (entries.length > 1) {
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  switch (type) {
    case 'S':
      return { S: text(content) };
    case 'N':
      return { N: formatDecimal(parseDecimal(text(content))) };
    case 'B':
      return { B: binary(content) };
    case 'BOOL':
      if (typeof content !== 'boolean') throw invalid('Supplied BOOL is not a boolean');
      return { BOOL: content };
    case 'NULL':
      if (content !== true) throw invalidParameter('Null attribute value types must have the value of true');
      return { NULL: true };
    case 'SS':
      return { SS: set('string', content, text, (member) => Buffer.from(member)) };
    case 'NS':
      return {
        NS: set(
          'number',
          content,
          (member) => formatDecimal(parseDecimal(text(member))),
          (member) => encodeDecimal(parseDecimal(member)),
        ),
      };
    case 'BS':
      return { BS: set('binary', content, binary, (member) => Buffer.from(member, 'base64')) };
    case 'L':
      return { L: list(content).map((element) => canonical(element, depth + 1)) };
    case 'M':
      return { M: canonicalItem(content, depth + 1) };
    default:
      throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  }
}

/** The stored form of a map of attributes. */
export function canonicalItem(input: unknown, depth = 0): Item {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalid('A map of attribute values was expected');
  }
  const item: Item = Object.create(null) as Item;
  for (const [name, value] of Object.entries(input)) {
    if (name === '' && depth === 0) throw invalidParameter('Attribute name must not be empty');
    item[name] = canonical(value, depth);
  }
  return item;
}

/** Whether two canonical values are the same value; sets and maps regardless of order. */
export function equal(a: Value, b: Value): boolean {
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  if (a.L && b.L) {
    const other = b.L;
    return a.L.length === other.length && a.L.every((element, at) => equal(element, other[at] as Value));
  }
  if (a.M && b.M) return equalItems(a.M, b.M);
  return String(a[type]) === String(b[type]) && JSON.stringify(a) === JSON.stringify(b);
}

/** Whether two items have the same attributes. */
export function equalItems(a: Item, b: Item): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equal(a[name] as Value, b[name] as Value))
  );
}

/**
 * Bytes of a scalar in DynamoDB's order: UTF-8 for strings, raw bytes for binary, ordered form for numbers.
 * Undefined for types that have no order.
 */
export function orderedBytes(value: Value): Buffer | undefined {
  if (value.S !== undefined) return Buffer.from(value.S, 'utf8');
  if (value.N !== undefined) return encodeDecimal(parseDecimal(value.N));
  if (value.B !== undefined) return Buffer.from(value.B, 'base64');
  return undefined;
}

function text(content: unknown): string {
  if (typeof content !== 'string') throw invalid('A string was expected in an AttributeValue');
  return content;
}

function binary(content: unknown): string {
  const encoded = text(content);
  const decoded = Buffer.from(encoded, 'base64').toString('base64');
  if (decoded !== encoded) throw invalid('A base64 string was expected in an AttributeValue');
  return decoded;
}

function list(content: unknown): unknown[] {
  if (!Array.isArray(content)) throw invalid('A list was expected in an AttributeValue');
  return content;
}

function set(
  kind: string,
  content: unknown,
  read: (member: unknown) => string,
  order: (member: string) => Buffer,
): string[] {
  const members = list(content).map(read);
  if (members.length === 0) throw invalidParameter(`An ${kind} set  may not be empty`);
  if (new Set(members).size < members.length) {
    throw invalidParameter(`Input collection [${members.join(', ')}] contains duplicates.`);
  }
  return members
    .map((member) => ({ member, bytes: order(member) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ member }) => member);
}

import { Decimal } from '../../../json/decimal.ts';

/** The types of JSON values except null, under their names in JSON Schema. */
export type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'array';

const NOUNS: Readonly<Record<JsonType, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/** All types of JSON values except null. */
export const JSON_TYPES = Object.keys(NOUNS) as readonly JsonType[];

/** The type of a JSON value. Source: RFC 8259 §3. */
export function jsonTypeOf(value: unknown): JsonType | 'null' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Decimal) return 'number';
  return typeof value as JsonType;
}

/** The fault of a value that has none of the types; undefined if it has one. Compiled validators call this. */
export function typeFault(value: unknown, types: readonly JsonType[]): string | undefined {
  if (types.some((type) => type === jsonTypeOf(value))) return undefined;
  return `must be ${types.map((type) => NOUNS[type]).join(' or ')}`;
}

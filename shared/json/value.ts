import { Decimal } from './decimal.ts';

/** Maximum depth of nested objects and arrays. Source: Specification 10.10. */
export const MAXIMUM_DEPTH = 64;

/** A JSON value with exact numbers: a `Decimal` where a `number` would lose digits. Source: RFC 8259 §3. */
export type JsonValue = null | boolean | number | string | Decimal | JsonValue[] | JsonObject;

/**
 * A JSON object. `emptyObject` creates it without a prototype, so that every name is ordinary data. Source: RFC
 * 8259 §4.
 */
export interface JsonObject {
  [name: string]: JsonValue;
}

/** True if a value is a JSON object, and not an array, a `Decimal` or null. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

/** Returns a new object without a prototype: `__proto__` and `constructor` are ordinary names in it. */
export function emptyObject(): JsonObject {
  return Object.create(null) as JsonObject;
}

/**
 * Sets an own property of any name. An assignment of `__proto__` to an ordinary object would change its prototype
 * instead. Ordinary objects are several times faster to fill and to write than those without a prototype.
 */
export function setMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else object[name] = value;
}

/**
 * True if two values are equal as JSON: numbers by value (`1.0` is 1), strings by code units, arrays in order,
 * objects by their properties in any order. Values may have any depth.
 *
 * Source: RFC 6902 §4.6.
 */
export function jsonEqual(a: JsonValue, b: JsonValue): boolean {
  // The pairs that are not compared yet. A list instead of recursion needs no stack for deep values.
  const open: (JsonValue | undefined)[] = [a, b];
  while (open.length > 0) {
    const y = open.pop();
    const x = open.pop();
    if (x === y) continue;
    if (Array.isArray(x)) {
      if (!Array.isArray(y) || x.length !== y.length) return false;
      for (const [i, element] of x.entries()) open.push(element, y[i]);
    } else if (isObject(x)) {
      if (!isObject(y)) return false;
      const names = Object.keys(x);
      if (Object.keys(y).length !== names.length) return false;
      for (const name of names) {
        if (!Object.hasOwn(y, name)) return false;
        open.push(x[name], y[name]);
      }
    } else if (!sameNumber(x, y)) return false;
  }
  return true;
}

/**
 * True if both are numbers, at least one of them a `Decimal`, and equal. The caller has already compared two
 * `number`s.
 */
function sameNumber(x: JsonValue | undefined, y: JsonValue | undefined): boolean {
  if (x instanceof Decimal) {
    if (y instanceof Decimal) return x.equals(y);
    return typeof y === 'number' && x.equals(Decimal.from(y));
  }
  return y instanceof Decimal && typeof x === 'number' && y.equals(Decimal.from(x));
}

/** True if two members of objects are equal as JSON, or both absent. */
export const sameMember = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a === undefined || b === undefined ? a === b : jsonEqual(a, b);

/** The types of JSON values except null, under their names in JSON Schema. */
export type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'array';

/** Returns the type of a JSON value. Source: RFC 8259 §3. */
export function jsonTypeOf(value: unknown): JsonType | 'null' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Decimal) return 'number';
  return typeof value as JsonType;
}

import { Decimal } from './decimal.ts';

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

/** A new object without a prototype: `__proto__` and `constructor` are ordinary names in it. */
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

import { Decimal } from './decimal.ts';

/** A JSON value whose numbers are exact: a `Decimal` wherever a `number` would not keep the digits. Source: RFC 8259 §3. */
export type JsonValue = null | boolean | number | string | Decimal | JsonValue[] | JsonObject;

/** A JSON object. Those made here have no prototype, so that every name is ordinary data. Source: RFC 8259 §4. */
export interface JsonObject {
  [name: string]: JsonValue;
}

/** Whether a value is a JSON object: no array, no `Decimal`, not null. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

/** A new object without a prototype: `__proto__` and `constructor` are ordinary names in it. */
export function emptyObject(): JsonObject {
  return Object.create(null) as JsonObject;
}

/**
 * Sets an own member of any name: assigning `__proto__` to an ordinary object would change its prototype instead.
 * Ordinary objects are several times faster to fill and to write than those without a prototype.
 */
export function setMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else object[name] = value;
}

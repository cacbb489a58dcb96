import { Decimal } from './decimal.ts';
import type { JsonValue } from './value.ts';
import { isObject } from './value.ts';

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

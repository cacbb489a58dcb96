import { Decimal, whole } from '../../json/decimal.ts';
import type { JsonValue } from '../../json/value.ts';
import type { FieldKind, IntegerField } from '../description/description.ts';
import type { DecimalField } from '../description/field-types.ts';
import { ORDERED } from './operators.ts';

/** Characters of a number in a text. */
const MAXIMUM_CHARACTERS = 1000;

/** Returns the exact number that a text means; undefined if it means none. Source: RFC 8259 §6. */
export const numberIn = (text: string): Decimal | undefined =>
  text.length <= MAXIMUM_CHARACTERS ? Decimal.parse(text) : undefined;

/** In a query, a `+` that the client did not escape arrives as a space. Source: Specification 4.11. */
const WRITTEN = /^([+ -]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * Returns the exact number that a text in a query means, as people write it: `+1`, `.5`, `1.`, `007`, `1e3`. Undefined
 * if it means none, or if its written exponent is beyond ±`exponents`. Source: Specification 1.20, 4.13.
 */
export function queryNumber(text: string, exponents = Number.POSITIVE_INFINITY): Decimal | undefined {
  if (text.length > MAXIMUM_CHARACTERS) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = WRITTEN.exec(text) ?? [];
  if (whole + fraction === '' || Math.abs(Number(exponent)) > exponents) return undefined;
  const integer = whole.replace(/^0+(?=.)/, '') || '0';
  return Decimal.parse(`${sign === '-' ? '-' : ''}${integer}.${fraction || '0'}e${exponent}`)?.canonical();
}

const CANONICAL = /^(?:0|[1-9][0-9]{0,15})$/;

/**
 * Returns an identifier as a number, also from its canonical decimal text (`"115"`). Other values stay unchanged.
 *
 * Source: Specification 2.3.
 */
export function numberOfId(value: JsonValue): JsonValue {
  const number = typeof value === 'string' && CANONICAL.test(value) ? Number(value) : whole(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A whole number above each maximum. Below each minimum is its negative. */
const BEYOND = Number.MAX_SAFE_INTEGER + 1;

/** A whole number, or the identifier of an item. Identifiers stay text in a form: only their canonical text counts. */
export const integerKind: FieldKind<IntegerField> = {
  attribute: 'whole',
  comparing: {
    operators: ORDERED,
    read(text, _operator, { isId }) {
      if (isId) {
        const id = numberOfId(text);
        return typeof id === 'number'
          ? { scalars: [Decimal.from(id)] }
          : { fault: 'must be a whole number below 2^53, without leading zeros' };
      }
      const number = queryNumber(text);
      if (!number) return { fault: 'must be a number' };
      return number.isInteger ? { scalars: [number] } : { fault: 'must be a whole number' };
    },
  },
  ofText: (text, { isId }) => (isId ? text.trim() : (numberIn(text.trim()) ?? text)),
  stored(value, { isId }) {
    const number = isId ? numberOfId(value) : whole(value);
    if (Number.isSafeInteger(number)) return number;
    // A whole number that is too large stays one, so that its fault is its size.
    const large = whole(value);
    return typeof large === 'number' && Math.abs(large) > BEYOND - 1 ? Math.sign(large) * BEYOND : value;
  },
};

/** An exact decimal, such as an amount of money. */
export const decimalKind: FieldKind<DecimalField> = {
  attribute: 'decimal',
  comparing: {
    operators: ORDERED,
    read(text) {
      const number = queryNumber(text);
      return number ? { scalars: [number] } : { fault: 'must be a number' };
    },
  },
  ofText: (text) => numberIn(text.trim()) ?? text,
  stored: (value) =>
    typeof value === 'number' || value instanceof Decimal ? Decimal.from(value).canonical() : value,
};

import { Decimal, whole } from '../../../json/decimal.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { IntegerField } from '../../description/description.ts';
import { type Kind, ORDERED } from '../kind.ts';
import { numberIn } from './number.ts';
import { queryNumber } from './query-number.ts';

const CANONICAL = /^(?:0|[1-9][0-9]{0,15})$/;

/**
 * An identifier as a number, also from its canonical decimal text (`"115"`). Other values stay unchanged.
 *
 * Source: Specification 2.3.
 */
export function numberOfId(value: JsonValue): JsonValue {
  const number = typeof value === 'string' && CANONICAL.test(value) ? Number(value) : whole(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A whole number, or the identifier of an item. Identifiers stay text in a form: only their canonical text counts. */
export const integerKind: Kind<IntegerField> = {
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
    return Number.isSafeInteger(number) ? number : value;
  },
};

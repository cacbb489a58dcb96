import { Decimal } from '../../../json/decimal.ts';
import type { DecimalField } from '../../description/field-facts.ts';
import { type Kind, ORDERED } from '../kind.ts';
import { numberIn } from './number.ts';
import { queryNumber } from './query-number.ts';

/** An exact decimal, such as an amount of money. */
export const decimalKind: Kind<DecimalField> = {
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

import type { AnyField } from '../description/field-facts.ts';
import { type Kind, keepValue, ORDERED } from './kind.ts';
import { queryNumber } from './numbers/query-number.ts';

/**
 * A value of several types. A text has an attribute. All other values are in the JSON text of undeclared properties,
 * because the previous release reads them there. In a filter, the text of a number means the number, and with `=` also
 * the text.
 */
export const anyKind: Kind<AnyField> = {
  attribute: 'text',
  comparing: {
    operators: [...ORDERED, 'prefix'],
    read(text, operator) {
      const number = operator === 'prefix' ? undefined : queryNumber(text);
      return { scalars: number ? (operator === '=' ? [text, number] : [number]) : [text] };
    },
  },
  ofText: keepValue,
  stored: keepValue,
};

import type { AnyField } from '../description/fields.ts';
import { type Kind, ORDERED, unchanged } from './kind.ts';
import { numberIn } from './number.ts';

/**
 * A value of several types. A text has an attribute. The release before reads all other values from the JSON text of
 * undeclared properties. In the order of values, a number is a number.
 */
export const anyKind: Kind<AnyField> = {
  attribute: 'text',
  comparing: {
    operators: [...ORDERED, 'prefix'],
    read(text, operator) {
      const number = operator === 'prefix' ? undefined : numberIn(text);
      return { scalars: number ? (operator === '=' ? [text, number] : [number]) : [text] };
    },
  },
  ofText: unchanged,
  stored: unchanged,
};

import type { AnyField } from '../description/field-facts.ts';
import { type Kind, keepValue } from './kind.ts';
import { queryNumber } from './numbers.ts';
import { OPERATORS, picksValues, TEXTUAL } from './operators.ts';
import { readWords } from './words.ts';

/**
 * A value of several types. A text has an attribute. All other values are in the JSON text of undeclared properties,
 * because the previous release reads them there. In a filter, the text of a number means the number, and with `=` also
 * the text.
 */
export const anyKind: Kind<AnyField> = {
  attribute: 'text',
  comparing: {
    operators: TEXTUAL,
    read(text, operator) {
      if (operator === 'words') return readWords(text);
      const number = OPERATORS[operator].accepts === 'beginning' ? undefined : queryNumber(text);
      return { scalars: number ? (picksValues(operator) ? [text, number] : [number]) : [text] };
    },
  },
  ofText: keepValue,
  stored: keepValue,
};

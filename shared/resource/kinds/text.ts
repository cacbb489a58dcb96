import type { TextField } from '../description/field-facts.ts';
import { type Kind, keepValue } from './kind.ts';
import { picksValues, TEXTUAL } from './operators.ts';

/** Text, also with choices, or in the form of an e-mail address or of a URL. */
export const textKind: Kind<TextField> = {
  attribute: 'text',
  comparing: {
    operators: TEXTUAL,
    read: (text, operator, { choices }) =>
      !picksValues(operator) || !choices || choices.includes(text)
        ? { scalars: [text] }
        : { fault: `must be one of ${choices.join(', ')}` },
  },
  ofText: keepValue,
  stored: keepValue,
};

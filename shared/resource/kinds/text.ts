import type { TextField } from '../description/field-facts.ts';
import { type Kind, keepValue } from './kind.ts';
import { picksValues, TEXTUAL } from './operators.ts';
import { readWords } from './words.ts';

/** All texts that an item can have: the choices and the retired ones; undefined: any text. */
export const choicesOf = ({ choices, retired = [] }: TextField): readonly string[] | undefined =>
  choices && [...choices, ...retired];

/** Text, also with choices, or in the form of an e-mail address or of a URL. */
export const textKind: Kind<TextField> = {
  attribute: 'text',
  comparing: {
    operators: TEXTUAL,
    read: (text, operator, field) => {
      if (operator === 'words') return readWords(text);
      const choices = choicesOf(field);
      return !picksValues(operator) || !choices || choices.includes(text)
        ? { scalars: [text] }
        : { fault: `must be one of ${choices.join(', ')}` };
    },
  },
  ofText: keepValue,
  stored: keepValue,
};

import type { JsonValue } from '../../json/value.ts';
import type { Field, FieldKind, FilterValues } from '../description/description.ts';
import { type AnyField, type BooleanField, choicesOf, type TextField } from '../description/field-types.ts';
import { decimalKind, integerKind, queryNumber } from './numbers.ts';
import { fold, OPERATORS, picksValues, TEXTUAL } from './operators.ts';
import { arrayOf, structureOf } from './structures.ts';
import { dateKind, dateTimeKind, timestampKind } from './times.ts';

/** Returns a value as it is. */
const keepValue = <T extends JsonValue>(value: T): T => value;

/** The texts that mean true or false. Source: XML Schema 1.1 Part 2 §3.3.2; `yes` and `no` are those of forms. */
const MEANINGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  ['yes', true],
  ['no', false],
]);

/** True or false. False sorts before true. */
export const booleanKind: FieldKind<BooleanField> = {
  attribute: 'boolean',
  comparing: {
    operators: [],
    read(text) {
      const value = MEANINGS.get(text);
      return value === undefined ? { fault: 'must be true or false' } : { scalars: [value] };
    },
  },
  ofText: (text) => MEANINGS.get(text.trim().toLowerCase()) ?? text,
  stored: (value) => value,
};

/**
 * A value of several types. A text has an attribute. All other values are in the JSON text of undeclared properties,
 * because the previous release reads them there. In a filter, the text of a number means the number, and with `=` also
 * the text.
 */
export const anyKind: FieldKind<AnyField> = {
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

/** Text, also with choices, or in the form of an e-mail address or of a URL. */
export const textKind: FieldKind<TextField> = {
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

/** A request reads up to 10,000 rows and looks for each word in each of them. */
const MAXIMUM_WORDS = 20;

/** The words of a search. Source: Specification 4.14. */
function readWords(text: string): FilterValues {
  const words = fold(text).split(/\s+/).filter(Boolean);
  return words.length > MAXIMUM_WORDS
    ? { fault: `must have at most ${MAXIMUM_WORDS} words` }
    : { scalars: words };
}

/** All kinds of fields. A new kind needs a row here, and the compiler names the other places. */
const KINDS = {
  text: textKind,
  integer: integerKind,
  decimal: decimalKind,
  boolean: booleanKind,
  date: dateKind,
  dateTime: dateTimeKind,
  timestamp: timestampKind,
  any: anyKind,
  structure: structureOf(kindOf),
  array: arrayOf(kindOf),
  // The item names the bytes in attributes of their own: shared/store/form/binary-attributes.ts.
  binary: { attribute: 'none', ofText: keepValue, stored: keepValue },
} satisfies { readonly [Name in Field['kind']]: FieldKind<Extract<Field, { kind: Name }>> };

/** The kind of a field. */
export function kindOf({ kind }: Field): FieldKind {
  return KINDS[kind];
}

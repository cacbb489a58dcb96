import type { JsonValue } from '../../json/value.ts';
import type { ArrayField, Field } from '../description/description.ts';
import { jsonIn } from './json-text.ts';
import type { Kind } from './kind.ts';

/** An array of values of one kind. In a form, each line is a value. */
export const arrayOf = (kindOf: (field: Field) => Kind): Kind<ArrayField> => ({
  attribute: 'json',
  ofText: (text, { of }) =>
    jsonIn(text) ??
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => kindOf(of).ofText(line, of)),
  stored: (value: JsonValue, { of }) =>
    Array.isArray(value) ? value.map((one) => kindOf(of).stored(one, of)) : value,
});

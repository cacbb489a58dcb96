import type { Decimal } from '../../json/decimal.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Field } from '../description/description.ts';
import type { Operator } from './operators.ts';

/** A value in a filter. A `timestamp` is a number of ms since the epoch. */
export type Scalar = string | boolean | Decimal;

/** The values of a filter that a text means, or the fault of the text. */
export type FilterValues = { readonly scalars: readonly Scalar[] } | { readonly fault: string };

/** How filters and orders compare the values of a kind. */
interface Comparing<F extends Field> {
  /** The operators in addition to `=`. */
  readonly operators: readonly Operator[];
  /** Reads one value of a filter. A `+` of the query arrives as a space. Source: Specification 4.11 to 4.14. */
  read(text: string, operator: Operator, field: F): FilterValues;
}

/**
 * How the service handles the values of one kind of field. A value is in its stored form: the form of `stored`.
 *
 * - `schema` of the kind is in service/validation/json-schema.ts, because no function needs it when it runs.
 * - The room pages says how they show a value and which input a form has.
 */
export interface Kind<F extends Field = Field> {
  /** The attribute of DynamoDB with the values. `json`: their JSON text. `none`: they have no attribute. */
  readonly attribute: 'text' | 'whole' | 'decimal' | 'boolean' | 'json' | 'none';
  /** How values compare; undefined: lists have no filter and no order by this kind. */
  readonly comparing?: Comparing<F>;
  /**
   * The value that a text means in a format without types: a form, CSV, or XML. A text that means none stays as it is,
   * and the validator refuses it.
   */
  ofText(text: string, field: F): JsonValue;
  /** The stored form of a value that a client sent. A value of another type stays as it is. */
  stored(value: JsonValue, field: F): JsonValue;
}

/** Keeps a value as it is. */
export const keepValue = <T extends JsonValue>(value: T): T => value;

/** A request reads up to 10,000 rows and looks for each word in each of them. */
const MAXIMUM_WORDS = 20;

/** The text without case and without marks: `Café` becomes `cafe`. Source: Unicode Standard Annex #15, form NFKD. */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The words of a search. Source: Specification 4.14. */
export function readWords(text: string): FilterValues {
  const words = fold(text).split(/\s+/).filter(Boolean);
  return words.length > MAXIMUM_WORDS
    ? { fault: `must have at most ${MAXIMUM_WORDS} words` }
    : { scalars: words };
}

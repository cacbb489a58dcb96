import type { JsonValue } from '../../json/value.ts';
import type { FilterValues } from '../description/description.ts';

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

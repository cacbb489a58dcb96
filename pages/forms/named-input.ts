import type { FormFields } from '../../shared/representations/forms/inputs.ts';

/** Returns the input that says which item the name in another input means: a hidden one, or one of several to choose from. */
export const namedInput = (name: string): string => `:named.${name}`;

/** Returns the value of that input. `ids`: the identifiers of the items, with commas between them. */
export const namedValue = (ids: number | string, text: string): string => `${ids} ${text}`;

/**
 * The number that no item has. A filter by a name of no item selects nothing by it. After the numbers of other items, it
 * says that more items have the name. An order can name a product that does not exist, and clients use 0 and 2^53−1 for
 * it. This is the largest prime below.
 */
export const NO_ITEM = '9007199254740881';

/** Identifiers with commas between them. */
const IDENTIFIERS = /^\d{1,16}(?:,\d{1,16})*$/;

/**
 * Returns the identifiers that a person means in an input for a related item: their numbers, or those that belong to
 * the name. Undefined for another name, and for an input without a text.
 */
export function meantIds(fields: FormFields, name: string): string | undefined {
  const text = writtenName(fields, name);
  if (IDENTIFIERS.test(text)) return text;
  const known = fields.get(namedInput(name))?.find((one) => one.slice(one.indexOf(' ') + 1) === text);
  return text === '' ? undefined : known?.slice(0, known.indexOf(' '));
}

/** Returns the text in an input for a related item. */
export const writtenName = (fields: FormFields, name: string): string => (fields.get(name)?.[0] ?? '').trim();

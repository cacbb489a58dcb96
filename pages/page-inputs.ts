import { ITEMS_INPUT, KEY_INPUT, VERSION_INPUT } from '../shared/representations/forms/inputs.ts';

// The names of inputs and query parameters that only pages have, and the values of ticked rows.

/** The button that creates an item and leads to the form for another one. */
export const AGAIN_INPUT = ':then';

/** The query parameter of a page that counts the items of its list: a browser cannot send `Prefer: count=exact`. */
export const COUNT_PARAMETER = ':count';

/** The button that shows the plan of a form before a person sends it. A browser cannot send `Prefer: dry-run`. */
export const PLAN_INPUT = ':plan';

/** The service's own inputs that errors can name, with their labels for people. */
export const OWN_INPUTS = {
  [KEY_INPUT]: 'Idempotency key',
  [VERSION_INPUT]: 'Version',
  [ITEMS_INPUT]: 'File of items',
} as const;

/** The query parameter of the home page with the words that the names of items contain. */
export const SEARCH_PARAMETER = 'search';

/** The query parameter of a page that names the effect of the form before it. */
export const EFFECT_PARAMETER = ':done';

/**
 * The query parameter of a page with the number of the item that the form before it has created, or of the items. After
 * a deletion, it has the rows that the form has deleted.
 */
export const MADE_PARAMETER = ':made';

/** The query parameter of a page of a list that downloads the list in another format. A browser cannot send `Accept`. */
export const FORMAT_PARAMETER = ':format';

/** The query parameter with the columns that a list shows unless a person chooses others. */
export const COLUMNS_PARAMETER = ':columns';

/** Returns the value of the checkbox of a row: the version that the row shows, if it shows one, and the identifier. */
export const rowValue = (id: number | string, version?: number): string => `${version ?? ''}.${id}`;

/** Returns the rows in a text such as `3.7,1.8`. */
export const rowsIn = (text: string): readonly string[] =>
  text.split(',').filter((row) => /^\d{1,16}\.\d{1,16}$/.test(row));

/** The checkbox of a row in a list, and the button that does something with all ticked rows. */
export const ROW_INPUT = ':row';
export const WITH_INPUT = ':with';

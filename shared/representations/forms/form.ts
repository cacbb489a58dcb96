import { essence, parseContentType } from '../../http/fields/media-type.ts';
import type { Reader } from '../representation.ts';

/** The inputs of a form in the order of the request, each with its values. */
export type FormFields = ReadonlyMap<string, readonly string[]>;

/** The two encodings of forms in browsers. Source: HTML Living Standard §4.10.21.3. */
export const FORM_TYPES: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** Forms of browsers, as a format of items in requests. The first form loads its reader. */
export const form: Reader = {
  mediaTypes: FORM_TYPES,
  limitsParts: true,
  read: (bytes, description, list, sending) =>
    import('#forms').then(({ readForm }) => readForm(bytes, description, list, sending)),
};

/** True if content of this media type is a form in UTF-8. Browsers send forms in the encoding of the page. */
export function isFormType(contentType: string | undefined): boolean {
  const mediaType = contentType === undefined ? undefined : parseContentType(contentType);
  if (!mediaType || !FORM_TYPES.includes(essence(mediaType))) return false;
  return (mediaType.parameters.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8';
}

/**
 * True if an input belongs to the service itself, such as the idempotency key. No property may have such a name.
 */
export const isBookkeeping = (name: string): boolean => name.startsWith(':');

/** The input with the idempotency key of the form. */
export const KEY_INPUT = ':idempotency-key';

/** The input with the entity tag of the version that a form shows: it acts as If-Match. */
export const VERSION_INPUT = ':if-match';

/** The input with the names of properties that keep their stored values, although the form has inputs for them. */
export const TAKE_INPUT = ':take';

/** The button that creates an item and leads to the form for another one. */
export const AGAIN_INPUT = ':then';

/** The query parameter of a page that counts the items of its list: a browser cannot send `Prefer: count=exact`. */
export const COUNT_PARAMETER = ':count';

/** The file input with the items to create. */
export const ITEMS_INPUT = ':items';

/** The service's own inputs that errors can name, with their labels for people. */
export const OWN_INPUTS = {
  [KEY_INPUT]: 'Idempotency key',
  [VERSION_INPUT]: 'Version',
  [ITEMS_INPUT]: 'File of items',
} as const;

/** The formats of a file with items: the ending of its name, and its media type. */
export const FORMATS_OF_ITEMS: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['jsonl', 'application/jsonl'],
  ['ndjson', 'application/jsonl'],
  ['xml', 'application/xml'],
]);

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

/** The value of the checkbox of a row: the version that the row shows, if it shows one, and the identifier. */
export const rowValue = (id: number | string, version?: number): string => `${version ?? ''}.${id}`;

/** The rows in a text such as `3.7,1.8`. */
export const rowsIn = (text: string): readonly string[] =>
  text.split(',').filter((row) => /^\d{1,16}\.\d{1,16}$/.test(row));

/** The checkbox of a row in a list, and the button that does something with all ticked rows. */
export const ROW_INPUT = ':row';
export const WITH_INPUT = ':with';

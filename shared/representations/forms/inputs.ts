import { essence, isUtf8, parseContentType } from '../../http/fields/media-type.ts';

/** The inputs of a form in the order of the request, each with its values. */
export type FormFields = ReadonlyMap<string, readonly string[]>;

/** The two encodings of forms in browsers. Source: HTML Living Standard §4.10.21.3. */
export const FORM_TYPES: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** True if content of this media type is a form in UTF-8. Browsers send forms in the encoding of the page. */
export function isFormType(contentType: string | undefined): boolean {
  const mediaType = contentType === undefined ? undefined : parseContentType(contentType);
  return mediaType !== undefined && FORM_TYPES.includes(essence(mediaType)) && isUtf8(mediaType);
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

/** The file input with the items to create. */
export const ITEMS_INPUT = ':items';

/** The box of a person who wants copies of the items in the file. */
export const COPIES_INPUT = ':copies';

/** The formats of a file with items: the ending of its name, and its media type. */
export const FORMATS_OF_ITEMS: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['jsonl', 'application/jsonl'],
  ['ndjson', 'application/jsonl'],
  ['xml', 'application/xml'],
]);

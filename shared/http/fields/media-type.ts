import { isFieldValue, quotedStringEnd, tokenEnd, unquote, whitespaceEnd } from './field-value.ts';

/**
 * A media type. Names are in lower case. Parameter values are unquoted and otherwise unchanged. Source: RFC 9110
 * §8.3.1.
 */
export interface MediaType {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const QUOTE = 0x22;

/**
 * Reads a media type or a range from a field value (Content-Type, or a member of Accept); undefined if malformed.
 * These are malformed: whitespace around `/` or `=`, a parameter without a value, and a parameter with two values, which
 * RFC 6838 §4.3 calls an error. Empty parameters (`a/b;;`) are allowed. `weight`: after this parameter, names
 * without a value are allowed and left out.
 *
 * Source: RFC 9110 §8.3.1, §5.6.6; RFC 7231 §5.3.2 (accept-ext).
 */
export function parseMediaType(field: string, weight?: string): MediaType | undefined {
  const slash = field.indexOf('/');
  const start = whitespaceEnd(field, 0);
  const end = tokenEnd(field, slash + 1);
  if (slash <= start || tokenEnd(field, start) !== slash || end === slash + 1) return undefined;
  const read = parseParameters(field, end, weight);
  if (read.kind === 'malformed') return undefined;
  return {
    type: field.slice(start, slash).toLowerCase(),
    subtype: field.slice(slash + 1, end).toLowerCase(),
    parameters: read.parameters,
  };
}

/** Returns the rest of a media type from its first malformed parameter on; undefined if all parameters are well-formed. */
export function malformedParameter(field: string): string | undefined {
  const read = parseParameters(field, tokenEnd(field, field.indexOf('/') + 1));
  return read.kind === 'malformed' ? read.rest : undefined;
}

/**
 * Reads a Content-Type; undefined if it is malformed or a range, such as `image/*`. Source: RFC 9110 §8.3, §12.5.1.
 */
export function parseContentType(field: string): MediaType | undefined {
  const mediaType = parseMediaType(field);
  return mediaType?.type === '*' || mediaType?.subtype === '*' ? undefined : mediaType;
}

/** Maximum bytes of a stored media type: the service sends it in a header field. */
const MAXIMUM_STORED = 255;

/** The fault of a media type that the service has to store; undefined if it has none. */
export function mediaTypeFault(field: string): string | undefined {
  if (!parseContentType(field) || !isFieldValue(field)) return 'must be a media type';
  return Buffer.byteLength(field) > MAXIMUM_STORED ? `must have at most ${MAXIMUM_STORED} bytes` : undefined;
}

/** A media type without its parameters: `application/json`. Source: RFC 9110 §8.3.1. */
export function essence(m: MediaType): string {
  return `${m.type}/${m.subtype}`;
}

/** The labels of UTF-8 but `utf-8`, which old programs send. Source: Encoding Standard §4.2. */
const UTF8_LABELS = /^(?:utf8|unicode-1-1-utf-8|unicode11utf8|unicode20utf8|x-unicode20utf8)$/;

/** The name of an encoding by one of its labels, in lower case: `utf-8` for `utf8`. */
export function charsetOf(label: string): string {
  const name = label.toLowerCase();
  return UTF8_LABELS.test(name) ? 'utf-8' : name;
}

/** True if text with this label is UTF-8 or US-ASCII, which is a part of it. Source: RFC 3629 §1. */
export const isUtf8Label = (label: string): boolean => ['utf-8', 'us-ascii'].includes(charsetOf(label));

/** True if text of this media type is UTF-8, the default, or US-ASCII. */
export const isUtf8 = (mediaType: MediaType | undefined): boolean =>
  isUtf8Label(mediaType?.parameters.get('charset') ?? 'utf-8');

/** True if the label of the text is US-ASCII, and a byte of it is not. Source: RFC 20; RFC 7303 §3. */
export const isBeyondAscii = (mediaType: MediaType, bytes: Uint8Array): boolean =>
  charsetOf(mediaType.parameters.get('charset') ?? '') === 'us-ascii' && bytes.some((byte) => byte > 0x7f);

/** True if text begins with the byte order mark of UTF-16. Source: Unicode Standard §23.8, "Byte Order Mark". */
export const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe);

/** True if a media type is in a range, such as `image/*`, `application/pdf` or any type. Source: RFC 9110 §12.5.1. */
export function isInRange(mediaType: string, range: string): boolean {
  const [named = ''] = mediaType.toLowerCase().split(';');
  if (range === '*/*') return true;
  return range.endsWith('*') ? named.trim().startsWith(range.slice(0, -1)) : named.trim() === range;
}

/** The parameters of a media type, or the rest of the field from the first malformed one on. */
type ReadParameters =
  | { readonly kind: 'parameters'; readonly parameters: ReadonlyMap<string, string> }
  | { readonly kind: 'malformed'; readonly rest: string };

const NO_PARAMETERS: ReadParameters = { kind: 'parameters', parameters: new Map() };

/** Reads the parameters from `start` to the end of the field. Source: RFC 9110 §5.6.6. */
function parseParameters(field: string, start: number, weight = ''): ReadParameters {
  if (start === field.length) return NO_PARAMETERS;
  const malformed = (at: number): ReadParameters => ({ kind: 'malformed', rest: field.slice(at) });
  let parameters: Map<string, string> | undefined;
  let at = start;
  while (true) {
    at = whitespaceEnd(field, at);
    if (at === field.length) return parameters ? { kind: 'parameters', parameters } : NO_PARAMETERS;
    if (field.charCodeAt(at) !== SEMICOLON) return malformed(at);
    at = whitespaceEnd(field, at + 1);
    const begin = at;
    const equals = tokenEnd(field, at);
    if (equals === at) continue;
    if (field.charCodeAt(equals) !== EQUALS) {
      if (!parameters?.has(weight)) return malformed(begin);
      at = equals;
      continue;
    }
    const name = field.slice(at, equals).toLowerCase();
    const quoted = field.charCodeAt(equals + 1) === QUOTE;
    at = quoted ? quotedStringEnd(field, equals + 1) : valueEnd(name, field, equals + 1);
    if (at <= equals + 1) return malformed(begin);
    const text = field.slice(equals + 1, at);
    const value = quoted ? unquote(text) : text;
    const before = parameters?.get(name);
    if (before !== undefined && !isSame(name, before, value)) return malformed(begin);
    parameters ??= new Map();
    parameters.set(name, value);
  }
}

const isSame = (name: string, a: string, b: string): boolean =>
  a === b || (name === 'charset' && charsetOf(a) === charsetOf(b));

/** Characters of a boundary but the space. JavaMail and others send `a/b=c` without quotes. Source: RFC 2046 §5.1.1. */
const BOUNDARY = /[\w'()+,./:=?-]*/y;

/** The index after a value without quotes. */
function valueEnd(name: string, field: string, start: number): number {
  if (name !== 'boundary') return tokenEnd(field, start);
  BOUNDARY.lastIndex = start;
  return start + (BOUNDARY.exec(field)?.[0].length ?? 0);
}

/** The type of bytes whose sender does not know their type. Source: RFC 2046 §4.5.1. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** The media type of a JSON Patch. Source: RFC 6902 §6. */
export const JSON_PATCH = 'application/json-patch+json';
/** The media type of a JSON Merge Patch. Source: RFC 7396 §4. */
export const MERGE_PATCH = 'application/merge-patch+json';

/** The value of `Accept-Patch`. Source: RFC 5789 §3.1. */
export const ACCEPT_PATCH = `${MERGE_PATCH}, ${JSON_PATCH}`;

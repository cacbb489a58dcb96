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

const none: ReadonlyMap<string, string> = new Map();

const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const SLASH = 0x2f;

/**
 * Reads a media type or a range from a field value (Content-Type, or a member of Accept); undefined if malformed.
 * These are malformed: whitespace around `/` or `=`, a parameter without a value, and a repeated parameter, which
 * RFC 6838 §4.3 calls an error. Empty parameters (`a/b;;`) are allowed. `weight`: after this parameter, names
 * without a value are allowed and left out.
 *
 * Source: RFC 9110 §8.3.1, §5.6.6; RFC 7231 §5.3.2 (accept-ext).
 */
export function parseMediaType(field: string, weight?: string): MediaType | undefined {
  const start = whitespaceEnd(field, 0);
  const slash = tokenEnd(field, start);
  if (slash === start || field.charCodeAt(slash) !== SLASH) return undefined;
  const end = tokenEnd(field, slash + 1);
  if (end === slash + 1) return undefined;
  const parameters = parseParameters(field, end, weight);
  if (parameters === undefined) return undefined;
  return {
    type: field.slice(start, slash).toLowerCase(),
    subtype: field.slice(slash + 1, end).toLowerCase(),
    parameters,
  };
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

/** True if text of this media type is UTF-8, the default, or US-ASCII, which is a part of it. Source: RFC 3629 §1. */
export function isUtf8(mediaType: MediaType | undefined): boolean {
  return /^(?:utf-8|us-ascii)$/i.test(mediaType?.parameters.get('charset') ?? 'utf-8');
}

/** True if a media type is in a range, such as `image/*`, `application/pdf` or any type. Source: RFC 9110 §12.5.1. */
export function isInRange(mediaType: string, range: string): boolean {
  const [named = ''] = mediaType.toLowerCase().split(';');
  if (range === '*/*') return true;
  return range.endsWith('*') ? named.trim().startsWith(range.slice(0, -1)) : named.trim() === range;
}

/** The parameters from `start` to the end of the field; undefined if malformed. Source: RFC 9110 §5.6.6. */
function parseParameters(field: string, start: number, weight = ''): ReadonlyMap<string, string> | undefined {
  if (start === field.length) return none;
  let parameters: Map<string, string> | undefined;
  let at = start;
  while (true) {
    at = whitespaceEnd(field, at);
    if (at === field.length) return parameters ?? none;
    if (field.charCodeAt(at) !== SEMICOLON) return undefined;
    at = whitespaceEnd(field, at + 1);
    const equals = tokenEnd(field, at);
    if (equals === at) continue;
    if (field.charCodeAt(equals) !== EQUALS) {
      if (!parameters?.has(weight)) return undefined;
      at = equals;
      continue;
    }
    const name = field.slice(at, equals).toLowerCase();
    const quoted = field.charCodeAt(equals + 1) === QUOTE;
    at = quoted ? quotedStringEnd(field, equals + 1) : tokenEnd(field, equals + 1);
    if (at <= equals + 1 || parameters?.has(name)) return undefined;
    const value = field.slice(equals + 1, at);
    parameters ??= new Map();
    parameters.set(name, quoted ? unquote(value) : value);
  }
}

/** The type of bytes whose sender does not know their type. Source: RFC 2046 §4.5.1. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** The media type of a JSON Patch. Source: RFC 6902 §6. */
export const JSON_PATCH = 'application/json-patch+json';
/** The media type of a JSON Merge Patch. Source: RFC 7396 §4. */
export const MERGE_PATCH = 'application/merge-patch+json';

/** The value of `Accept-Patch`. Source: RFC 5789 §3.1. */
export const ACCEPT_PATCH = `${JSON_PATCH}, ${MERGE_PATCH}`;

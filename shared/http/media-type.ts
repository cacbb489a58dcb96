import { isFieldValue, quotedStringEnd, tokenEnd, unquoted, whitespaceEnd } from './field-value.ts';

/** A media type: names in lower case, parameter values as they are, unquoted. Source: RFC 9110 §8.3.1. */
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
 * The media type or range that a field value (Content-Type, or a member of Accept) names, or undefined when it is
 * malformed: whitespace around `/` or `=`, a parameter without a value, or the same parameter twice, which
 * RFC 6838 §4.3 calls an error. Empty parameters (`a/b;;`) are allowed. `weight`: the parameter behind which names may
 * stand alone, and are left out then. Source: RFC 9110 §8.3.1, §5.6.6; RFC 7231 §5.3.2 (accept-ext).
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
 * The media type that a Content-Type names, or undefined when it is malformed or a range, such as `image/*`.
 * Source: RFC 9110 §8.3, §12.5.1.
 */
export function parseContentType(field: string): MediaType | undefined {
  const mediaType = parseMediaType(field);
  return mediaType?.type === '*' || mediaType?.subtype === '*' ? undefined : mediaType;
}

/** Bytes of a media type that is kept at most: it is sent as a header field again. */
const MAXIMUM_KEPT = 255;

/** What is wrong with a media type that is to be kept; undefined when nothing is. */
export function mediaTypeFault(field: string): string | undefined {
  if (!parseContentType(field) || !isFieldValue(field)) return 'must be a media type';
  return Buffer.byteLength(field) > MAXIMUM_KEPT ? `must have at most ${MAXIMUM_KEPT} bytes` : undefined;
}

/** A media type without its parameters: `application/json`. Source: RFC 9110 §8.3.1. */
export function essence(m: MediaType): string {
  return `${m.type}/${m.subtype}`;
}

/** The parameters from `start` to the end of the field, or undefined when malformed. Source: RFC 9110 §5.6.6. */
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
    parameters.set(name, quoted ? unquoted(value) : value);
  }
}

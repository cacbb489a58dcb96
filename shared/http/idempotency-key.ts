import { quotedStringEnd, unquoted } from './field-value.ts';

const MAXIMUM_CHARACTERS = 255;

/**
 * The key that Idempotency-Key gives, quoted as a structured field's string or bare; undefined when it is empty, too
 * long or malformed.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.1; RFC 8941 §3.3.3.
 */
export function parseIdempotencyKey(field: string): string | undefined {
  const quoted = field.startsWith('"');
  if (quoted && quotedStringEnd(field, 0) !== field.length) return undefined;
  const key = quoted ? unquoted(field) : field;
  return /^[\x20-\x7e]+$/.test(key) && key.length <= MAXIMUM_CHARACTERS ? key : undefined;
}

import { quotedStringEnd, unquoted } from './field-value.ts';
import { areParameters } from './structured-field.ts';

const MAXIMUM_CHARACTERS = 255;

/**
 * The key that Idempotency-Key gives, quoted as a structured field's string, parameters of which are ignored, or bare;
 * undefined when it is empty, too long or malformed.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.1; RFC 9651 §3.3, §3.3.3.
 */
export function parseIdempotencyKey(field: string): string | undefined {
  const end = field.startsWith('"') ? quotedStringEnd(field, 0) : 0;
  if (end < 0 || (end > 0 && !areParameters(field.slice(end)))) return undefined;
  const key = end > 0 ? unquoted(field.slice(0, end)) : field;
  return /^[\x20-\x7e]+$/.test(key) && key.length <= MAXIMUM_CHARACTERS ? key : undefined;
}

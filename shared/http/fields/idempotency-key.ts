import { unquoted } from './field-value.ts';
import { areParameters, leadingString } from './structured-field.ts';

const MAXIMUM_CHARACTERS = 255;

/**
 * The key in Idempotency-Key: bare, or quoted as the string of a structured field, whose parameters are ignored.
 * Undefined if it is empty, too long or malformed.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.1; RFC 9651 §3.3, §3.3.3; Specification 10.1.
 */
export function parseIdempotencyKey(field: string): string | undefined {
  const key = field.startsWith('"') ? stringItem(field) : field;
  if (key === undefined) return undefined;
  return /^[\x20-\x7e]+$/.test(key) && key.length <= MAXIMUM_CHARACTERS ? key : undefined;
}

/** The string of a string item, without its parameters; undefined if malformed. */
function stringItem(field: string): string | undefined {
  const string = leadingString(field);
  return string !== undefined && areParameters(field.slice(string.length)) ? unquoted(string) : undefined;
}

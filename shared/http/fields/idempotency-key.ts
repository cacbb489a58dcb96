const MAXIMUM_CHARACTERS = 255;

/**
 * The key in Idempotency-Key: bare, or quoted as the string of a structured field, whose parameters are ignored.
 * Undefined if it is empty, too long or malformed.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.1; RFC 9651 §3.3, §3.3.3; Specification 10.1.
 */
export async function parseIdempotencyKey(field: string): Promise<string | undefined> {
  const key = field.startsWith('"') ? await stringItem(field) : field;
  if (key === undefined) return undefined;
  return /^[\x20-\x7e]+$/.test(key) && key.length <= MAXIMUM_CHARACTERS ? key : undefined;
}

/** The string of a string item, without its parameters; undefined if malformed. */
async function stringItem(field: string): Promise<string | undefined> {
  const { parseItem } = await import('structured-headers');
  try {
    const [value] = parseItem(field);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

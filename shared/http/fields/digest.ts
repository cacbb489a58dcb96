import { isAnyArrayBuffer } from 'node:util/types';
import { parseDictionary } from 'structured-headers';

/** Digests by algorithm, in base64. */
export type Digests = ReadonlyMap<string, string>;

/** The algorithms that the service verifies, with their names in node:crypto. Source: RFC 9530 §5. */
export const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/**
 * Reads Content-Digest or Repr-Digest; undefined if malformed, or if no member is a byte sequence. Any other member is
 * ignored, unless it names an algorithm that the service verifies.
 *
 * Source: RFC 9530 §2, §3; RFC 9651 §3.2.
 */
export function parseDigests(field: string): Digests | undefined {
  try {
    const members = parseDictionary(field);
    const digests = new Map<string, string>();
    for (const [algorithm, [value]] of members) {
      if (isAnyArrayBuffer(value)) digests.set(algorithm, Buffer.from(value).toString('base64'));
      else if (ALGORITHMS.has(algorithm)) return undefined;
    }
    return members.size > 0 && digests.size === 0 ? undefined : digests;
  } catch {
    return undefined;
  }
}

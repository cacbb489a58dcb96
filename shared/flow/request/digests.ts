import { createHash } from 'node:crypto';
import { ALGORITHMS, parseDigests } from '../../http/fields/digest.ts';
import type { Request } from '../../http/request.ts';
import { type Ending, refuse } from '../ending.ts';

const FIELDS = ['Content-Digest', 'Repr-Digest'] as const;
const MALFORMED = 'must be a dictionary such as sha-256=:…:';
const NO_BYTES = new Uint8Array();

/**
 * Verifies the digests in the header fields. Both cover the content as it arrived: representation data includes the
 * content coding, and requests have no ranges.
 *
 * Source: RFC 9530 §2, §3; RFC 9110 §8.1.
 */
export function verifyDigests(request: Request): Ending<400> | undefined {
  for (const header of FIELDS) {
    const field = request.headers[header.toLowerCase()];
    if (field === undefined) continue;
    const digests = parseDigests(field);
    if (!digests) {
      return refuse('validation-error', `${header} is malformed. Send it as errors describes`, {
        errors: [{ header, detail: MALFORMED }],
      });
    }
    for (const [algorithm, expected] of digests) {
      const detail = mismatch(request.content() ?? NO_BYTES, algorithm, expected);
      if (detail === undefined) continue;
      return refuse('validation-error', 'The content is not what its digest says. Send both again', {
        errors: [{ header, detail }],
      });
    }
  }
  return undefined;
}

/** The fault of the digest of one of several files; undefined if the digest matches. */
export function digestFault(digest: string, bytes: Uint8Array): string | undefined {
  const digests = parseDigests(digest);
  if (!digests || digests.size === 0) return MALFORMED;
  for (const [algorithm, expected] of digests) {
    const detail = mismatch(bytes, algorithm, expected);
    if (detail !== undefined) return detail;
  }
  return undefined;
}

function mismatch(bytes: Uint8Array, algorithm: string, expected: string): string | undefined {
  const hash = ALGORITHMS.get(algorithm);
  if (!hash) return undefined;
  const actual = createHash(hash).update(bytes).digest('base64');
  return actual === expected ? undefined : `${algorithm} of the content that arrived is :${actual}:`;
}

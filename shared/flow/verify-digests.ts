import { createHash } from 'node:crypto';
import { parseDigests } from '../http/digest.ts';
import type { Request } from '../http/request.ts';
import { type Ending, refuse } from './ending.ts';

/** The algorithms that are checked; others are ignored. Source: RFC 9530 §5. */
const ALGORITHMS: Readonly<Record<string, string>> = { 'sha-256': 'sha256', 'sha-512': 'sha512' };
const FIELDS = ['Content-Digest', 'Repr-Digest'] as const;
const NO_BYTES = new Uint8Array();

/**
 * Checks the digests that came with the content. There is no content coding and no part of a representation to send,
 * so that content and representation are the same bytes.
 *
 * Source: RFC 9530 §2, §3.
 */
export function verifyDigests(request: Request): Ending<400> | undefined {
  for (const header of FIELDS) {
    const field = request.headers[header.toLowerCase()];
    if (field === undefined) continue;
    const digests = parseDigests(field);
    if (!digests) {
      return refuse('validation-error', `${header} is malformed`, {
        errors: [{ header, detail: 'must be a dictionary such as sha-256=:…:' }],
      });
    }
    for (const [algorithm, expected] of digests) {
      const hash = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined;
      if (!hash) continue;
      const actual = createHash(hash)
        .update(request.content() ?? NO_BYTES)
        .digest('base64');
      if (actual === expected) continue;
      return refuse('validation-error', 'The content is not what its digest says', {
        errors: [{ header, detail: `${algorithm} of the content that arrived is :${actual}:` }],
      });
    }
  }
  return undefined;
}

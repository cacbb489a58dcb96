import { createHash } from 'node:crypto';
import { ALGORITHMS, parseDigests } from '../../http/fields/digest.ts';
import type { Request } from '../../http/request.ts';
import { type Ending, refuse } from '../ending.ts';

const FIELDS = ['Content-Digest', 'Repr-Digest'] as const;
const MALFORMED = 'must be a dictionary such as sha-256=:…:';
const NO_BYTES = new Uint8Array();

/** What is wrong with a digest. `isPossible`: some other bytes can have it. */
interface Mismatch {
  readonly isPossible: boolean;
  readonly detail: string;
}

/**
 * Verifies the digests in the header fields. Both cover the content as it arrived: representation data includes the
 * content coding, and requests have no ranges. The refusal names every wrong digest, and never the right one.
 *
 * Source: RFC 9530 §2, §3; RFC 9110 §8.1; draft-ietf-httpapi-digest-fields-problem-types §3.2, §3.3.
 */
export function verifyDigests(request: Request): Ending<400> | undefined {
  const wrong: (Mismatch & Record<'header' | 'algorithm' | 'digest', string>)[] = [];
  for (const header of FIELDS) {
    const field = request.headers[header.toLowerCase()];
    if (field === undefined) continue;
    const digests = parseDigests(field);
    if (!digests) {
      return refuse('validation-error', `${header} is malformed. Send it as errors describes`, {
        errors: [{ header, detail: MALFORMED }],
      });
    }
    for (const [algorithm, digest] of digests) {
      const mismatch = mismatchOf(request.content() ?? NO_BYTES, algorithm, digest);
      if (mismatch) wrong.push({ ...mismatch, header, algorithm, digest });
    }
  }
  if (wrong.length === 0) return undefined;
  const errors = wrong.map(({ header, detail }) => ({ header, detail }));
  const impossible = wrong.filter(({ isPossible }) => !isPossible);
  if (impossible.length > 0)
    return refuse('digest-invalid-values', 'No content has such a digest. Compute it again', {
      errors,
      members: {
        'invalid-digests': impossible.map(({ algorithm, header, detail }) => ({
          algorithm,
          header,
          reason: detail,
        })),
      },
    });
  return refuse('digest-mismatched-values', 'The content is not what its digest says. Send both again', {
    errors,
    members: {
      'mismatched-digests': wrong.map(({ algorithm, digest, header }) => ({
        algorithm,
        'provided-digest': `:${digest}:`,
        header,
      })),
    },
  });
}

/** The fault of the digest of one of several files; undefined if the digest matches. */
export function digestFault(digest: string, bytes: Uint8Array): string | undefined {
  const digests = parseDigests(digest);
  if (!digests || digests.size === 0) return MALFORMED;
  for (const [algorithm, expected] of digests) {
    const mismatch = mismatchOf(bytes, algorithm, expected);
    if (mismatch) return mismatch.detail;
  }
  return undefined;
}

/** Compares a digest in base64 with that of the bytes; undefined if it matches, or if its algorithm is unknown. */
function mismatchOf(bytes: Uint8Array, algorithm: string, digest: string): Mismatch | undefined {
  const hash = ALGORITHMS.get(algorithm);
  if (!hash) return undefined;
  const actual = createHash(hash).update(bytes).digest();
  if (Buffer.byteLength(digest, 'base64') !== actual.length)
    return { isPossible: false, detail: `${algorithm} has ${actual.length} bytes` };
  return actual.toString('base64') === digest
    ? undefined
    : { isPossible: true, detail: `the content that arrived has another ${algorithm}` };
}

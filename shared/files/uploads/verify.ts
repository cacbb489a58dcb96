import { createHash } from 'node:crypto';
import { endingAt } from '../../aws/clients/s3.ts';
import type { Upload } from '../../resource/sent.ts';
import type { ObjectFacts, Objects } from '../objects.ts';

/** Bytes of one read. The function hashes one piece while the next one arrives. */
const PIECE = 16 * 1024 * 1024;

/** The result of a comparison. `gone`: another upload replaced this one meanwhile, or it was removed. */
type Verification =
  | { readonly kind: 'valid' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'invalid'; readonly detail: string };

const invalid = (detail: string): Verification => ({ kind: 'invalid', detail });

/**
 * Compares an upload with its manifest. S3 verified the digest of an upload in one request. This function reads an
 * upload in parts, with constant memory. `deadline`: the end of this run, in ms since the epoch. Another run then reads
 * the upload from its start.
 *
 * @throws Unavailable when S3 does not respond, or the deadline is over
 */
export async function verify(
  objects: Objects,
  key: string,
  facts: ObjectFacts,
  { size, sha256 }: Upload,
  deadline: number,
): Promise<Verification> {
  if (facts.size !== size)
    return invalid(
      `The upload has ${facts.size} bytes, but the manifest announced ${size}. Announce it again`,
    );
  if (sha256 === undefined || facts.sha256 === sha256) return { kind: 'valid' };
  const actual = facts.sha256 ?? (await digestOf(objects, key, facts, endingAt(deadline)));
  if (actual === undefined) return { kind: 'gone' };
  if (actual === sha256) return { kind: 'valid' };
  return invalid(
    `The upload has the sha-256 digest :${actual}:, which differs from the manifest. Announce it again`,
  );
}

/** Returns the digest of an object in base64; undefined if another upload replaced it meanwhile. */
async function digestOf(
  objects: Objects,
  key: string,
  { etag, size }: ObjectFacts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const hash = createHash('sha256');
  const read = (first: number): Promise<Uint8Array | undefined> =>
    objects.read(key, etag, { first, last: Math.min(first + PIECE, size) - 1 }, signal);
  let next = size > 0 ? read(0) : undefined;
  for (let at = 0; next; at += PIECE) {
    const piece = await next;
    if (!piece) return undefined;
    next = at + PIECE < size ? read(at + PIECE) : undefined;
    // The `await` of the next round handles a failure.
    next?.catch(() => undefined);
    hash.update(piece);
  }
  return hash.digest('base64');
}

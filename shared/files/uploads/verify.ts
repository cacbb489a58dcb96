import { createHash } from 'node:crypto';
import type { Upload } from '../../resource/action.ts';
import type { ObjectFacts, Objects } from '../objects.ts';

/** Bytes of one read. The function hashes one piece while the next one arrives. */
const PIECE = 16 * 1024 * 1024;

/**
 * Compares an upload with its manifest. Returns the fault, undefined if there is no fault, or 'gone' if the upload was
 * replaced or removed meanwhile. S3 verified the digest of an upload in one request. This function reads an upload in
 * parts, with constant memory.
 *
 * @throws Unavailable when S3 does not respond
 */
export async function faultOf(
  objects: Objects,
  key: string,
  facts: ObjectFacts,
  { size, sha256 }: Upload,
): Promise<string | undefined> {
  if (facts.size !== size) return `The upload has ${facts.size} bytes, but the manifest announced ${size}`;
  if (sha256 === undefined || facts.sha256 === sha256) return undefined;
  const actual = facts.sha256 ?? (await digestOf(objects, key, facts));
  if (actual === sha256 || actual === 'gone') return actual === sha256 ? undefined : actual;
  return `The upload has the sha-256 digest :${actual}:, which differs from the manifest`;
}

async function digestOf(objects: Objects, key: string, { etag, size }: ObjectFacts): Promise<string> {
  const hash = createHash('sha256');
  const read = (first: number): Promise<Uint8Array | undefined> =>
    objects.read(key, etag, { first, last: Math.min(first + PIECE, size) - 1 });
  let next = size > 0 ? read(0) : undefined;
  for (let at = 0; next; at += PIECE) {
    const piece = await next;
    if (!piece) return 'gone';
    next = at + PIECE < size ? read(at + PIECE) : undefined;
    // The `await` of the next round handles a failure.
    next?.catch(() => undefined);
    hash.update(piece);
  }
  return hash.digest('base64');
}

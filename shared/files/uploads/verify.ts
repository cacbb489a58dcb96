import { createHash } from 'node:crypto';
import type { Upload } from '../../resource/action.ts';
import type { ObjectFacts, Objects } from '../objects.ts';

/** Bytes read at a time: one piece is digested while the next one comes. */
const PIECE = 16 * 1024 * 1024;

/**
 * What is wrong with an object, compared with what was announced; undefined when nothing is, 'gone' when it was replaced
 * or removed meanwhile. S3 has compared the digest of an object that was sent whole; another one is read here, in memory
 * that does not grow with it.
 *
 * @throws Unavailable when S3 does not answer
 */
export async function faultOf(
  objects: Objects,
  key: string,
  facts: ObjectFacts,
  { size, sha256 }: Upload,
): Promise<string | undefined> {
  if (facts.size !== size) return `${facts.size} bytes came of ${size}`;
  if (sha256 === undefined || facts.sha256 === sha256) return undefined;
  const actual = facts.sha256 ?? (await digestOf(objects, key, facts));
  if (actual === sha256 || actual === 'gone') return actual === sha256 ? undefined : actual;
  return `sha-256 of the content that arrived is :${actual}:`;
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
    // Its failure is met when it is waited for.
    next?.catch(() => undefined);
    hash.update(piece);
  }
  return hash.digest('base64');
}

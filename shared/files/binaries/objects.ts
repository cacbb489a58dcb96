import { createHash, randomUUID } from 'node:crypto';
import { CONCURRENCY, mapConcurrently } from '../../concurrency/map-concurrently.ts';
import type { ByteRange } from '../../http/conditional/range.ts';
import { Unavailable } from '../../http/problem.ts';
import type { BinaryOwner } from '../../resource/actions/capabilities.ts';
import type { StoredBinary } from '../../resource/item.ts';
import type { SentBytes } from '../../resource/sent.ts';
import { Objects } from '../objects.ts';
import { keyOf } from './key.ts';

/** The whole bucket: the keys in items are complete. */
const objects = new Objects('');

/**
 * Stores bytes under a new key, which no other write ever has.
 *
 * @throws Unavailable if S3 does not respond
 */
export async function store(
  owner: BinaryOwner,
  { bytes, mediaType }: SentBytes,
  now: number,
): Promise<StoredBinary> {
  const key = keyOf(owner, randomUUID());
  const sha256 = createHash('sha256').update(bytes).digest('base64');
  const etag = await objects.put(key, { bytes, mediaType, sha256 }, undefined);
  if (etag === 'lost') throw new Unavailable(new Error(`S3 refused the new object ${key}`));
  return { key, contentType: mediaType, size: bytes.length, sha256, storedAt: now };
}

/** The bytes of an object, or one range; undefined if it does not exist. @throws Unavailable if S3 does not respond */
export const read = (key: string, range?: ByteRange): Promise<Uint8Array | undefined> =>
  objects.read(key, undefined, range);

/** Removes objects. A missing object is not an error. @throws Unavailable if S3 does not respond */
export async function discard(keys: readonly string[]): Promise<void> {
  await mapConcurrently(CONCURRENCY.files, keys, (key) => objects.remove(key));
}

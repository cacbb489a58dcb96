import { Fault, notImplemented } from '../../fault.ts';
import { notModified } from '../conditions.ts';
import { Digests } from '../digests.ts';
import { findObject, type S3, type S3Operation, type S3Request, type StoredObject } from '../s3.ts';

const MAX_SIZE = 5 * 1024 ** 3;
const KEPT = /^(content-(type|disposition|language|encoding)|cache-control|expires|x-amz-meta-.*)$/;

/**
 * Stores an object: streams to a file, verifies it, then tests the conditions and swaps the row in one
 * transaction, where every race is decided.
 * Source: S3 API Reference "PutObject".
 * @throws BadDigest (400), IncompleteBody (400), PreconditionFailed (412), NoSuchKey (404, If-Match only)
 */
export const putObject: S3Operation = async (s3, request) => {
  const { headers, body } = request;
  const declared = declaredLength(request);
  const digests = new Digests();
  const { file, size } = await s3.files.receive(digests.of(body));
  try {
    if (declared !== size) throw new Fault('IncompleteBody', 'The body is not as long as Content-Length');
    const { etag, checksums } = digests.verify(headers);
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT.test(name)));
    const shown = { 'content-type': 'application/octet-stream', ...kept, ...checksums };
    const replaced = swap(s3, request, { file, size, etag, modified: Date.now(), headers: shown });
    if (replaced) s3.files.discard(replaced.file);
    return { status: 200, headers: { etag, ...checksums, 'content-length': '0' } };
  } catch (error) {
    s3.files.discard(file);
    throw error;
  }
};

function declaredLength({ key, headers }: S3Request): number {
  if (Buffer.byteLength(key) > 1024) throw new Fault('KeyTooLongError', 'Your key is too long');
  if (headers['x-amz-copy-source']) throw notImplemented('S3 CopyObject');
  if (headers['x-amz-content-sha256']?.startsWith('STREAMING-')) throw notImplemented('S3 aws-chunked body');
  if ((headers['if-none-match'] ?? '*').trim() !== '*') throw notImplemented('S3 If-None-Match with a tag');
  const length = headers['content-length'];
  if (length === undefined) throw new Fault('MissingContentLength', 'You must provide Content-Length.', 411);
  if (Number(length) <= MAX_SIZE) return Number(length);
  throw new Fault('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
}

/** Puts the object in its place if the conditions hold; answers the one that was there. */
function swap(s3: S3, request: S3Request, object: StoredObject): StoredObject | undefined {
  return s3.storage.transaction(() => {
    const old = findObject(s3, request);
    if (!old && request.headers['if-match'] !== undefined) {
      throw new Fault('NoSuchKey', 'The specified key does not exist.', 404);
    }
    notModified(request, old);
    const replace = 'INSERT OR REPLACE INTO object (bucket, key, doc) VALUES (?, ?, ?)';
    s3.storage.run(replace, request.bucket, Buffer.from(request.key), JSON.stringify(object));
    return old;
  });
}

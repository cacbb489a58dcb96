import { Fault, notImplemented } from '../../fault.ts';
import { Digests } from '../digests.ts';
import type { S3Operation, S3Request } from '../s3.ts';
import { requireWritable, storedHeaders, versionHeader, writeObject } from '../write-object.ts';

const MAXIMUM_SIZE = 5 * 1024 ** 3;

/**
 * Stores an object: streams it to a file, verifies it, then makes it the current object.
 * @throws BadDigest (400), IncompleteBody (400), PreconditionFailed (412), NoSuchKey (404, If-Match only)
 *
 * Source: S3 API Reference "PutObject".
 */
export const putObject: S3Operation = async (s3, request) => {
  const { headers, body } = request;
  requireWritable(request);
  const declared = declaredLength(request);
  const digests = new Digests();
  const segment = await s3.files.receive(digests.of(body));
  const { file, size } = segment;
  try {
    if (declared !== size) throw new Fault('IncompleteBody', 'The body is not as long as Content-Length');
    const { etag, checksums } = digests.verify(headers);
    const stored = { ...storedHeaders(headers), ...checksums };
    const object = { segments: [segment], size, etag, modified: s3.storage.now(), headers: stored };
    const { replaced, version } = writeObject(s3, request, { object, event: 'ObjectCreated:Put' });
    for (const old of replaced?.segments ?? []) s3.files.discard(old.file);
    return { status: 200, headers: { etag, ...checksums, ...versionHeader(version), 'content-length': '0' } };
  } catch (error) {
    s3.files.discard(file);
    throw error;
  }
};

/**
 * Returns the length of the body, which must not be encoded.
 * @throws MissingContentLength (411), EntityTooLarge (400), NotImplemented (501)
 */
export function declaredLength({ headers }: S3Request): number {
  if (headers['x-amz-content-sha256']?.startsWith('STREAMING-')) throw notImplemented('S3 aws-chunked body');
  const length = headers['content-length'];
  if (length === undefined) throw new Fault('MissingContentLength', 'You must provide Content-Length.', 411);
  if (Number(length) <= MAXIMUM_SIZE) return Number(length);
  throw new Fault('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
}

import { Fault } from '../../fault.ts';
import { notModified } from '../preconditions.ts';
import { rangeOf } from '../range.ts';
import { findObject, requireBucket, type S3, type S3Request, type S3Response } from '../s3.ts';

const OVERRIDES = [
  ...['content-type', 'content-language', 'content-disposition', 'content-encoding'],
  ...['cache-control', 'expires'],
];

/**
 * Answers an object or a range of it; HEAD the same without the body.
 *
 * Source: S3 API Reference "GetObject" and "HeadObject".
 * @throws NoSuchKey (404), PreconditionFailed (412), InvalidRange (416)
 */
export function getObject(s3: S3, request: S3Request): S3Response {
  const { bucket, key, headers: asked, query } = request;
  requireBucket(s3, bucket);
  const object = findObject(s3, bucket, key);
  if (!object) throw new Fault('NoSuchKey', 'The specified key does not exist.', 404, { Key: key });
  const headers: Record<string, string> = {
    'accept-ranges': 'bytes',
    etag: object.etag,
    'last-modified': new Date(object.modified).toUTCString(),
  };
  if (notModified(asked, object)) return { status: 304, headers };
  const range = rangeOf(asked.range, object.size);
  for (const [name, value] of Object.entries(object.headers)) {
    // The checksum of the whole object on a part of it would fail the client's own check.
    const checksum = name.startsWith('x-amz-checksum-');
    if (!checksum || (!range && asked['x-amz-checksum-mode']?.toUpperCase() === 'ENABLED'))
      headers[name] = value;
  }
  for (const name of OVERRIDES) {
    const value = query.get(`response-${name}`);
    if (value !== null) headers[name] = value;
  }
  const { start, end } = range ?? { start: 0, end: object.size - 1 };
  headers['content-length'] = String(end - start + 1);
  if (range) headers['content-range'] = `bytes ${start}-${end}/${object.size}`;
  const status = range ? 206 : 200;
  if (request.method === 'HEAD') return { status, headers };
  return { status, headers, body: s3.files.read(object.segments, start, end) };
}

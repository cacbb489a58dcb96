import { Fault, notImplemented } from '../fault.ts';
import { compareForRead, preconditionFailed } from './conditions.ts';
import { findObject, requireBucket, type S3, type S3Request, type StoredObject, type Target } from './s3.ts';

/**
 * Returns the source object of a copy, if it meets the conditions of the request.
 * @throws NoSuchBucket, NoSuchKey (404), PreconditionFailed (412), InvalidArgument (400)
 *
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html, x-amz-copy-source and
 * x-amz-copy-source-if-match.
 */
export function copySource(s3: S3, { headers }: S3Request): Target & { readonly object: StoredObject } {
  const target = targetOf(headers['x-amz-copy-source'] as string);
  requireBucket(s3, target);
  const object = findObject(s3, target);
  if (!object) throw new Fault('NoSuchKey', 'The specified key does not exist.', 404);
  if (compareForRead(headers, object, 'x-amz-copy-source-') === 'read') return { ...target, object };
  throw preconditionFailed();
}

/** `bucket/key`, percent-encoded, with or without a leading slash. */
function targetOf(source: string): Target {
  const [path = '', version] = source.split('?');
  if (version !== undefined) throw notImplemented('S3 copy of a version');
  const [, bucket = '', key = ''] = /^\/?([^/]+)\/(.+)$/s.exec(decoded(path)) ?? [];
  if (key === '') throw new Fault('InvalidArgument', 'Copy Source must mention the source bucket and key');
  return { bucket, key };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new Fault('InvalidArgument', 'Copy Source is not encoded as in a URL');
  }
}

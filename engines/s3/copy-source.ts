import { Fault } from '../fault.ts';
import { compareForRead, preconditionFailed } from './conditions.ts';
import { requireBucket, type S3, type S3Request, type StoredObject, type Target } from './s3.ts';
import { requireObject } from './versions.ts';

/**
 * Returns the source object of a copy, if it meets the conditions of the request.
 * `isCurrent`: the request names no version.
 * @throws NoSuchBucket, NoSuchKey, NoSuchVersion (404), PreconditionFailed (412), InvalidArgument (400)
 *
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html, x-amz-copy-source and
 * x-amz-copy-source-if-match.
 */
export function copySource(
  s3: S3,
  { headers }: S3Request,
): Target & { readonly object: StoredObject; readonly isCurrent: boolean } {
  const { version, ...target } = targetOf(headers['x-amz-copy-source'] as string);
  requireBucket(s3, target);
  const object = requireObject(s3, target, version);
  const isCurrent = version === null;
  if (compareForRead(headers, object, 'x-amz-copy-source-') === 'read')
    return { ...target, object, isCurrent };
  throw preconditionFailed();
}

/** `bucket/key`, percent-encoded, with or without a leading slash, and perhaps `?versionId=`. */
function targetOf(source: string): Target & { readonly version: string | null } {
  const [path = '', query] = source.split('?');
  const version = new URLSearchParams(query).get('versionId');
  const [, bucket = '', key = ''] = /^\/?([^/]+)\/(.+)$/s.exec(decoded(path)) ?? [];
  if (key === '') throw new Fault('InvalidArgument', 'Copy Source must mention the source bucket and key');
  return { bucket, key, version };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new Fault('InvalidArgument', 'Copy Source is not encoded as in a URL');
  }
}

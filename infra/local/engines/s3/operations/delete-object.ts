import { hasTag } from '../preconditions.ts';
import {
  findObject,
  preconditionFailed,
  requireBucket,
  type S3,
  type S3Request,
  type S3Response,
} from '../s3.ts';

/**
 * Deletes an object; one that does not exist is no error.
 *
 * Source: S3 API Reference "DeleteObject".
 * @throws PreconditionFailed (412) when If-Match names another ETag
 */
export function deleteObject(s3: S3, { bucket, key, headers }: S3Request): S3Response {
  requireBucket(s3, bucket);
  const match = headers['if-match'];
  const removed = s3.storage.transaction(() => {
    const object = findObject(s3, bucket, key);
    if (object && match !== undefined && !hasTag(match, object.etag)) throw preconditionFailed('If-Match');
    if (object) s3.storage.run('DELETE FROM object WHERE id = ?', object.id);
    return object;
  });
  if (removed) s3.files.discard(removed.segments);
  return { status: 204, headers: {} };
}

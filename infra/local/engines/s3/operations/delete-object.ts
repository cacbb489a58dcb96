import type { EngineResponse } from '../../engines.ts';
import { notModified } from '../conditions.ts';
import { findObject, requireBucket, type S3, type S3Request } from '../s3.ts';

/**
 * Deletes an object; one that does not exist is no error.
 *
 * Source: S3 API Reference "DeleteObject".
 * @throws PreconditionFailed (412) when If-Match names another ETag
 */
export function deleteObject(s3: S3, request: S3Request): EngineResponse {
  requireBucket(s3, request);
  const object = findObject(s3, request);
  if (object) {
    notModified(request, object);
    s3.storage.run('DELETE FROM object WHERE id = ?', object.id);
    s3.files.discard(object.file);
  }
  return { status: 204, headers: {} };
}

import { notModified } from '../conditions.ts';
import { notify } from '../notify.ts';
import { findObject, type S3Operation } from '../s3.ts';

/**
 * Deletes an object; one that does not exist is no error.
 * Source: S3 API Reference "DeleteObject".
 * @throws PreconditionFailed (412) when If-Match names another ETag
 */
export const deleteObject: S3Operation = (s3, request) => {
  const removed = s3.storage.transaction(() => {
    const object = findObject(s3, request);
    if (!object) return undefined;
    notModified(request, object);
    const { bucket, key } = request;
    s3.storage.run('DELETE FROM object WHERE bucket = ? AND key = ?', bucket, Buffer.from(key));
    notify(s3, request, 'ObjectRemoved:Delete');
    return object;
  });
  for (const { file } of removed?.segments ?? []) s3.files.discard(file);
  return { status: 204, headers: {} };
};

import { checkMatch } from '../conditions.ts';
import { notify } from '../notifications/notify.ts';
import { findObject, type S3Operation } from '../s3.ts';

/**
 * Deletes an object. A missing object is an error only if the request has If-Match.
 * @throws PreconditionFailed (412) if If-Match names another ETag, NoSuchKey (404) if If-Match names an ETag of a
 * missing object
 *
 * Source: S3 API Reference "DeleteObject"; S3 User Guide "How to perform conditional deletes".
 */
export const deleteObject: S3Operation = (s3, request) => {
  const removed = s3.storage.transaction(() => {
    const object = findObject(s3, request);
    checkMatch(request.headers, object);
    if (!object) return undefined;
    const { bucket, key } = request;
    s3.storage.run('DELETE FROM object WHERE bucket = ? AND key = ?', bucket, Buffer.from(key));
    notify(s3, request, 'ObjectRemoved:Delete');
    return object;
  });
  for (const { file } of removed?.segments ?? []) s3.files.discard(file);
  return { status: 204, headers: {} };
};

/**
 * Deletes a version of an object. The only version is the one with the id `null`; the deletion of
 * another one succeeds and deletes nothing. Source: S3 API Reference "DeleteObject", `versionId`.
 */
export const deleteVersion: S3Operation = (s3, request) =>
  request.parameters.get('versionId') === 'null' ? deleteObject(s3, request) : { status: 204, headers: {} };

import { checkMatch } from '../conditions.ts';
import { notify } from '../notifications/notify.ts';
import { findObject, type S3, type S3Operation, type S3Request, type StoredObject } from '../s3.ts';
import { keep, keepsVersions, newVersion, removeVersion } from '../versions.ts';

/**
 * Deletes an object. A bucket that keeps versions keeps it, and gets a delete marker. A missing object is an error only if
 * the request has If-Match.
 * @throws PreconditionFailed (412) if If-Match names another ETag, NoSuchKey (404) if If-Match names an ETag of a missing
 * object
 *
 * Source: S3 API Reference "DeleteObject"; S3 User Guide "How to perform conditional deletes".
 */
export const deleteObject: S3Operation = (s3, request) => {
  const version = keepsVersions(s3, request) ? newVersion() : undefined;
  const removed = s3.storage.transaction(() => {
    const object = findObject(s3, request);
    checkMatch(request.headers, object);
    if (version !== undefined) return mark(s3, request, object, version);
    if (!object) return undefined;
    const { bucket, key } = request;
    s3.storage.run('DELETE FROM object WHERE bucket = ? AND key = ?', bucket, Buffer.from(key));
    notify(s3, request, 'ObjectRemoved:Delete');
    return object;
  });
  for (const { file } of removed?.segments ?? []) s3.files.discard(file);
  return { status: 204, headers: version === undefined ? {} : markerHeaders(version) };
};

/** Keeps the current object, if there is one, and adds a delete marker with this version. */
function mark(s3: S3, request: S3Request, object: StoredObject | undefined, version: string): undefined {
  const { bucket, key } = request;
  if (object) keep(s3, request, object);
  s3.storage.run('DELETE FROM object WHERE bucket = ? AND key = ?', bucket, Buffer.from(key));
  const modified = s3.storage.now();
  keep(s3, request, { segments: [], size: 0, etag: '', modified, headers: {}, version, isMarker: true });
  notify(s3, request, 'ObjectRemoved:DeleteMarkerCreated');
}

/** The header fields of a response about a delete marker. */
export const markerHeaders = (version: string): Record<string, string> => ({
  'x-amz-delete-marker': 'true',
  'x-amz-version-id': version,
});

/**
 * Deletes a version of an object for ever. An unknown id changes nothing.
 * Source: S3 API Reference "DeleteObject", `versionId`.
 */
export const deleteVersion: S3Operation = (s3, request) => {
  const removed = s3.storage.transaction(() => {
    const version = removeVersion(s3, request, request.parameters.get('versionId') ?? '');
    if (version && !version.isMarker) notify(s3, request, 'ObjectRemoved:Delete');
    return version;
  });
  for (const { file } of removed?.segments ?? []) s3.files.discard(file);
  return { status: 204, headers: {} };
};

import { Fault } from '../fault.ts';
import { checkWrite, requireWriteConditions } from './conditions.ts';
import { notify } from './notifications/notify.ts';
import { findObject, type S3, type S3Request, type StoredObject } from './s3.ts';
import { keep, keepsVersions, newVersion } from './versions.ts';

/** The header fields that the engine stores with an object. */
const STORED = /^(content-(type|disposition|language|encoding)|cache-control|expires|x-amz-meta-.*)$/;

/** Returns those header fields of the request that the engine stores and serves with the object. */
export function storedHeaders(headers: S3Request['headers']): Record<string, string> {
  const stored = Object.fromEntries(Object.entries(headers).filter(([name]) => STORED.test(name)));
  return { 'content-type': 'application/octet-stream', ...stored };
}

/**
 * Refuses features that S3 does not have for writes either. @throws KeyTooLongError (400), NotImplemented (501)
 */
export function requireWritable({ key, headers }: S3Request): void {
  if (Buffer.byteLength(key) > 1024) throw new Fault('KeyTooLongError', 'Your key is too long');
  requireWriteConditions(headers);
}

/** The header field with the version of an object. */
export const versionHeader = (version: string | undefined): Record<string, string> =>
  version === undefined ? {} : { 'x-amz-version-id': version };

/**
 * Makes an object the current one if the conditions hold. One transaction contains it, its notifications and the work
 * of `also`, and decides every race. A bucket that keeps versions keeps the previous object.
 * @returns the version of the object, and the previous object if nothing names it any more
 * @throws PreconditionFailed (412), NoSuchKey (404, If-Match only)
 */
export function writeObject(
  s3: S3,
  request: S3Request,
  { object, event, also = () => {} }: { object: StoredObject; event: string; also?: () => void },
): { readonly version?: string | undefined; readonly replaced?: StoredObject | undefined } {
  return s3.storage.transaction(() => {
    const old = findObject(s3, request);
    checkWrite(request.headers, old);
    const replace = 'INSERT OR REPLACE INTO object (bucket, key, doc) VALUES (?, ?, ?)';
    const version = keepsVersions(s3, request) ? newVersion() : undefined;
    const stored = { ...object, version };
    s3.storage.run(replace, request.bucket, Buffer.from(request.key), JSON.stringify(stored));
    notify(s3, request, event, object);
    also();
    if (version === undefined) return { replaced: old };
    if (old) keep(s3, request, old);
    return { version };
  });
}

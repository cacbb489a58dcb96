import { Fault } from '../fault.ts';
import { checkWrite, requireWriteConditions } from './conditions.ts';
import { notify } from './notifications/notify.ts';
import { findObject, type S3, type S3Request, type StoredObject } from './s3.ts';

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

/**
 * Makes an object the current one if the conditions hold. One transaction contains it, its notifications and the work
 * of `also`, and decides every race. @returns the previous object
 * @throws PreconditionFailed (412), NoSuchKey (404, If-Match only)
 */
export function writeObject(
  s3: S3,
  request: S3Request,
  { object, event, also = () => {} }: { object: StoredObject; event: string; also?: () => void },
): StoredObject | undefined {
  return s3.storage.transaction(() => {
    const old = findObject(s3, request);
    checkWrite(request.headers, old);
    const replace = 'INSERT OR REPLACE INTO object (bucket, key, doc) VALUES (?, ?, ?)';
    s3.storage.run(replace, request.bucket, Buffer.from(request.key), JSON.stringify(object));
    notify(s3, request, event, object);
    also();
    return old;
  });
}

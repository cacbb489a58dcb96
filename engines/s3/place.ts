import { Fault, notImplemented } from '../fault.ts';
import { notModified } from './conditions.ts';
import { notify } from './notify.ts';
import { findObject, type S3, type S3Request, type StoredObject } from './s3.ts';

/** The header fields that are kept with an object. */
const KEPT = /^(content-(type|disposition|language|encoding)|cache-control|expires|x-amz-meta-.*)$/;

/** What an object is served with, of the header fields it came with. */
export function keptHeaders(headers: S3Request['headers']): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT.test(name)));
  return { 'content-type': 'application/octet-stream', ...kept };
}

/** Refuses what S3 does not know of a write either. @throws KeyTooLongError (400), NotImplemented (501) */
export function requireWritable({ key, headers }: S3Request): void {
  if (Buffer.byteLength(key) > 1024) throw new Fault('KeyTooLongError', 'Your key is too long');
  if ((headers['if-none-match'] ?? '*').trim() !== '*') throw notImplemented('S3 If-None-Match with a tag');
}

/**
 * Puts an object in its place if the conditions hold, with its notifications and what else has to happen (`also`), in
 * one transaction, where every race is decided.
 * @returns the object that was there
 * @throws PreconditionFailed (412), NoSuchKey (404, If-Match only)
 */
export function place(
  s3: S3,
  request: S3Request,
  { object, event, also = () => {} }: { object: StoredObject; event: string; also?: () => void },
): StoredObject | undefined {
  return s3.storage.transaction(() => {
    const old = findObject(s3, request);
    if (!old && request.headers['if-match'] !== undefined) {
      throw new Fault('NoSuchKey', 'The specified key does not exist.', 404);
    }
    notModified(request, old);
    const replace = 'INSERT OR REPLACE INTO object (bucket, key, doc) VALUES (?, ?, ?)';
    s3.storage.run(replace, request.bucket, Buffer.from(request.key), JSON.stringify(object));
    notify(s3, request, event, object);
    also();
    return old;
  });
}

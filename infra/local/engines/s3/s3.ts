import type { Body } from '../body.ts';
import type { EngineResponse } from '../engines.ts';
import { Fault } from '../fault.ts';
import type { Storage } from '../storage.ts';
import type { ObjectFiles } from './files.ts';

/** What every S3 operation works on. `clock` in milliseconds since 1970. */
export interface S3 {
  storage: Storage;
  files: ObjectFiles;
  clock: () => number;
}

/** A request after routing and authorization; `key` is decoded. */
export interface S3Request {
  method: string;
  bucket: string;
  key: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: Body;
}

/** One operation; the headers it answers get a request id on the way out. */
export type S3Operation = (s3: S3, request: S3Request) => EngineResponse | Promise<EngineResponse>;

/** An object as it is kept. `etag` is quoted, `modified` in milliseconds, `headers` are sent back as they are. */
export interface StoredObject {
  id: number;
  file: string;
  size: number;
  etag: string;
  modified: number;
  headers: Record<string, string>;
}

/** The object under a key, if there is one. */
export function findObject({ storage }: S3, { bucket, key }: S3Request): StoredObject | undefined {
  const row = storage.get<Omit<StoredObject, 'headers'> & { headers: string }>(
    'SELECT id, file, size, etag, modified, headers FROM object WHERE bucket = ? AND key = ?',
    bucket,
    Buffer.from(key),
  );
  return row && { ...row, headers: JSON.parse(row.headers) };
}

/** @throws NoSuchBucket (404) */
export function requireBucket({ storage }: S3, { bucket }: S3Request): void {
  if (!storage.get('SELECT name FROM bucket WHERE name = ?', bucket)) {
    throw new Fault('NoSuchBucket', 'The specified bucket does not exist', 404);
  }
}

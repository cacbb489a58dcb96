import type { Readable } from 'node:stream';
import type { Body } from '../body.ts';
import { Fault } from '../fault.ts';
import type { Storage } from '../storage.ts';
import type { ObjectFiles, Segment } from './files.ts';

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

/** What an operation answers; headers get a request id on the way out. */
export interface S3Response {
  status: number;
  headers: Record<string, string>;
  body?: Uint8Array | Readable;
}

/** An object as it is kept. `etag` is quoted, `modified` in milliseconds, `headers` are sent back as they are. */
export interface StoredObject {
  id: number;
  size: number;
  etag: string;
  modified: number;
  headers: Record<string, string>;
  segments: Segment[];
}

/** The object under a key, if there is one. */
export function findObject({ storage }: S3, bucket: string, key: string): StoredObject | undefined {
  const row = storage.get<Omit<StoredObject, 'headers' | 'segments'> & { headers: string; segments: string }>(
    'SELECT id, size, etag, modified, headers, segments FROM object WHERE bucket = ? AND key = ?',
    bucket,
    Buffer.from(key),
  );
  return row && { ...row, headers: JSON.parse(row.headers), segments: JSON.parse(row.segments) };
}

/** @throws NoSuchBucket (404) */
export function requireBucket({ storage }: S3, bucket: string): void {
  if (!storage.get('SELECT name FROM bucket WHERE name = ?', bucket)) {
    throw new Fault('NoSuchBucket', 'The specified bucket does not exist', 404);
  }
}

/** The answer where a precondition does not hold. */
export function preconditionFailed(condition: string): Fault {
  return new Fault(
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    412,
    {
      Condition: condition,
    },
  );
}

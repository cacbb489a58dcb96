import type { EngineRequest, EngineResponse } from '../engines.ts';
import { Fault } from '../fault.ts';
import type { Arrivals } from '../sqs/arrivals.ts';
import type { Storage } from '../storage.ts';
import type { ObjectFiles, Segment } from './files.ts';

/** What every S3 operation works on; `arrivals` wakes who waits for notifications. */
export interface S3 {
  storage: Storage;
  files: ObjectFiles;
  arrivals: Arrivals;
}

/** Where a request goes; `key` is decoded, and empty for the bucket itself. */
export interface Target {
  bucket: string;
  key: string;
}

/** A request after routing and authorization. */
export type S3Request = Omit<EngineRequest, 'query'> & Target & { parameters: URLSearchParams };

/** One operation; the headers it answers get a request id on the way out. */
export type S3Operation = (s3: S3, request: S3Request) => EngineResponse | Promise<EngineResponse>;

/**
 * An object as it is kept: one file, or the parts of an upload. `etag` is quoted, `modified` in milliseconds since 1970,
 * `headers` are sent back as they are.
 */
export interface StoredObject {
  segments: readonly Segment[];
  size: number;
  etag: string;
  modified: number;
  headers: Record<string, string>;
}

/** The object under a key, if there is one. */
export function findObject({ storage }: S3, { bucket, key }: Target): StoredObject | undefined {
  const select = 'SELECT doc FROM object WHERE bucket = ? AND key = ?';
  const row = storage.get<{ doc: string }>(select, bucket, Buffer.from(key));
  return row && (JSON.parse(row.doc) as StoredObject);
}

/** The files of all objects, and of the parts of uploads that are not complete yet. */
export function knownFiles(storage: Storage): Set<string> {
  const files = new Set<string>();
  for (const { doc } of storage.each<{ doc: string }>('SELECT doc FROM object')) {
    for (const { file } of (JSON.parse(doc) as StoredObject).segments) files.add(file);
  }
  for (const { doc } of storage.each<{ doc: string }>('SELECT doc FROM part')) {
    files.add((JSON.parse(doc) as Segment).file);
  }
  return files;
}

/** @throws NoSuchBucket (404) */
export function requireBucket({ storage }: S3, { bucket }: Target): void {
  if (storage.get('SELECT name FROM bucket WHERE name = ?', bucket)) return;
  throw new Fault('NoSuchBucket', 'The specified bucket does not exist', 404);
}

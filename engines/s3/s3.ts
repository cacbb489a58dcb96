import { Fault } from '../fault.ts';
import type { Arrivals } from '../sqs/arrivals.ts';
import type { Storage } from '../storage.ts';
import type { EngineRequest, EngineResponse } from '../wire.ts';
import type { ObjectFiles, Segment } from './files.ts';

/** The context of every S3 operation. `arrivals` wakes the readers of queues. */
export interface S3 {
  storage: Storage;
  files: ObjectFiles;
  arrivals: Arrivals;
}

/** The target of a request. `key` is decoded, and empty for the bucket itself. */
export interface Target {
  bucket: string;
  key: string;
}

/** A request after routing and authorization. */
export type S3Request = Omit<EngineRequest, 'query'> & Target & { parameters: URLSearchParams };

/** One operation. The engine adds a request id to its response headers. */
export type S3Operation = (s3: S3, request: S3Request) => EngineResponse | Promise<EngineResponse>;

/**
 * A stored object: one file, or the parts of an upload. `etag` has quotes. `modified` is in milliseconds since 1970.
 * `headers` are sent back unchanged. `version`: its id, if the bucket keeps versions. `isMarker`: a removal.
 */
export interface StoredObject {
  segments: readonly Segment[];
  size: number;
  etag: string;
  modified: number;
  headers: Record<string, string>;
  version?: string;
  isMarker?: true;
}

/** The object in a row. */
export const objectIn = (doc: string): StoredObject => JSON.parse(doc);

/** Returns the object with a key, if it exists. */
export function findObject({ storage }: S3, { bucket, key }: Target): StoredObject | undefined {
  const select = 'SELECT doc FROM object WHERE bucket = ? AND key = ?';
  const row = storage.get<{ doc: string }>(select, bucket, Buffer.from(key));
  return row && objectIn(row.doc);
}

/** Returns the files of all objects in every version, and of the parts of incomplete uploads. */
export function knownFiles(storage: Storage): Set<string> {
  const files = new Set<string>();
  for (const { doc } of storage.each<{ doc: string }>(
    'SELECT doc FROM object UNION ALL SELECT doc FROM version',
  )) {
    const { segments }: StoredObject = JSON.parse(doc);
    for (const { file } of segments) files.add(file);
  }
  for (const { doc } of storage.each<{ doc: string }>('SELECT doc FROM part')) {
    const { file }: Segment = JSON.parse(doc);
    files.add(file);
  }
  return files;
}

/** @throws NoSuchBucket (404) */
export function requireBucket({ storage }: S3, { bucket }: Target): void {
  if (storage.get('SELECT name FROM bucket WHERE name = ?', bucket)) return;
  throw new Fault('NoSuchBucket', 'The specified bucket does not exist', 404);
}

import { Fault } from '../fault.ts';
import type { Storage } from '../storage.ts';
import type { Segment } from './files.ts';
import type { S3, S3Request, Target } from './s3.ts';

/** How long an upload may take before it is taken for given up: what the bucket's lifecycle rule says on AWS. */
const FORGOTTEN_MS = 86_400_000;

/** An upload in parts, under way. `initiated` in milliseconds since 1970; `headers` will be the object's. */
export interface Upload {
  id: string;
  initiated: number;
  headers: Record<string, string>;
  /** The digest that every part must carry. */
  algorithm?: 'CRC32' | 'SHA256';
}

/** A part as it is kept; `etag` is quoted, `checksums` are header fields. */
export interface Part extends Segment {
  number: number;
  etag: string;
  modified: number;
  checksums: Record<string, string>;
}

/**
 * The upload that a request names, if it is of its key.
 * @throws NoSuchUpload (404)
 */
export function requireUpload({ storage }: S3, { bucket, key, parameters }: S3Request): Upload {
  const id = parameters.get('uploadId') ?? '';
  const select = 'SELECT doc FROM upload WHERE id = ? AND bucket = ? AND key = ?';
  const row = storage.get<{ doc: string }>(select, id, bucket, Buffer.from(key));
  if (row) return JSON.parse(row.doc) as Upload;
  throw new Fault('NoSuchUpload', 'The specified upload does not exist: it was aborted or completed.', 404);
}

/** Begins an upload. */
export function insertUpload({ storage }: S3, { bucket, key }: Target, upload: Upload): void {
  const insert = 'INSERT INTO upload (id, bucket, key, doc) VALUES (?, ?, ?, ?)';
  storage.run(insert, upload.id, bucket, Buffer.from(key), JSON.stringify(upload));
}

/** The parts of an upload by ascending number, from after `marker` on. */
export function partsOf({ storage }: S3, id: string, marker = 0, limit = -1): Part[] {
  const select = 'SELECT doc FROM part WHERE upload = ? AND number > ? ORDER BY number LIMIT ?';
  return storage.all<{ doc: string }>(select, id, marker, limit).map(({ doc }) => JSON.parse(doc) as Part);
}

/** Keeps a part; answers the one of the same number that it replaces. */
export function replacePart({ storage }: S3, id: string, part: Part): Part | undefined {
  const select = 'SELECT doc FROM part WHERE upload = ? AND number = ?';
  const row = storage.get<{ doc: string }>(select, id, part.number);
  const replace = 'INSERT OR REPLACE INTO part (upload, number, doc) VALUES (?, ?, ?)';
  storage.run(replace, id, part.number, JSON.stringify(part));
  return row && (JSON.parse(row.doc) as Part);
}

/** Ends an upload, without its files. */
export function removeUpload(storage: Storage, id: string): void {
  storage.run('DELETE FROM part WHERE upload = ?', id);
  storage.run('DELETE FROM upload WHERE id = ?', id);
}

/** Aborts the uploads that were begun long ago, without their files. */
export function abortForgotten(storage: Storage, now: number): void {
  const select = "SELECT id FROM upload WHERE json_extract(doc, '$.initiated') < ?";
  for (const { id } of storage.all<{ id: string }>(select, now - FORGOTTEN_MS)) {
    storage.transaction(() => removeUpload(storage, id));
  }
}

import { Fault } from '../fault.ts';
import type { Storage } from '../storage.ts';
import type { Segment } from './files.ts';
import type { S3, S3Request, Target } from './s3.ts';

/** Milliseconds after which an upload counts as abandoned, as in the bucket's lifecycle rule on AWS. */
const ABANDONED_MS = 2 * 86_400_000;

/** A running multipart upload. `initiated` is in milliseconds since 1970. The object gets `headers`. */
export interface Upload {
  id: string;
  initiated: number;
  headers: Record<string, string>;
  /** The digest algorithm that every part must carry. */
  algorithm?: 'CRC32' | 'SHA256';
}

/** A stored part. `etag` has quotes. `checksums` are header fields. */
export interface Part extends Segment {
  number: number;
  etag: string;
  modified: number;
  checksums: Record<string, string>;
}

/**
 * Returns the upload that a request names, if its key matches.
 * @throws NoSuchUpload (404)
 */
export function requireUpload({ storage }: S3, { bucket, key, parameters }: S3Request): Upload {
  const id = parameters.get('uploadId') ?? '';
  const select = 'SELECT doc FROM upload WHERE id = ? AND bucket = ? AND key = ?';
  const row = storage.get<{ doc: string }>(select, id, bucket, Buffer.from(key));
  if (row) return JSON.parse(row.doc);
  throw new Fault('NoSuchUpload', 'The specified upload does not exist: it was aborted or completed.', 404);
}

/** Creates an upload. */
export function insertUpload({ storage }: S3, { bucket, key }: Target, upload: Upload): void {
  const insert = 'INSERT INTO upload (id, bucket, key, doc) VALUES (?, ?, ?, ?)';
  storage.run(insert, upload.id, bucket, Buffer.from(key), JSON.stringify(upload));
}

/** The parts of an upload by ascending number, from after `marker` on. */
export function partsOf({ storage }: Pick<S3, 'storage'>, id: string, marker = 0, limit = -1): Part[] {
  const select = 'SELECT doc FROM part WHERE upload = ? AND number > ? ORDER BY number LIMIT ?';
  return storage.all<{ doc: string }>(select, id, marker, limit).map(({ doc }) => JSON.parse(doc));
}

/** Stores a part. Returns the part with the same number that it replaces. */
export function replacePart({ storage }: S3, id: string, part: Part): Part | undefined {
  const select = 'SELECT doc FROM part WHERE upload = ? AND number = ?';
  const row = storage.get<{ doc: string }>(select, id, part.number);
  const replace = 'INSERT OR REPLACE INTO part (upload, number, doc) VALUES (?, ?, ?)';
  storage.run(replace, id, part.number, JSON.stringify(part));
  return row && JSON.parse(row.doc);
}

/** Removes an upload, but not its files. */
export function removeUpload(storage: Storage, id: string): void {
  storage.run('DELETE FROM part WHERE upload = ?', id);
  storage.run('DELETE FROM upload WHERE id = ?', id);
}

/** Removes an upload and its files. */
export function abortUpload({ storage, files }: Pick<S3, 'storage' | 'files'>, id: string): void {
  const parts = partsOf({ storage }, id);
  storage.transaction(() => removeUpload(storage, id));
  for (const { file } of parts) files.discard(file);
}

/** Aborts abandoned uploads. */
export function abortAbandoned(s3: Pick<S3, 'storage' | 'files'>, now: number): void {
  const select = "SELECT id FROM upload WHERE json_extract(doc, '$.initiated') < ?";
  for (const { id } of s3.storage.all<{ id: string }>(select, now - ABANDONED_MS)) abortUpload(s3, id);
}

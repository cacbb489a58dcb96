import { Fault } from '../fault.ts';
import { findObject, type S3, type StoredObject, type Target } from './s3.ts';

/** A version of an object that is not current, or a delete marker. */
interface Kept {
  readonly seq: number;
  readonly id: string;
  readonly object: StoredObject;
}

/** True if the bucket keeps the versions of its objects. */
export const keepsVersions = ({ storage }: S3, { bucket }: Pick<Target, 'bucket'>): boolean =>
  storage.get('SELECT bucket FROM versioning WHERE bucket = ?', bucket) !== undefined;

/** An id of a version, which is new. Source: S3 User Guide, "Version IDs". */
export const newVersion = (): string => crypto.randomUUID().replaceAll('-', '');

/** The id of an object that was stored before its bucket kept versions. */
const NULL = 'null';

export const versionOf = ({ version = NULL }: StoredObject): string => version;

/** Keeps an object that is no longer current, or a delete marker. */
export function keep({ storage }: S3, { bucket, key }: Target, object: StoredObject): void {
  const insert = 'INSERT INTO version (bucket, key, id, doc) VALUES (?, ?, ?, ?)';
  storage.run(insert, bucket, Buffer.from(key), versionOf(object), JSON.stringify(object));
}

/** The newest version that is not current. */
function newestKept({ storage }: S3, { bucket, key }: Target): Kept | undefined {
  const select = 'SELECT seq, id, doc FROM version WHERE bucket = ? AND key = ? ORDER BY seq DESC LIMIT 1';
  return keptIn(storage.get(select, bucket, Buffer.from(key)));
}

/**
 * Returns the current object, or the version with an id.
 * @throws NoSuchKey (404) with the delete marker in `details`, NoSuchVersion (404), MethodNotAllowed (405) for a delete
 * marker
 *
 * Source: S3 User Guide, "Working with delete markers"; S3 API Reference "GetObject".
 */
export function requireObject(s3: S3, target: Target, id: string | null): StoredObject {
  const current = findObject(s3, target);
  if (id === null) {
    if (current) return current;
    const marker = newestKept(s3, target)?.object;
    throw new Fault('NoSuchKey', 'The specified key does not exist.', 404, {
      marker: marker && versionOf(marker),
    });
  }
  if (current && versionOf(current) === id) return current;
  const kept = keptWith(s3, target, id)?.object;
  if (!kept) throw new Fault('NoSuchVersion', 'The specified version does not exist.', 404);
  if (kept.isMarker)
    throw new Fault('MethodNotAllowed', 'The specified method is not allowed against this resource.', 405, {
      marker: id,
    });
  return kept;
}

/** Removes the version with an id for ever. The newest other version becomes current. Returns the removed one. */
export function removeVersion(s3: S3, target: Target, id: string): StoredObject | undefined {
  const { storage } = s3;
  const place = [target.bucket, Buffer.from(target.key)] as const;
  const current = findObject(s3, target);
  const removed = current && versionOf(current) === id ? current : keptWith(s3, target, id)?.object;
  if (!removed) return undefined;
  if (removed === current) storage.run('DELETE FROM object WHERE bucket = ? AND key = ?', ...place);
  else storage.run('DELETE FROM version WHERE bucket = ? AND key = ? AND id = ?', ...place, id);
  const newest = newestKept(s3, target);
  if (findObject(s3, target) === undefined && newest && !newest.object.isMarker) {
    storage.run('DELETE FROM version WHERE seq = ?', newest.seq);
    const insert = 'INSERT INTO object (bucket, key, doc) VALUES (?, ?, ?)';
    storage.run(insert, ...place, JSON.stringify(newest.object));
  }
  return removed;
}

function keptWith({ storage }: S3, { bucket, key }: Target, id: string): Kept | undefined {
  const select = 'SELECT seq, id, doc FROM version WHERE bucket = ? AND key = ? AND id = ?';
  return keptIn(storage.get(select, bucket, Buffer.from(key), id));
}

const keptIn = (row: { seq: number; id: string; doc: string } | undefined): Kept | undefined =>
  row && { seq: row.seq, id: row.id, object: JSON.parse(row.doc) };

import { objectIn, type S3Operation } from '../s3.ts';
import { versionOf } from '../versions.ts';
import { keySpeller, xmlAnswer } from '../xml/write.ts';

/** A current object has the last place among its versions. */
const CURRENT = Number.MAX_SAFE_INTEGER;

interface Row {
  readonly key: Uint8Array;
  readonly doc: string;
  readonly seq: number;
}

/**
 * Lists the versions of objects in the order of their keys, the newest version of each first, at most 1000 a page. In a
 * bucket that keeps no versions, each object is its only version, with the id `null`.
 *
 * Source: S3 API Reference "ListObjectVersions"; S3 User Guide "How S3 Versioning works".
 */
export const listObjectVersions: S3Operation = ({ storage }, { bucket, parameters }) => {
  const prefix = Buffer.from(parameters.get('prefix') ?? '');
  const limit = Math.min(Number(parameters.get('max-keys') ?? 1000), 1000);
  const key = Buffer.from(parameters.get('key-marker') ?? '');
  const after = parameters.get('version-id-marker');
  const marker =
    after === null
      ? undefined
      : storage.get<{ seq: number }>(
          'SELECT seq FROM version WHERE bucket = ? AND key = ? AND id = ?',
          ...[bucket, key, after],
        );
  // The marker that is not kept is the current version.
  const below = after === null ? 0 : (marker?.seq ?? CURRENT);
  const rows = storage.all<Row>(
    `SELECT key, doc, seq FROM (
       SELECT bucket, key, doc, ${CURRENT} AS seq FROM object
       UNION ALL SELECT bucket, key, doc, seq FROM version)
     WHERE bucket = ? AND key >= ? AND substr(key, 1, ?) = ? AND (key > ? OR (key = ? AND seq < ?))
     ORDER BY key, seq DESC LIMIT ?`,
    ...[bucket, prefix, prefix.length, prefix, key, key, below, limit + 1],
  );
  const newest = storage.all<{ seq: number }>(
    `SELECT max(seq) AS seq FROM version WHERE bucket = ? AND substr(key, 1, ?) = ? AND NOT EXISTS
       (SELECT 1 FROM object WHERE object.bucket = version.bucket AND object.key = version.key) GROUP BY key`,
    ...[bucket, prefix.length, prefix],
  );
  const latest = new Set([CURRENT, ...newest.map(({ seq }) => seq)]);
  const page = rows.slice(0, limit).map((row) => ({ ...row, object: objectIn(row.doc) }));
  const spell = keySpeller(parameters);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const facts = ({ key: of, seq, object }: (typeof page)[number]) => ({
    Key: spell(of),
    VersionId: versionOf(object),
    IsLatest: latest.has(seq),
    LastModified: new Date(object.modified).toISOString(),
  });
  return xmlAnswer('ListVersionsResult', {
    Name: bucket,
    Prefix: spell(prefix),
    MaxKeys: limit,
    EncodingType: parameters.get('encoding-type') ?? undefined,
    IsTruncated: last !== undefined,
    NextKeyMarker: last && spell(last.key),
    NextVersionIdMarker: last && versionOf(last.object),
    Version: page
      .filter(({ object }) => !object.isMarker)
      .map((one) => ({ ...facts(one), ETag: one.object.etag, Size: one.object.size })),
    DeleteMarker: page.filter(({ object }) => object.isMarker).map(facts),
  });
};

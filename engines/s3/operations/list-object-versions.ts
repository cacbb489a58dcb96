import type { S3Operation, StoredObject } from '../s3.ts';
import { keySpeller, xmlAnswer } from '../xml.ts';

/**
 * Lists the versions of objects in the order of their keys, at most 1000 a page. Buckets of this engine have no
 * versioning, so each object is its only version, with the id `null`.
 *
 * Source: S3 API Reference "ListObjectVersions"; S3 User Guide "How S3 Versioning works".
 */
export const listObjectVersions: S3Operation = ({ storage }, { bucket, parameters }) => {
  const prefix = Buffer.from(parameters.get('prefix') ?? '');
  const after = Buffer.from(parameters.get('key-marker') ?? '');
  const limit = Math.min(Number(parameters.get('max-keys') ?? 1000), 1000);
  const rows = storage.all<{ key: Uint8Array; doc: string }>(
    `SELECT key, doc FROM object
     WHERE bucket = ? AND key > ? AND key >= ? AND substr(key, 1, ?) = ? ORDER BY key LIMIT ?`,
    ...[bucket, after, prefix, prefix.length, prefix, limit + 1],
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const spell = keySpeller(parameters);
  return xmlAnswer('ListVersionsResult', {
    Name: bucket,
    Prefix: spell(prefix),
    MaxKeys: limit,
    EncodingType: parameters.get('encoding-type') ?? undefined,
    IsTruncated: last !== undefined,
    NextKeyMarker: last && spell(last.key),
    NextVersionIdMarker: last && 'null',
    Version: page.map(({ key, doc }) => {
      const { modified, etag, size } = JSON.parse(doc) as StoredObject;
      return {
        Key: spell(key),
        VersionId: 'null',
        IsLatest: true,
        LastModified: new Date(modified).toISOString(),
        ETag: etag,
        Size: size,
      };
    }),
  });
};

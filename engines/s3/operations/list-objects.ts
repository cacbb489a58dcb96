import { notImplemented } from '../../fault.ts';
import type { S3Operation, StoredObject } from '../s3.ts';
import { keySpeller, xmlAnswer } from '../xml.ts';

/** Lists keys in UTF-8 byte order, at most 1000 a page. Source: S3 API Reference "ListObjectsV2". */
export const listObjects: S3Operation = ({ storage }, { bucket, parameters }) => {
  if (parameters.get('list-type') !== '2') throw notImplemented('S3 ListObjects (version 1)');
  const prefix = Buffer.from(parameters.get('prefix') ?? '');
  const after = Buffer.from(parameters.get('continuation-token') ?? '', 'base64url');
  const limit = Math.min(Number(parameters.get('max-keys') ?? 1000), 1000);
  const rows = storage.all<{ key: Uint8Array; doc: string }>(
    `SELECT key, doc FROM object
     WHERE bucket = ? AND key > ? AND key >= ? AND substr(key, 1, ?) = ? ORDER BY key LIMIT ?`,
    ...[bucket, after, prefix, prefix.length, prefix, limit + 1],
  );
  const page = rows.slice(0, limit);
  const more = rows.length > limit ? page.at(-1) : undefined;
  const spell = keySpeller(parameters);
  return xmlAnswer('ListBucketResult', {
    Name: bucket,
    Prefix: spell(prefix),
    MaxKeys: limit,
    EncodingType: parameters.get('encoding-type') ?? undefined,
    KeyCount: page.length,
    IsTruncated: more !== undefined,
    NextContinuationToken: more && Buffer.from(more.key).toString('base64url'),
    Contents: page.map(({ key, doc }) => {
      const { modified, etag, size } = JSON.parse(doc) as StoredObject;
      return { Key: spell(key), LastModified: new Date(modified).toISOString(), ETag: etag, Size: size };
    }),
  });
};

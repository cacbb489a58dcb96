import { notImplemented } from '../../fault.ts';
import { objectIn, type S3Operation } from '../s3.ts';
import { keySpeller, xmlAnswer } from '../xml/write.ts';

/** Lists keys in UTF-8 byte order, at most 1000 a page. Source: S3 API Reference "ListObjectsV2". */
export const listObjects: S3Operation = ({ storage }, { bucket, parameters }) => {
  if (parameters.get('list-type') !== '2') throw notImplemented('S3 ListObjects (version 1)');
  const token = parameters.get('continuation-token');
  const after =
    token === null ? Buffer.from(parameters.get('start-after') ?? '') : Buffer.from(token, 'base64url');
  const prefix = Buffer.from(parameters.get('prefix') ?? '');
  const limit = Math.min(Number(parameters.get('max-keys') ?? 1000), 1000);
  const rows = storage.all<{ key: Uint8Array; doc: string }>(
    `SELECT key, doc FROM object
     WHERE bucket = ? AND key > ? AND key >= ? AND substr(key, 1, ?) = ? ORDER BY key LIMIT ?`,
    ...[bucket, after, prefix, prefix.length, prefix, limit + 1],
  );
  const objects = rows.slice(0, limit).map(({ key, doc }) => ({ key, object: objectIn(doc) }));
  const last = rows.length > limit ? objects.at(-1)?.key : undefined;
  const spell = keySpeller(parameters);
  return xmlAnswer('ListBucketResult', {
    Name: bucket,
    Prefix: spell(prefix),
    StartAfter: parameters.has('start-after')
      ? spell(Buffer.from(parameters.get('start-after') ?? ''))
      : undefined,
    MaxKeys: limit,
    EncodingType: parameters.get('encoding-type') ?? undefined,
    KeyCount: objects.length,
    IsTruncated: last !== undefined,
    NextContinuationToken: last && Buffer.from(last).toString('base64url'),
    Contents: objects.map(({ key, object: { modified, etag, size } }) => ({
      Key: spell(key),
      LastModified: new Date(modified).toISOString(),
      ETag: etag,
      Size: size,
    })),
  });
};

import { notImplemented } from '../../fault.ts';
import { requireBucket, type S3, type S3Request, type S3Response } from '../s3.ts';
import { xmlDocument } from '../xml.ts';

/**
 * Lists keys in UTF-8 byte order, at most 1000 a page.
 *
 * Source: S3 API Reference "ListObjectsV2".
 */
export function listObjects(s3: S3, { bucket, query }: S3Request): S3Response {
  requireBucket(s3, bucket);
  if (query.get('list-type') !== '2') throw notImplemented('S3 ListObjects (version 1)');
  if (query.get('delimiter')) throw notImplemented('S3 ListObjectsV2 with delimiter');
  const prefix = query.get('prefix') ?? '';
  const limit = Math.min(Number(query.get('max-keys') ?? 1000), 1000);
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after') ?? '';
  const after = token ? Buffer.from(token, 'base64url') : Buffer.from(startAfter);
  const lead = Buffer.from(prefix);
  const rows = s3.storage.all<{ key: Uint8Array; size: number; etag: string; modified: number }>(
    `SELECT key, size, etag, modified FROM object
     WHERE bucket = ? AND key > ? AND key >= ? AND substr(key, 1, ?) = ? ORDER BY key LIMIT ?`,
    bucket,
    after,
    lead,
    lead.length,
    lead,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const truncated = rows.length > limit && last !== undefined;
  const encoding = query.get('encoding-type') ?? undefined;
  const spell = (text: string): string =>
    encoding === 'url' ? encodeURIComponent(text).replaceAll('%2F', '/') : text;
  const document = {
    Name: bucket,
    Prefix: spell(prefix),
    MaxKeys: limit,
    EncodingType: encoding,
    KeyCount: page.length,
    IsTruncated: truncated,
    StartAfter: startAfter ? spell(startAfter) : undefined,
    ContinuationToken: token ?? undefined,
    NextContinuationToken: truncated ? Buffer.from(last.key).toString('base64url') : undefined,
    Contents: page.map(({ key, size, etag, modified }) => ({
      Key: spell(Buffer.from(key).toString()),
      LastModified: new Date(modified).toISOString(),
      ETag: etag,
      Size: size,
      StorageClass: 'STANDARD',
    })),
  };
  const body = xmlDocument('ListBucketResult', document, 'http://s3.amazonaws.com/doc/2006-03-01/');
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}

import type { EngineResponse } from '../../engines.ts';
import { notImplemented } from '../../fault.ts';
import { requireBucket, type S3, type S3Request } from '../s3.ts';
import { xmlDocument } from '../xml.ts';

/**
 * Lists keys in UTF-8 byte order, at most 1000 a page.
 *
 * Source: S3 API Reference "ListObjectsV2".
 */
export function listObjects(s3: S3, request: S3Request): EngineResponse {
  requireBucket(s3, request);
  const { bucket, query } = request;
  if (query.get('list-type') !== '2') throw notImplemented('S3 ListObjects (version 1)');
  const prefix = Buffer.from(query.get('prefix') ?? '');
  const limit = Math.min(Number(query.get('max-keys') ?? 1000), 1000);
  const rows = s3.storage.all<{ key: Uint8Array; size: number; etag: string; modified: number }>(
    `SELECT key, size, etag, modified FROM object
     WHERE bucket = ? AND key > ? AND key >= ? AND substr(key, 1, ?) = ? ORDER BY key LIMIT ?`,
    bucket,
    Buffer.from(query.get('continuation-token') ?? '', 'base64url'),
    prefix,
    prefix.length,
    prefix,
    limit + 1,
  );
  const page = rows.slice(0, limit);
  const more = rows.length > limit ? page.at(-1) : undefined;
  const encoding = query.get('encoding-type') ?? undefined;
  const spell = (key: Uint8Array): string => {
    const text = Buffer.from(key).toString();
    return encoding === 'url' ? encodeURIComponent(text).replaceAll('%2F', '/') : text;
  };
  const body = xmlDocument('ListBucketResult', {
    Name: bucket,
    Prefix: spell(prefix),
    MaxKeys: limit,
    EncodingType: encoding,
    KeyCount: page.length,
    IsTruncated: more !== undefined,
    NextContinuationToken: more && Buffer.from(more.key).toString('base64url'),
    Contents: page.map(({ key, size, etag, modified }) => ({
      Key: spell(key),
      LastModified: new Date(modified).toISOString(),
      ETag: etag,
      Size: size,
      StorageClass: 'STANDARD',
    })),
  });
  const headers = { 'content-type': 'application/xml', 'content-length': String(body.length) };
  return { status: 200, headers, body };
}

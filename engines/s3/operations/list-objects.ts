import { notImplemented } from '../../fault.ts';
import { objectPage } from '../object-page.ts';
import type { S3Operation } from '../s3.ts';
import { keySpeller, xmlAnswer } from '../xml/write.ts';

/** Lists keys in UTF-8 byte order, at most 1000 a page. Source: S3 API Reference "ListObjectsV2". */
export const listObjects: S3Operation = (s3, request) => {
  const { bucket, parameters } = request;
  if (parameters.get('list-type') !== '2') throw notImplemented('S3 ListObjects (version 1)');
  const token = parameters.get('continuation-token');
  const after =
    token === null ? Buffer.from(parameters.get('start-after') ?? '') : Buffer.from(token, 'base64url');
  const { limit, objects, last } = objectPage(s3, request, after);
  const spell = keySpeller(parameters);
  return xmlAnswer('ListBucketResult', {
    Name: bucket,
    Prefix: spell(Buffer.from(parameters.get('prefix') ?? '')),
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

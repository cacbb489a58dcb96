import { objectPage } from '../object-page.ts';
import type { S3Operation } from '../s3.ts';
import { keySpeller, xmlAnswer } from '../xml/write.ts';

/**
 * Lists the versions of objects in the order of their keys, at most 1000 a page. Buckets of this engine have no
 * versioning, so each object is its only version, with the id `null`.
 *
 * Source: S3 API Reference "ListObjectVersions"; S3 User Guide "How S3 Versioning works".
 */
export const listObjectVersions: S3Operation = (s3, request) => {
  const { bucket, parameters } = request;
  const { limit, objects, last } = objectPage(s3, request, Buffer.from(parameters.get('key-marker') ?? ''));
  const spell = keySpeller(parameters);
  return xmlAnswer('ListVersionsResult', {
    Name: bucket,
    Prefix: spell(Buffer.from(parameters.get('prefix') ?? '')),
    MaxKeys: limit,
    EncodingType: parameters.get('encoding-type') ?? undefined,
    IsTruncated: last !== undefined,
    NextKeyMarker: last && spell(last),
    NextVersionIdMarker: last && 'null',
    Version: objects.map(({ key, object: { modified, etag, size } }) => ({
      Key: spell(key),
      VersionId: 'null',
      IsLatest: true,
      LastModified: new Date(modified).toISOString(),
      ETag: etag,
      Size: size,
    })),
  });
};

import type { S3Operation } from '../../s3.ts';
import { partsOf, requireUpload } from '../../uploads.ts';
import { xmlAnswer } from '../../xml/write.ts';

/** Lists the stored parts by number, at most 1000 a page. Source: S3 API Reference "ListParts". */
export const listParts: S3Operation = (s3, request) => {
  const { id, algorithm } = requireUpload(s3, request);
  const { bucket, key, parameters } = request;
  const marker = Number(parameters.get('part-number-marker') ?? 0);
  const limit = Math.min(Number(parameters.get('max-parts') ?? 1000), 1000);
  const found = partsOf(s3, id, marker, limit + 1);
  const page = found.slice(0, limit);
  const isTruncated = found.length > limit;
  return xmlAnswer('ListPartsResult', {
    Bucket: bucket,
    Key: key,
    UploadId: id,
    PartNumberMarker: marker,
    NextPartNumberMarker: isTruncated ? page.at(-1)?.number : undefined,
    MaxParts: limit,
    IsTruncated: isTruncated,
    ChecksumAlgorithm: algorithm,
    Part: page.map(({ number, modified, etag, size, checksums }) => ({
      PartNumber: number,
      LastModified: new Date(modified).toISOString(),
      ETag: etag,
      Size: size,
      ChecksumCRC32: checksums['x-amz-checksum-crc32'],
      ChecksumSHA256: checksums['x-amz-checksum-sha256'],
    })),
  });
};

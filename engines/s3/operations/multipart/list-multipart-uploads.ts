import type { S3Operation } from '../../s3.ts';
import type { Upload } from '../../uploads.ts';
import { keySpeller, xmlAnswer } from '../../xml/write.ts';

/** Lists running uploads by key, at most 1000 a page. Source: S3 API Reference "ListMultipartUploads". */
export const listMultipartUploads: S3Operation = ({ storage }, { bucket, parameters }) => {
  const prefix = Buffer.from(parameters.get('prefix') ?? '');
  const key = Buffer.from(parameters.get('key-marker') ?? '');
  // Without an upload marker, the page starts after all uploads of the marked key.
  const id = parameters.get('upload-id-marker') ?? '\uffff';
  const limit = Math.min(Number(parameters.get('max-uploads') ?? 1000), 1000);
  const rows = storage.all<{ key: Uint8Array; doc: string }>(
    `SELECT key, doc FROM upload
     WHERE bucket = ? AND (key, id) > (?, ?) AND substr(key, 1, ?) = ? ORDER BY key, id LIMIT ?`,
    ...[bucket, key, id, prefix.length, prefix, limit + 1],
  );
  const spell = keySpeller(parameters);
  const page = rows.slice(0, limit).map((row) => {
    const upload: Upload = JSON.parse(row.doc);
    return { ...upload, key: spell(row.key) };
  });
  const more = rows.length > limit ? page.at(-1) : undefined;
  return xmlAnswer('ListMultipartUploadsResult', {
    Bucket: bucket,
    Prefix: spell(prefix),
    EncodingType: parameters.get('encoding-type') ?? undefined,
    MaxUploads: limit,
    IsTruncated: more !== undefined,
    NextKeyMarker: more?.key,
    NextUploadIdMarker: more?.id,
    Upload: page.map((upload) => ({
      Key: upload.key,
      UploadId: upload.id,
      Initiated: new Date(upload.initiated).toISOString(),
      ChecksumAlgorithm: upload.algorithm,
    })),
  });
};

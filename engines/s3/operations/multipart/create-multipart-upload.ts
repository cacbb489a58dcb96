import { notImplemented } from '../../../fault.ts';
import type { S3Operation } from '../../s3.ts';
import { insertUpload, type Upload } from '../../uploads.ts';
import { requireWritable, storedHeaders } from '../../write-object.ts';
import { xmlAnswer } from '../../xml/write.ts';

/** Creates a multipart upload. Source: S3 API Reference "CreateMultipartUpload". */
export const createMultipartUpload: S3Operation = (s3, request) => {
  requireWritable(request);
  const { bucket, key, headers } = request;
  const algorithm = headers['x-amz-checksum-algorithm'] as Upload['algorithm'];
  if (algorithm && !/^(CRC32|SHA256)$/.test(algorithm)) throw notImplemented(`S3 ${algorithm} of parts`);
  const type = headers['x-amz-checksum-type'] ?? 'COMPOSITE';
  if (type !== 'COMPOSITE') throw notImplemented(`S3 ${type} checksums of several parts`);
  const id = crypto.randomUUID();
  insertUpload(s3, request, { id, initiated: s3.storage.now(), headers: storedHeaders(headers), algorithm });
  const answer = xmlAnswer('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: id });
  const checksum = algorithm && { 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': type };
  return { ...answer, headers: { ...answer.headers, ...checksum } };
};

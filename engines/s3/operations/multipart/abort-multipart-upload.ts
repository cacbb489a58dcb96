import type { S3Operation } from '../../s3.ts';
import { partsOf, removeUpload, requireUpload } from '../../uploads.ts';

/**
 * Aborts an upload and removes its parts. Source: S3 API Reference "AbortMultipartUpload". @throws NoSuchUpload (404)
 */
export const abortMultipartUpload: S3Operation = (s3, request) => {
  const { id } = requireUpload(s3, request);
  const parts = partsOf(s3, id);
  s3.storage.transaction(() => removeUpload(s3.storage, id));
  for (const { file } of parts) s3.files.discard(file);
  return { status: 204, headers: {} };
};

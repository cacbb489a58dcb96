import type { S3Operation } from '../../s3.ts';
import { abortUpload, requireUpload } from '../../uploads.ts';

/**
 * Aborts an upload and removes its parts. Source: S3 API Reference "AbortMultipartUpload". @throws NoSuchUpload (404)
 */
export const abortMultipartUpload: S3Operation = (s3, request) => {
  abortUpload(s3, requireUpload(s3, request).id);
  return { status: 204, headers: {} };
};

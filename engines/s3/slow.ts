import { setTimeout as later } from 'node:timers/promises';
import { copyObject } from './operations/copy-object.ts';
import { getObject } from './operations/get-object.ts';
import { completeMultipartUpload } from './operations/multipart/complete-multipart-upload.ts';
import { uploadPartCopy } from './operations/multipart/upload-part-copy.ts';
import type { S3Operation } from './s3.ts';

/**
 * The time in ms from the effect of an operation to its response, by the operation's name in the S3 API Reference. The
 * engine sends nothing in this time, as S3 does while it copies. An absent operation responds at once.
 */
export type Slow = Readonly<
  Partial<Record<'CompleteMultipartUpload' | 'CopyObject' | 'GetObject' | 'UploadPartCopy', number>>
>;

const NAMES = new Map<S3Operation, keyof Slow>([
  [completeMultipartUpload, 'CompleteMultipartUpload'],
  [copyObject, 'CopyObject'],
  [getObject, 'GetObject'],
  [uploadPartCopy, 'UploadPartCopy'],
]);

/** Waits for as long as the operation is slow. HEAD is never slow. */
export async function lateness(slow: Slow, method: string, operation: S3Operation): Promise<void> {
  const name = method === 'HEAD' ? undefined : NAMES.get(operation);
  const ms = name && slow[name];
  if (ms) await later(ms);
}

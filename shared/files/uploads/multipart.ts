import { AbortMultipartUploadCommand, CreateMultipartUploadCommand } from '@aws-sdk/client-s3';
import { isNamed, reach } from '../../aws/faults.ts';
import { s3 } from '../../aws/s3.ts';
import type { Objects } from '../objects.ts';
import type { Awaited } from './record.ts';

/** An object in S3. */
export interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

/** Begins an upload in parts. @throws Unavailable when S3 does not answer */
export async function beginParts(
  place: Place,
  { mediaType, metadata }: { mediaType: string; metadata: Record<string, string> },
): Promise<string> {
  const command = new CreateMultipartUploadCommand({ ...place, ContentType: mediaType, Metadata: metadata });
  const { UploadId } = await reach(s3().send(command));
  return UploadId as string;
}

/** Gives up what comes in parts. What was sent whole stays. @throws Unavailable when S3 does not answer */
export async function abandon(objects: Objects, files: readonly Awaited[]): Promise<void> {
  for (const { name, uploadId } of files) {
    if (uploadId !== undefined) await abortParts(objects.address(name), uploadId);
  }
}

/** Gives an upload up, with the parts that were sent. One that has ended already is no error. */
async function abortParts(place: Place, UploadId: string): Promise<void> {
  try {
    await reach(s3().send(new AbortMultipartUploadCommand({ ...place, UploadId })));
  } catch (error) {
    if (!isNamed(error, 'NoSuchUpload')) throw error;
  }
}

import { AbortMultipartUploadCommand, CreateMultipartUploadCommand } from '@aws-sdk/client-s3';
import { s3 } from '../../aws/clients/s3.ts';
import { isNamed, orUnavailable } from '../../aws/faults.ts';
import { Objects } from '../objects.ts';
import { type Awaited, FILES, STAGED, stagedAt } from './record.ts';

/** An object in S3. */
export interface ObjectPlace {
  readonly Bucket: string;
  readonly Key: string;
}

/** Starts a multipart upload and returns its id. @throws Unavailable when S3 does not respond */
export async function beginParts(
  place: ObjectPlace,
  { mediaType, metadata }: { mediaType: string; metadata: Record<string, string> },
): Promise<string> {
  const command = new CreateMultipartUploadCommand({ ...place, ContentType: mediaType, Metadata: metadata });
  const { UploadId } = await orUnavailable(s3().send(command));
  return UploadId as string;
}

/** Aborts the multipart uploads and copies of an operation. @throws Unavailable when S3 does not respond */
export async function abandon(operation: number, files: readonly Awaited[]): Promise<void> {
  const [staged, published] = [new Objects(STAGED), new Objects(FILES)];
  for (const [at, file] of files.entries()) {
    if (file.uploadId !== undefined) await abortParts(staged.address(stagedAt(operation, at)), file.uploadId);
    await abandonCopy(published, file);
  }
}

/** Removes the staged uploads of an operation, so that no run publishes them. @throws Unavailable as above */
export async function removeStaged(operation: number, files: readonly Awaited[]): Promise<void> {
  const staged = new Objects(STAGED);
  for (const at of files.keys()) await staged.remove(stagedAt(operation, at));
}

/** Aborts the multipart copy of a large file. @throws Unavailable when S3 does not respond */
export async function abandonCopy(files: Objects, { name, copyId }: Awaited): Promise<void> {
  if (copyId !== undefined) await abortParts(files.address(name), copyId);
}

/** Aborts a multipart upload and removes its parts. If the upload has ended already, this is not an error. */
async function abortParts(place: ObjectPlace, UploadId: string): Promise<void> {
  try {
    await orUnavailable(s3().send(new AbortMultipartUploadCommand({ ...place, UploadId })));
  } catch (error) {
    if (!isNamed(error, 'NoSuchUpload')) throw error;
  }
}

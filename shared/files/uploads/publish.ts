import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  ListPartsCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { answeredLate, s3 } from '../../aws/clients/s3.ts';
import { isNamed, orUnavailable } from '../../aws/faults.ts';
import { CONCURRENCY, mapConcurrently } from '../../concurrency/map-concurrently.ts';
import { type EntityTag, formatEntityTag } from '../../http/conditional/entity-tag.ts';
import { Unavailable } from '../../http/problem.ts';
import {
  conditionFields,
  isConflict,
  isLost,
  isMissing,
  type ObjectCondition,
  type ObjectFacts,
  type Objects,
} from '../objects.ts';
import { copiedPartSizeOf, partsOf } from './announce/plan.ts';
import type { ObjectPlace } from './multipart.ts';
import { type Awaited, isMadeOf, metadataOf, stagedAt } from './record.ts';

/** A verified upload. `etag` identifies it, because a client may replace the upload meanwhile. */
export interface Verified {
  readonly operation: number;
  readonly at: number;
  readonly etag: EntityTag;
  /** The time of its arrival, in ms since the epoch. */
  readonly time: number;
  readonly file: Awaited;
  readonly expected: ObjectCondition;
  /** True if the operation still waits for it. Called before the step that nothing can undo. */
  readonly isWanted: () => Promise<boolean>;
  /** The end of this run, in ms since the epoch. Another run copies the parts that are missing then. */
  readonly deadline: number;
}

/** The source and the target of the copy. */
interface Stores {
  readonly staged: Objects;
  readonly files: Objects;
}

/**
 * Publishes a verified upload as a file, by a copy within S3 under the precondition of the request. Returns:
 * - 'new' or 'replaced': this run made the file.
 * - 'before': an earlier run made it.
 * - 'lost': the precondition does not hold any more.
 * - 'changed': the operation has ended, or the upload is no longer the verified one.
 *
 * A second run is harmless. It finds an earlier result by the metadata of the file, and copies only missing parts.
 *
 * Source: Amazon S3 API Reference, CopyObject, UploadPartCopy, CompleteMultipartUpload; Amazon S3 User Guide, "How to
 * prevent object overwrites with conditional writes".
 *
 * @throws Unavailable when S3 does not respond
 */
export async function publish(
  stores: Stores,
  verified: Verified,
): Promise<'new' | 'replaced' | 'before' | 'lost' | 'changed'> {
  const { operation, at, etag, time, file, expected } = verified;
  const isDone = (present: ObjectFacts | undefined) => {
    // A write after the arrival of this upload is newer, so its file stays, as if this upload came before it.
    const isOverwritten = !expected && present !== undefined && present.lastModified > time;
    return isOverwritten || isMadeOf(present, operation, at);
  };
  const before = await stores.files.head(file.name);
  if (isDone(before)) return 'before';
  const made = before ? 'replaced' : 'new';
  const to = stores.files.address(file.name);
  try {
    const copied =
      file.copyId === undefined
        ? await copyWhole(stores, to, verified)
        : await copyInParts(stores, to, { ...verified, UploadId: file.copyId });
    return copied ? made : 'changed';
  } catch (error) {
    // Another write of the same file is in progress, perhaps a second run for this upload.
    if (isConflict(error)) throw new Unavailable(error);
    if (!isLost(error) && !isMissing(error)) throw error;
    if (isDone(await stores.files.head(file.name))) return made;
    const present = await stores.staged.head(stagedAt(operation, at));
    if (present?.etag.opaque !== etag.opaque) return 'changed';
    if (isNamed(error, 'NoSuchUpload')) throw error;
    return 'lost';
  }
}

/** Returns the source of the copy, with the condition that it still has its entity tag. */
const sourceOf = ({ staged }: Stores, { operation, at, etag }: Verified) => {
  const { Bucket, Key } = staged.address(stagedAt(operation, at));
  return { CopySource: `${Bucket}/${Key}`, CopySourceIfMatch: formatEntityTag(etag) };
};

/**
 * Copies bytes and checksum in one request. Type and metadata come from the manifest, so other header fields of the
 * upload, such as Content-Encoding or Cache-Control, do not reach the file. Returns false if the operation has ended.
 */
async function copyWhole(stores: Stores, to: ObjectPlace, verified: Verified): Promise<boolean> {
  if (!(await verified.isWanted())) return false;
  const { operation, at, file, expected, deadline } = verified;
  const command = new CopyObjectCommand({
    ...to,
    ...sourceOf(stores, verified),
    ...conditionFields(expected),
    MetadataDirective: 'REPLACE',
    ContentType: file.mediaType,
    Metadata: metadataOf(operation, at),
  });
  await orUnavailable(s3().send(command, answeredLate(deadline)));
  return true;
}

/** Copies in parts, and only those that earlier runs did not copy. Returns false if the operation has ended. */
async function copyInParts(
  stores: Stores,
  to: ObjectPlace,
  { UploadId, ...verified }: Verified & { readonly UploadId: string },
): Promise<boolean> {
  const upload = { ...to, UploadId };
  const source = sourceOf(stores, verified);
  const { file, deadline } = verified;
  const { copyPartSize: partSize = copiedPartSizeOf(file.size) } = file;
  const tags = await copiedParts(upload);
  const missing = partsOf(file.size, partSize).filter(({ partNumber }) => !tags.has(partNumber));
  await mapConcurrently(CONCURRENCY.parts, missing, async ({ partNumber: PartNumber, size }) => {
    const first = (PartNumber - 1) * partSize;
    const CopySourceRange = `bytes=${first}-${first + size - 1}`;
    const command = new UploadPartCopyCommand({ ...upload, ...source, PartNumber, CopySourceRange });
    const { CopyPartResult } = await orUnavailable(s3().send(command, answeredLate(deadline)));
    tags.set(PartNumber, CopyPartResult?.ETag);
  });
  if (!(await verified.isWanted())) return false;
  const Parts = [...tags].sort(([a], [b]) => a - b).map(([PartNumber, ETag]) => ({ PartNumber, ETag }));
  const whole = { MultipartUpload: { Parts }, MpuObjectSize: file.size };
  await orUnavailable(
    s3().send(
      new CompleteMultipartUploadCommand({ ...upload, ...whole, ...conditionFields(verified.expected) }),
      answeredLate(deadline),
    ),
  );
  return true;
}

/** Returns the entity tags of the parts that earlier runs copied, by part number. */
async function copiedParts(upload: ObjectPlace & { readonly UploadId: string }) {
  const tags = new Map<number, string | undefined>();
  let after: string | undefined;
  do {
    const page = await orUnavailable(s3().send(new ListPartsCommand({ ...upload, PartNumberMarker: after })));
    for (const { PartNumber = 0, ETag } of page.Parts ?? []) tags.set(PartNumber, ETag);
    after = page.IsTruncated ? page.NextPartNumberMarker : undefined;
  } while (after !== undefined);
  return tags;
}

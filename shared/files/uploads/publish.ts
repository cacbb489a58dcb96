import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  ListPartsCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { isNamed, orUnavailable } from '../../aws/faults.ts';
import { answeredLate } from '../../aws/patience.ts';
import { s3 } from '../../aws/s3.ts';
import { type EntityTag, formatEntityTag } from '../../http/entity-tag.ts';
import { Unavailable } from '../../http/unavailable.ts';
import {
  conditionFields,
  isConflict,
  isLost,
  isMissing,
  type ObjectFacts,
  type Objects,
} from '../objects.ts';
import type { Place } from './multipart.ts';
import { copiedPartSizeOf, partsOf } from './plan.ts';
import { type Awaited, type Awaiting, isMadeOf, metadataOf, stagedAt } from './record.ts';

/** Parts copied at a time. S3 does it by itself, here one only waits. */
const AT_ONCE = 50;

/** What is to become a file: the object that was verified, and no other that came to its place since. */
export interface Verified {
  readonly operation: number;
  readonly at: number;
  readonly etag: EntityTag;
  /** When it came, in ms since the epoch. */
  readonly time: number;
  readonly file: Awaited;
  readonly expected: Awaiting['expected'];
  /** Whether it is still waited for: asked before what cannot be taken back. */
  readonly isWanted: () => Promise<boolean>;
  /** When the copy has to be done, in ms since the epoch: what is missing then is copied by another run. */
  readonly deadline: number;
}

/** Where it comes from and where it goes. */
interface Stores {
  readonly staged: Objects;
  readonly files: Objects;
}

/**
 * Makes a verified object the file, by a copy within S3, under the condition of the request: a new one, or in the place of
 * one. 'before': it was made the file before. 'lost': the condition does not hold any more. 'changed': it is not wanted
 * any more, or not the object that was verified. To be repeated is harmless: what was made of it before is known by its
 * metadata, and parts that were copied are not copied again.
 *
 * Source: Amazon S3 API Reference, CopyObject, UploadPartCopy, CompleteMultipartUpload; Amazon S3 User Guide, "How to
 * prevent object overwrites with conditional writes".
 *
 * @throws Unavailable when S3 does not answer
 */
export async function publish(
  stores: Stores,
  verified: Verified,
): Promise<'new' | 'replaced' | 'before' | 'lost' | 'changed'> {
  const { operation, at, etag, time, file, expected } = verified;
  const isDone = (standing: ObjectFacts | undefined) => {
    // Written after it came, that stands, as if this had been the file in between: perhaps it was.
    const isOverwritten = !expected && standing !== undefined && standing.lastModified > time;
    return isOverwritten || isMadeOf(standing, operation, at);
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
    // Another write of the same file was under way: perhaps this one, told twice.
    if (isConflict(error)) throw new Unavailable(error);
    if (!isLost(error) && !isMissing(error)) throw error;
    if (isDone(await stores.files.head(file.name))) return made;
    const standing = await stores.staged.head(stagedAt(operation, at));
    if (standing?.etag.opaque !== etag.opaque) return 'changed';
    if (isNamed(error, 'NoSuchUpload')) throw error;
    return 'lost';
  }
}

/** What is read, under its entity tag. */
const sourceOf = ({ staged }: Stores, { operation, at, etag }: Verified) => {
  const { Bucket, Key } = staged.address(stagedAt(operation, at));
  return { CopySource: `${Bucket}/${Key}`, CopySourceIfMatch: formatEntityTag(etag) };
};

/**
 * Copies bytes and checksum. Type and metadata are the announced ones: S3 does not keep other fields that came with a link,
 * such as Content-Encoding or Cache-Control. Answers whether it was done.
 */
async function copyWhole(stores: Stores, to: Place, verified: Verified): Promise<boolean> {
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

/** Goes on where an earlier attempt came to: parts that are there stay. Answers whether it was done. */
async function copyInParts(
  stores: Stores,
  to: Place,
  { UploadId, ...verified }: Verified & { readonly UploadId: string },
): Promise<boolean> {
  const upload = { ...to, UploadId };
  const source = sourceOf(stores, verified);
  const { file, deadline } = verified;
  const { copyPartSize: partSize = copiedPartSizeOf(file.size) } = file;
  const tags = await partsThere(upload);
  const missing = partsOf(file.size, partSize).filter(({ partNumber }) => !tags.has(partNumber));
  const work = async (): Promise<void> => {
    for (let part = missing.shift(); part; part = missing.shift()) {
      const { partNumber: PartNumber, size } = part;
      const first = (PartNumber - 1) * partSize;
      const CopySourceRange = `bytes=${first}-${first + size - 1}`;
      const command = new UploadPartCopyCommand({ ...upload, ...source, PartNumber, CopySourceRange });
      const { CopyPartResult } = await orUnavailable(s3().send(command, answeredLate(deadline)));
      tags.set(PartNumber, CopyPartResult?.ETag);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
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

/** The parts that were copied before, with their entity tags. */
async function partsThere(upload: Place & { readonly UploadId: string }) {
  const tags = new Map<number, string | undefined>();
  let after: string | undefined;
  do {
    const page = await orUnavailable(s3().send(new ListPartsCommand({ ...upload, PartNumberMarker: after })));
    for (const { PartNumber = 0, ETag } of page.Parts ?? []) tags.set(PartNumber, ETag);
    after = page.IsTruncated ? page.NextPartNumberMarker : undefined;
  } while (after !== undefined);
  return tags;
}

import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { config } from '../aws/config.ts';
import { isNamed, orUnavailable } from '../aws/faults.ts';
import { s3 } from '../aws/s3.ts';
import { type EntityTag, formatEntityTag, parseEntityTag } from '../http/entity-tag.ts';
import type { ByteRange } from '../http/range.ts';
import type { Expected } from '../resource/action.ts';
import { wasRetried } from '../store/write/conflict.ts';

/** What S3 knows of an object. `size` in bytes, `lastModified` in ms; `sha256` in base64, where it was given. */
export interface ObjectFacts {
  readonly etag: EntityTag;
  readonly size: number;
  readonly lastModified: number;
  readonly mediaType: string;
  readonly sha256?: string;
  /** Of this very object, where the bucket keeps versions. */
  readonly version?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What must be there for a write to happen: this object, nothing, or whatever is there. */
export type ObjectCondition = { readonly etag: EntityTag } | { readonly absent: true } | undefined;

/** What a request expects, as a condition on its object. */
export const objectCondition = (expected: Expected): ObjectCondition =>
  expected && 'version' in expected ? undefined : expected;

/**
 * The objects under one prefix of the bucket: their bytes, entity tags and types are the truth about files.
 * All @throws Unavailable when S3 does not answer.
 *
 * Source: Amazon S3 API Reference, GetObject, HeadObject, PutObject, DeleteObject, ListObjectsV2.
 */
export class Objects {
  readonly #prefix: string;

  /** `prefix` ends with a slash. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  async head(key: string): Promise<ObjectFacts | undefined> {
    return this.#present(async () =>
      factsOf(await s3().send(new HeadObjectCommand({ ...this.address(key), ChecksumMode: 'ENABLED' }))),
    );
  }

  /** The bytes, or a range of them, if the object is still this one. */
  async read(key: string, etag: EntityTag, range?: ByteRange): Promise<Uint8Array | undefined> {
    return this.#present(async () => {
      const { Body } = await s3().send(
        new GetObjectCommand({
          ...this.address(key),
          IfMatch: formatEntityTag(etag),
          Range: range && `bytes=${range.first}-${range.last}`,
        }),
      );
      return (Body as NonNullable<GetObjectCommandOutput['Body']>).transformToByteArray();
    });
  }

  /**
   * Stores an object whole. Answers its entity tag, or 'lost' when the condition does not hold: where the client had to
   * try again, because there is another object than this one.
   */
  async put(
    key: string,
    { bytes, mediaType, sha256 }: { bytes: Uint8Array; mediaType: string; sha256: string },
    condition: ObjectCondition,
  ): Promise<EntityTag | 'lost'> {
    try {
      const { ETag } = await orUnavailable(
        s3().send(
          new PutObjectCommand({
            ...this.address(key),
            Body: bytes,
            ContentType: mediaType,
            ChecksumSHA256: sha256,
            ...conditionFields(condition),
          }),
        ),
      );
      return parseEntityTag(ETag ?? '') as EntityTag;
    } catch (error) {
      if (!isLost(error) && !isMissing(error)) throw error;
      const facts = wasRetried(error) ? await this.head(key) : undefined;
      return facts?.sha256 === sha256 && facts.mediaType === mediaType ? facts.etag : 'lost';
    }
  }

  /** Removes an object, if it is still this one. Removing what is not there is no error. */
  async remove(key: string, etag?: EntityTag): Promise<'removed' | 'lost'> {
    try {
      await orUnavailable(
        s3().send(new DeleteObjectCommand({ ...this.address(key), IfMatch: etag && formatEntityTag(etag) })),
      );
      return 'removed';
    } catch (error) {
      // The first attempt removed it, and its answer was lost.
      if (isMissing(error) && wasRetried(error)) return 'removed';
      if (isLost(error) || isMissing(error)) return 'lost';
      throw error;
    }
  }

  /** All keys, without the prefix, in UTF-8 byte order, each with its entity tag. */
  async *list(): AsyncGenerator<{ readonly key: string; readonly etag: string }> {
    let token: string | undefined;
    do {
      const page = await orUnavailable(
        s3().send(
          new ListObjectsV2Command({
            Bucket: config.bucketName(),
            Prefix: this.#prefix,
            ContinuationToken: token,
          }),
        ),
      );
      for (const { Key = '', ETag = '' } of page.Contents ?? []) {
        yield { key: Key.slice(this.#prefix.length), etag: ETag };
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  /** What S3 calls an object. */
  address(key: string): { Bucket: string; Key: string } {
    return { Bucket: config.bucketName(), Key: this.#prefix + key };
  }

  /** What a reading call answers; undefined where there is no such object, or another one by now. */
  async #present<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await orUnavailable(call());
    } catch (error) {
      if (isMissing(error) || isLost(error)) return undefined;
      throw error;
    }
  }
}

/** The condition as S3 takes it. */
export function conditionFields(condition: ObjectCondition): { IfMatch?: string; IfNoneMatch?: string } {
  if (!condition) return {};
  return 'absent' in condition ? { IfNoneMatch: '*' } : { IfMatch: formatEntityTag(condition.etag) };
}

const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** No such object, or nothing that a condition could hold for. */
export const isMissing = (error: unknown) =>
  isNamed(error, 'NoSuchKey') || isNamed(error, 'NotFound') || statusOf(error) === 404;

/** Two conditional writes at once. Source: S3 User Guide, "Conditional writes". */
export const isConflict = (error: unknown) => isNamed(error, 'ConditionalRequestConflict');

/** 412: another object, or one where none should be. 409: see `isConflict`. */
export const isLost = (error: unknown) =>
  isNamed(error, 'PreconditionFailed') || isConflict(error) || statusOf(error) === 412;

function factsOf(output: HeadObjectCommandOutput): ObjectFacts {
  return {
    etag: parseEntityTag(output.ETag ?? '') as EntityTag,
    size: output.ContentLength ?? 0,
    lastModified: output.LastModified?.getTime() ?? 0,
    mediaType: output.ContentType ?? 'application/octet-stream',
    // Of an object of several parts it is a digest of their digests.
    sha256: output.ChecksumType === 'COMPOSITE' ? undefined : output.ChecksumSHA256,
    version: output.VersionId,
    metadata: output.Metadata,
  };
}

import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { s3 } from '../aws/clients/s3.ts';
import { config } from '../aws/config.ts';
import { isNamed, orUnavailable } from '../aws/faults.ts';
import { type EntityTag, formatEntityTag, parseEntityTag } from '../http/conditional/entity-tag.ts';
import type { ByteRange } from '../http/conditional/range.ts';
import type { Expected } from '../resource/actions/action.ts';
import { wasRetried } from '../store/write/conflict.ts';

/** The metadata of an object in S3. `size` in bytes, `lastModified` in ms, `sha256` in base64 if S3 has it. */
export interface ObjectFacts {
  readonly etag: EntityTag;
  readonly size: number;
  readonly lastModified: number;
  readonly mediaType: string;
  readonly sha256?: string;
  /** The version of this object, in a versioned bucket. */
  readonly version?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** An object whose metadata are known, and its bytes if they were read with the metadata. */
export interface OpenedObject {
  readonly facts: ObjectFacts;
  readonly bytes?: Uint8Array;
}

/** The condition of a write: this object exists, no object exists, or no condition. */
export type ObjectCondition = Exclude<Expected, { readonly kind: 'version' }>;

/** Returns the precondition of a request as a condition on its object. */
export const objectCondition = (expected: Expected): ObjectCondition =>
  expected?.kind === 'version' ? undefined : expected;

/**
 * The objects below one prefix of the bucket. Their bytes, entity tags and media types are authoritative for files.
 * All @throws Unavailable when S3 does not respond.
 *
 * Source: Amazon S3 API Reference, GetObject, HeadObject, PutObject, DeleteObject, ListObjectsV2.
 */
export class Objects {
  readonly #prefix: string;
  readonly #version: string | undefined;

  /** `prefix` ends with a slash. `version`: reads are of this version of an object, and writes do not happen. */
  constructor(prefix: string, version?: string) {
    this.#prefix = prefix;
    this.#version = version;
  }

  async head(key: string): Promise<ObjectFacts | undefined> {
    return this.#present(async () =>
      factsOf(await s3().send(new HeadObjectCommand({ ...this.address(key), ChecksumMode: 'ENABLED' }))),
    );
  }

  /**
   * The metadata, and all bytes if there are at most `most`, in one request. Without `most`, the request is a HEAD. If
   * there are more bytes, this closes the connection before S3 has sent them. 'removed': the bucket keeps versions of
   * the missing object.
   */
  async open(key: string, most?: number): Promise<OpenedObject | 'removed' | undefined> {
    try {
      return await orUnavailable(this.#open(key, most));
    } catch (error) {
      if (isRemoved(error)) return 'removed';
      if (this.#isMissing(error)) return undefined;
      throw error;
    }
  }

  async #open(key: string, most: number | undefined): Promise<OpenedObject> {
    const place = { ...this.address(key), ChecksumMode: 'ENABLED' } as const;
    if (most === undefined) return { facts: factsOf(await s3().send(new HeadObjectCommand(place))) };
    const output = await s3().send(new GetObjectCommand(place));
    const facts = factsOf(output);
    if (facts.size <= most) return { facts, bytes: await bytesOf(output) };
    if (output.Body && 'destroy' in output.Body) output.Body.destroy();
    return { facts };
  }

  /**
   * The bytes, or a range of them; undefined if the object is missing or no longer has this entity tag. `abortSignal`
   * ends the read early.
   */
  async read(
    key: string,
    etag: EntityTag | undefined,
    range?: ByteRange,
    abortSignal?: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    return this.#present(async () => {
      const command = new GetObjectCommand({
        ...this.address(key),
        IfMatch: etag && formatEntityTag(etag),
        Range: range && `bytes=${range.first}-${range.last}`,
      });
      return bytesOf(await s3().send(command, { abortSignal }));
    });
  }

  /**
   * Stores an object in one request. Returns its entity tag, or 'lost' if the condition does not hold. If the SDK
   * retried and S3 already has the same bytes and type, the first attempt succeeded: returns the entity tag.
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
      return tagOf(ETag);
    } catch (error) {
      if (!isLost(error) && !isMissing(error)) throw error;
      const facts = wasRetried(error) ? await this.head(key) : undefined;
      return facts?.sha256 === sha256 && facts.mediaType === mediaType ? facts.etag : 'lost';
    }
  }

  /** Removes an object if its entity tag is still `etag`. Without `etag`, a missing object is not an error. */
  async remove(key: string, etag?: EntityTag): Promise<'removed' | 'lost'> {
    try {
      await orUnavailable(
        s3().send(new DeleteObjectCommand({ ...this.address(key), IfMatch: etag && formatEntityTag(etag) })),
      );
      return 'removed';
    } catch (error) {
      // The SDK's first attempt removed the object, and its response was lost.
      if (isMissing(error) && wasRetried(error)) return 'removed';
      if (isLost(error) || isMissing(error)) return 'lost';
      throw error;
    }
  }

  /**
   * Yields all keys without the prefix, in the order of their UTF-8 bytes, each with its entity tag and the time of its
   * object in ms since the epoch. `after`: only keys after this one.
   */
  async *list(
    after?: string,
  ): AsyncGenerator<{ readonly key: string; readonly etag: string; readonly lastModified: number }> {
    let token: string | undefined;
    do {
      const page = await orUnavailable(
        s3().send(
          new ListObjectsV2Command({
            Bucket: config.bucketName(),
            Prefix: this.#prefix,
            StartAfter: after && this.#prefix + after,
            ContinuationToken: token,
          }),
        ),
      );
      for (const { Key = '', ETag = '', LastModified } of page.Contents ?? []) {
        const lastModified = LastModified?.getTime() ?? 0;
        yield { key: Key.slice(this.#prefix.length), etag: ETag, lastModified };
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  /** The bucket and the full key of an object, and its version if this is not the present one. */
  address(key: string): { Bucket: string; Key: string; VersionId?: string } {
    const place = { Bucket: config.bucketName(), Key: this.#prefix + key };
    return this.#version === undefined ? place : { ...place, VersionId: this.#version };
  }

  #isMissing(error: unknown): boolean {
    return isMissing(error) || (this.#version !== undefined && isNoVersion(error));
  }

  /** Returns the result of a read; undefined if the object is missing or has another entity tag. */
  async #present<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await orUnavailable(call());
    } catch (error) {
      if (this.#isMissing(error) || isLost(error)) return undefined;
      throw error;
    }
  }
}

/** Returns the condition as parameters of S3 requests. */
export function conditionFields(condition: ObjectCondition): { IfMatch?: string; IfNoneMatch?: string } {
  if (!condition) return {};
  return condition.kind === 'absent' ? { IfNoneMatch: '*' } : { IfMatch: formatEntityTag(condition.etag) };
}

const failed = (error: unknown) =>
  error as {
    $metadata?: { httpStatusCode?: number };
    $response?: { headers?: Record<string, string> };
  };
const statusOf = (error: unknown) => failed(error).$metadata?.httpStatusCode;

/** True if the object is missing, or a condition needs an object that is missing. */
export const isMissing = (error: unknown) =>
  isNamed(error, 'NoSuchKey') || isNamed(error, 'NotFound') || statusOf(error) === 404;

/** True for a text that is not a version, and for the version of a removal. Source: Amazon S3 API Reference, GetObject. */
const isNoVersion = (error: unknown): boolean => statusOf(error) === 400 || statusOf(error) === 405;

/** True if a missing object has versions. Source: Amazon S3 User Guide, "Working with delete markers". */
const isRemoved = (error: unknown): boolean =>
  isMissing(error) && failed(error).$response?.headers?.['x-amz-delete-marker'] === 'true';

/** True if another conditional write was in progress. Source: S3 User Guide, "Conditional writes". */
export const isConflict = (error: unknown) => isNamed(error, 'ConditionalRequestConflict');

/** True if a condition did not hold (412), or another conditional write was in progress (409, `isConflict`). */
export const isLost = (error: unknown) =>
  isNamed(error, 'PreconditionFailed') || isConflict(error) || statusOf(error) === 412;

/** Returns the entity tag in a response of S3. */
export const tagOf = (text = ''): EntityTag => parseEntityTag(text) as EntityTag;

const bytesOf = ({ Body }: GetObjectCommandOutput): Promise<Uint8Array> =>
  (Body as NonNullable<typeof Body>).transformToByteArray();

function factsOf(output: HeadObjectCommandOutput | GetObjectCommandOutput): ObjectFacts {
  return {
    etag: tagOf(output.ETag),
    size: output.ContentLength ?? 0,
    lastModified: output.LastModified?.getTime() ?? 0,
    mediaType: output.ContentType ?? 'application/octet-stream',
    // For an object of several parts, this is a digest of their digests.
    sha256: output.ChecksumType === 'COMPOSITE' ? undefined : output.ChecksumSHA256,
    version: output.VersionId,
    metadata: output.Metadata,
  };
}

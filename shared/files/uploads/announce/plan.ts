const MIB = 1024 * 1024;
/** The largest file in bytes that a client sends in one request. After a broken connection, it sends the file again. */
export const WHOLE = 64 * MIB;
/** The smallest part in bytes. A broken connection loses little, and the number of requests stays low. */
const SMALLEST_PART = 8 * MIB;
/** The largest number of parts in a manifest, not counting one for each file: one response holds all links. */
const PARTS = 1000;
/** The longest lifetime of links, in ms. A client that needs more time renews them. */
const LINKS_MS = 3_600_000;

/** Bytes of an object above which S3 copies it in parts, several at a time. CopyObject takes up to 5 GiB. */
export const COPIED_WHOLE = 1024 * MIB;
/** The smallest part of a copy in bytes, and the largest number of its parts. */
const COPIED_PART = 128 * MIB;
const COPIED_PARTS = 10_000;

/** One part of a file; `size` in bytes. */
export interface PlannedPart {
  readonly partNumber: number;
  readonly size: number;
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

/**
 * Returns the size of the parts in a manifest, in bytes (whole MiB), such that one response can hold all links. The
 * response of a function has at most 6 MB. 1,100 links of at most 2.5 KB (with the token of a role) take 3 MB.
 *
 * Source: AWS Lambda Developer Guide, "Lambda quotas"; Amazon S3 User Guide, "Amazon S3 multipart upload limits".
 */
export function partSizeOf(sizes: readonly number[]): number {
  const total = sum(sizes.filter((size) => size > WHOLE));
  return Math.max(SMALLEST_PART, Math.ceil(total / PARTS / MIB) * MIB);
}

/**
 * The size of the parts of a copy, in bytes (whole MiB). S3 responds only after it copied a part, so parts are small.
 *
 * Source: Amazon S3 User Guide, "Amazon S3 multipart upload limits".
 */
export const copiedPartSizeOf = (size: number): number =>
  Math.max(COPIED_PART, Math.ceil(size / COPIED_PARTS / MIB) * MIB);

/** Returns the parts of a file. */
export const partsOf = (size: number, partSize: number): PlannedPart[] =>
  Array.from({ length: Math.ceil(size / partSize) }, (_, at) => ({
    partNumber: at + 1,
    size: Math.min(partSize, size - at * partSize),
  }));

/**
 * Returns the lifetime of links that the service signs now, in whole seconds. Links end with their operation (`until`),
 * and with the session of the credentials that sign them (`sessionEnd`). Times in ms since the epoch.
 *
 * Source: Amazon S3 User Guide, "Download and upload objects with presigned URLs": a URL expires with its credentials.
 */
export const lifetimeOf = (now: number, until: number, sessionEnd = Number.POSITIVE_INFINITY): number =>
  Math.max(Math.floor((Math.min(now + LINKS_MS, until, sessionEnd) - now) / 1000), 1);

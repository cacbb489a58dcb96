const MIB = 1024 * 1024;
/** Bytes of a file above which it is sent in parts: a shorter one is sent again whole, should its connection break. */
export const WHOLE = 64 * MIB;
/** Bytes of a part at least: what a connection loses when it breaks is little, and what a request costs is shared. */
const SMALLEST_PART = 8 * MIB;
/** Parts of all files of a manifest together, but for one of each file: the links are one answer, as is a list of parts. */
const PARTS = 1000;
/** An hour to begin with, a second more for each MiB, twelve hours at most. */
const BASE_SECONDS = 3600;
const MAXIMUM_SECONDS = 43_200;

/** Bytes of an object above which S3 copies it in parts, several at a time. CopyObject takes up to 5 GiB. */
export const COPIED_WHOLE = 1024 * MIB;
/** Bytes of a copied part at least, and parts of one copy at most. */
const COPIED_PART = 128 * MIB;
const COPIED_PARTS = 10_000;

/** One part of a file; `size` in bytes. */
export interface PlannedPart {
  readonly partNumber: number;
  readonly size: number;
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

/**
 * How large the parts of a manifest's files are, in whole MiB: as many as one answer can hold links to. A function
 * answers 6 MB; 1,100 links of at most 2.5 KB (with the token of a role) are 3 MB.
 *
 * Source: AWS Lambda Developer Guide, "Lambda quotas"; Amazon S3 User Guide, "Amazon S3 multipart upload limits".
 */
export function partSizeOf(sizes: readonly number[]): number {
  const total = sum(sizes.filter((size) => size > WHOLE));
  return Math.max(SMALLEST_PART, Math.ceil(total / PARTS / MIB) * MIB);
}

/**
 * Bytes of each part in which S3 copies a file, in whole MiB. S3 answers only when a part is copied, so parts are small.
 *
 * Source: Amazon S3 User Guide, "Amazon S3 multipart upload limits".
 */
export const copiedPartSizeOf = (size: number): number =>
  Math.max(COPIED_PART, Math.ceil(size / COPIED_PARTS / MIB) * MIB);

/** The parts of a file. */
export const partsOf = (size: number, partSize: number): PlannedPart[] =>
  Array.from({ length: Math.ceil(size / partSize) }, (_, at) => ({
    partNumber: at + 1,
    size: Math.min(partSize, size - at * partSize),
  }));

/** How long links can be used, in seconds. A request that begins in time may take as long as it needs. */
export const lifetimeOf = (sizes: readonly number[]): number =>
  Math.min(BASE_SECONDS + Math.ceil(sum(sizes) / MIB), MAXIMUM_SECONDS);

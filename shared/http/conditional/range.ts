import { trimWhitespace, whitespaceEnd } from '../fields/field-value.ts';
import type { Validators } from './conditions.ts';
import { parseEntityTag, strongMatch } from './entity-tag.ts';
import { modificationDate, parseHttpDate } from './http-date.ts';

/** Bytes from `first` to `last`, both included; the first byte of a representation is 0. Source: RFC 9110 §14.1.2. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Respond 200 with the whole, 206 with the ranges in the requested order, or 416. Source: RFC 9110 §14.2. */
export type RangeVerdict =
  | { kind: 'whole' }
  | { kind: 'partial'; ranges: readonly ByteRange[] }
  | { kind: 'unsatisfiable' };

const whole: RangeVerdict = { kind: 'whole' };
const unsatisfiable: RangeVerdict = { kind: 'unsatisfiable' };

/** `first-last`, `first-` or `-suffix`. */
const rangeSpec = /(\d*)-(\d*)/y;

const COMMA = 0x2c;
const MAXIMUM = 5;

/**
 * Selects the ranges of `size` bytes that a Range field names. The result is the whole for no Range, for another
 * unit than bytes, and for a malformed value. It is also the whole for more than 5 ranges and for more than
 * two ranges that overlap another. §14.2 allows this against abuse.
 *
 * Ranges that begin after the end, and suffixes of 0 bytes, are dropped. If none remains, the result is
 * unsatisfiable. A suffix of an empty representation is satisfiable, but no Content-Range could describe it, so the
 * result is the whole.
 *
 * Source: RFC 9110 §14.1.1, §14.1.2, §14.2.
 */
export function selectRanges(range: string | undefined, size: number): RangeVerdict {
  if (range === undefined) return whole;
  const text = trimWhitespace(range);
  if (text.slice(0, 6).toLowerCase() !== 'bytes=') return whole;
  const ranges: ByteRange[] = [];
  let listed = 0;
  let emptySuffix = false;
  let separated = true;
  let at = 6;
  while (at < text.length) {
    if (text.charCodeAt(at) === COMMA) {
      separated = true;
      at = whitespaceEnd(text, at + 1);
      continue;
    }
    const spaced = whitespaceEnd(text, at);
    if (spaced > at && text.charCodeAt(spaced) === COMMA) {
      at = spaced;
      continue;
    }
    rangeSpec.lastIndex = at;
    const spec = separated ? rangeSpec.exec(text) : null;
    if (spec === null) return whole;
    const from = spec[1] ?? '';
    const to = spec[2] ?? '';
    if ((from === '' && to === '') || (from !== '' && to !== '' && compareDigits(from, to) > 0)) return whole;
    if (++listed > MAXIMUM) return whole;
    at = rangeSpec.lastIndex;
    separated = false;

    const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
    const last = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to));
    if (first < size) ranges.push({ first, last });
    else if (from === '' && Number(to) > 0) emptySuffix = true;
  }
  if (listed === 0 || emptySuffix) return whole;
  if (ranges.length === 0) return unsatisfiable;
  return overlapping(ranges) > 2 ? whole : { kind: 'partial', ranges };
}

/**
 * True if a Range applies in view of If-Range; it does if If-Range is absent. An entity tag must be strong and
 * equal. A date must equal Last-Modified and not be merely later. Given `nowMs`, a representation that changed within the
 * last second has no such date yet. In every other case the result is false, because the whole representation is always
 * correct.
 *
 * Source: RFC 9110 §13.1.5, §8.8.2.2.
 */
export function ifRangeHolds(ifRange: string | undefined, current: Validators, nowMs?: number): boolean {
  if (ifRange === undefined) return true;
  const { etag, lastModified } = current;
  const tag = parseEntityTag(ifRange);
  if (tag !== undefined) return etag !== undefined && strongMatch(tag, etag);
  if (lastModified === undefined) return false;
  const date = parseHttpDate(ifRange, nowMs);
  const modified = modificationDate(lastModified);
  return date === modified && (nowMs === undefined || nowMs >= modified);
}

/** The Content-Range of one range: `bytes 0-499/1234`. Source: RFC 9110 §14.4. */
export function contentRange(range: ByteRange, size: number): string {
  return `bytes ${range.first}-${range.last}/${size}`;
}

/** The Content-Range of a 416: a star for the range, and the size in bytes. Source: RFC 9110 §14.4, §15.5.17. */
export function unsatisfiedContentRange(size: number): string {
  return `bytes */${size}`;
}

/**
 * How many of the ranges share a byte with another one. At most 5 ranges exist, so the comparison of all
 * pairs is cheap.
 */
function overlapping(ranges: readonly ByteRange[]): number {
  let count = 0;
  for (const [i, a] of ranges.entries()) {
    if (ranges.some((b, j) => i !== j && a.first <= b.last && b.first <= a.last)) count++;
  }
  return count;
}

/**
 * Compares two non-empty runs of digits as numbers of any length: a JavaScript number above 2^53 would be rounded.
 */
function compareDigits(a: string, b: string): number {
  if (a.length <= 15 && b.length <= 15) return Number(a) - Number(b);
  const [x, y] = [withoutZeros(a), withoutZeros(b)];
  if (x.length !== y.length) return x.length - y.length;
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Digits without leading zeros. */
function withoutZeros(digits: string): string {
  let start = 0;
  while (digits.charCodeAt(start) === 0x30) start++;
  return digits.slice(start);
}

/** The Content-Type of several ranges. */
export const byterangesType = (boundary: string): string => `multipart/byteranges; boundary=${boundary}`;

/**
 * Several ranges of one representation as one body. The bytes must not contain the boundary. It is therefore a
 * value that no client could foresee when it stored the bytes.
 *
 * Source: RFC 9110 §14.6; RFC 2046 §5.1.1.
 */
export function writeByteranges(
  { boundary, mediaType, size }: { boundary: string; mediaType: string; size: number },
  parts: readonly { readonly range: ByteRange; readonly bytes: Uint8Array }[],
): Uint8Array {
  const chunks = parts.flatMap(({ range, bytes }) => [
    Buffer.from(
      `\r\n--${boundary}\r\nContent-Type: ${mediaType}\r\nContent-Range: ${contentRange(range, size)}\r\n\r\n`,
    ),
    bytes,
  ]);
  return Buffer.concat([...chunks, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

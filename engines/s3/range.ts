import { Fault } from '../fault.ts';
import type { EngineRequest } from '../wire.ts';
import type { StoredObject } from './s3.ts';

/** The bytes from `first` to `last` of an object, inclusive. */
interface ObjectRange {
  first: number;
  last: number;
}

/**
 * Returns the range of an object that a request names: `bytes=first-last`, `bytes=first-` or `bytes=-length`.
 * Undefined for the whole object. S3 serves one range: several ranges, another unit and a malformed value get the
 * whole object. So does a request whose If-Range is neither the ETag nor the Last-Modified of the object.
 * @throws InvalidRange (416) with the object's size, if no byte of the object is in the range
 *
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html, Range, which refers to RFC 9110 §14.2;
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, InvalidRange.
 */
export function rangeOf(
  { range, 'if-range': ifRange }: EngineRequest['headers'],
  { size, etag, modified }: Pick<StoredObject, 'size' | 'etag' | 'modified'>,
): ObjectRange | undefined {
  if (ifRange !== undefined && ifRange !== etag && ifRange !== new Date(modified).toUTCString()) return;
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(range?.trim() ?? '') ?? [];
  const isSuffix = from === '';
  if (isSuffix && (to === '' || (size === 0 && Number(to) > 0))) return;
  if (!isSuffix && to !== '' && Number(to) < Number(from)) return;
  const first = isSuffix ? Math.max(size - Number(to), 0) : Number(from);
  if (first >= size) throw new Fault('InvalidRange', 'The requested range is not satisfiable', 416, { size });
  const last = isSuffix || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return { first, last };
}

import { Fault } from '../fault.ts';

/** Inclusive positions in bytes. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The part a Range header asks for; undefined for the whole object: no header, several ranges, or not bytes.
 *
 * Source: RFC 9110 section 14.2; S3 API Reference "GetObject", Range.
 * @throws InvalidRange (416) when no byte of the object is in the range
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, first, last] = match;
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= size) {
    throw new Fault('InvalidRange', 'The requested range is not satisfiable', 416, {
      ActualObjectSize: size,
    });
  }
  return { start, end };
}

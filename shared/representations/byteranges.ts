import { type ByteRange, contentRange } from '../http/conditional/range.ts';

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

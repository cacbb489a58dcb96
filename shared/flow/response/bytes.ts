import { createHash } from 'node:crypto';
import { formatSha256 } from '../../http/digest.ts';
import { type ByteRange, contentRange } from '../../http/range.ts';
import type { Response } from '../../http/response.ts';
import { byterangesType, writeByteranges } from '../../representations/byteranges.ts';
import type { Bytes } from '../../resource/outcome.ts';
import type { Exchange } from '../exchange.ts';
import { cacheHeaders, validatorHeaders } from './headers.ts';

/** A response with stored bytes: the whole, one range or several. Source: RFC 9110 §14.4, §14.6, §15.3.7. */
export function bytesResponse(exchange: Exchange, stored: Bytes): Response {
  const { headers: own, body } = content(exchange, stored);
  return {
    status: exchange.ranges ? 206 : 200,
    headers: {
      ...own,
      'Accept-Ranges': 'bytes',
      ...cacheHeaders(exchange.resource, { kind: 'bytes', bytes: stored }),
      ...validatorHeaders(exchange),
      ...digestHeaders(exchange, stored, body),
      ...stored.headers,
    },
    body,
  };
}

function content(
  { request, ranges, bytes = [] }: Exchange,
  { mediaType, size }: Bytes,
): { headers: Record<string, string>; body: Uint8Array } {
  if (ranges && ranges.length > 1) {
    const boundary = request.requestId;
    const parts = ranges.map((range, at) => ({ range, bytes: bytes[at] as Uint8Array }));
    return {
      headers: { 'Content-Type': byterangesType(boundary) },
      body: writeByteranges({ boundary, mediaType, size }, parts),
    };
  }
  const span: Record<string, string> = ranges
    ? { 'Content-Range': contentRange(ranges[0] as ByteRange, size) }
    : {};
  return { headers: { 'Content-Type': mediaType, ...span }, body: bytes[0] as Uint8Array };
}

/**
 * The digest of the whole, and the digest of the content. They differ in a response with ranges. Source: RFC 9530
 * §2, §3.
 */
function digestHeaders({ ranges }: Exchange, { sha256 }: Bytes, body: Uint8Array): Record<string, string> {
  if (sha256 === undefined) return {};
  const whole = formatSha256(sha256);
  const sent = ranges ? formatSha256(createHash('sha256').update(body).digest('base64')) : whole;
  return { 'Repr-Digest': whole, 'Content-Digest': sent };
}

import { createHash } from 'node:crypto';
import type { Validators } from '../../http/conditional/conditions.ts';
import { formatHttpDate } from '../../http/conditional/http-date.ts';
import { byterangesType, contentRange, writeByteranges } from '../../http/conditional/range.ts';
import { formatLinks } from '../../http/fields/link.ts';
import type { Response } from '../../http/response.ts';
import { historyLinks } from '../../representations/item.ts';
import type { Bytes } from '../../resource/actions/outcome.ts';
import { formatSha256 } from '../../resource/binary.ts';
import type { BytesRead, Received, Targeted } from '../exchange.ts';
import { cacheHeaders, validatorHeaders } from './cache-and-validators.ts';

/** A response with stored bytes: the whole, one range or several. Source: RFC 9110 §14.4, §14.6, §15.3.7. */
export function bytesResponse(
  exchange: Received & Targeted,
  stored: Bytes,
  read: BytesRead,
  validators: Validators | undefined,
): Response {
  const { request, resource, parameters } = exchange;
  const { headers: own, body } = content(request.requestId, stored, read);
  return {
    status: read.kind === 'ranges' ? 206 : 200,
    headers: {
      ...own,
      'Accept-Ranges': 'bytes',
      ...stored.headers,
      ...cacheHeaders(exchange, { kind: 'bytes', bytes: stored }),
      ...validatorHeaders(request, validators),
      ...digestHeaders(read, stored, request.method === 'HEAD' ? undefined : body),
      ...(stored.history
        ? {
            Link: formatLinks(
              historyLinks(resource, parameters.name ?? parameters.id ?? '', request.basePath),
            ),
          }
        : {}),
      ...(stored.history === 'past' ? { 'Memento-Datetime': formatHttpDate(stored.lastModified) } : {}),
    },
    // The service codes texts only.
    body: stored.isText && read.kind === 'whole' ? Buffer.from(read.bytes).toString('utf8') : body,
  };
}

/** `boundary`: separates several ranges. */
function content(
  boundary: string,
  { mediaType, size }: Bytes,
  read: BytesRead,
): { headers: Record<string, string>; body?: Uint8Array } {
  if (read.kind === 'length')
    return { headers: { 'Content-Type': mediaType, 'Content-Length': String(size) } };
  if (read.kind === 'whole') return { headers: { 'Content-Type': mediaType }, body: read.bytes };
  const [first, ...others] = read.parts;
  if (first && others.length === 0) {
    const range = contentRange(first.range, size);
    return { headers: { 'Content-Type': mediaType, 'Content-Range': range }, body: first.bytes };
  }
  return {
    headers: { 'Content-Type': byterangesType(boundary) },
    body: writeByteranges({ boundary, mediaType, size }, read.parts),
  };
}

/**
 * The digest of the whole, and the digest of the content. They differ in a response with ranges. A response to HEAD has no
 * content. Source: RFC 9530 §2, §3, §B.2.
 */
function digestHeaders({ kind }: BytesRead, { sha256 }: Bytes, body?: Uint8Array): Record<string, string> {
  if (sha256 === undefined) return {};
  const whole = formatSha256(sha256);
  if (!body) return { 'Repr-Digest': whole };
  const sent = kind === 'ranges' ? formatSha256(createHash('sha256').update(body).digest('base64')) : whole;
  return { 'Repr-Digest': whole, 'Content-Digest': sent };
}

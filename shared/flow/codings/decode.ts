import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { listMembers } from '../../http/fields/field-value.ts';
import { MAXIMUM_BODY, MAXIMUM_UNPACKED } from '../../http/maximum-sizes.ts';
import type { Request } from '../../http/request.ts';
import { type Ending, refuse } from '../ending.ts';
import type { Received, Targeted } from '../exchange.ts';
import { mediaTypeOf } from '../request/body.ts';

/** Header fields that describe the coded content. */
const OF_CODED_CONTENT = ['content-encoding', 'content-digest', 'repr-digest'];
const GZIP: readonly string[] = ['gzip', 'x-gzip'];

/**
 * True if content that is declared as gzip has the first bytes of gzip. API Gateway unpacks content and keeps its fields, so
 * only the bytes show which content arrived. Source: RFC 1952 §2.3.1; API Gateway Developer Guide, "Call an API method with a
 * compressed payload".
 */
export const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** The content codings of a request, in the order of their use, without `identity`. Source: RFC 9110 §8.4. */
export const codingsOf = ({ headers }: Request): readonly string[] =>
  listMembers(headers['content-encoding'] ?? '')
    .map((name) => name.toLowerCase())
    .filter((name) => name !== 'identity');

/**
 * The request with its content decoded, and without the fields that describe the coded content. A worker or a digest
 * of the payload never sees the coding. Content that an intermediary has unpacked stays as it is. Unpacking stops at
 * the limit, so a small request cannot fill the memory.
 *
 * Source: RFC 9110 §8.4.1.3, §15.5.16; Specification 2.48.
 */
export async function decodeContent({
  request,
  endpoint,
}: Received & Targeted): Promise<
  { readonly kind: 'request'; readonly request: Request } | Ending<400 | 413 | 415>
> {
  const [coding = '', ...others] = codingsOf(request);
  const takesGzip = endpoint.content !== 'bytes';
  if (!takesGzip || others.length > 0 || !GZIP.includes(coding)) {
    const accepted = takesGzip ? 'gzip' : 'identity';
    const advice = takesGzip ? 'Send the content in gzip, or as it is' : 'Send the content as it is';
    return refuse('unsupported-media-type', `${advice}: no other content coding is supported`, {
      headers: { 'Accept-Encoding': accepted },
    });
  }
  const bytes = request.content() ?? new Uint8Array();
  const hasFiles = endpoint.content === 'files' || mediaTypeOf(request)?.type === 'multipart';
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !OF_CODED_CONTENT.includes(name)),
  );
  if (!isPacked(bytes)) return { kind: 'request', request: { ...request, headers } };
  const maximum = hasFiles ? MAXIMUM_UNPACKED : MAXIMUM_BODY;
  try {
    const content = await promisify(gunzip)(bytes, { maxOutputLength: maximum });
    return { kind: 'request', request: { ...request, headers, content: () => content } };
  } catch (error) {
    if (isTooLarge(error)) {
      return refuse(
        'payload-too-large',
        `The content has more than ${maximum} bytes without its coding. Send less in one request`,
        { members: { maximum } },
      );
    }
    return refuse(
      'malformed-body',
      'The content is not valid gzip. Compress it again, or send it without Content-Encoding',
      { errors: [{ header: 'Content-Encoding', detail: 'names gzip, and the content cannot be unpacked' }] },
    );
  }
}

/** True if an error says that unpacked content exceeds its limit. */
export const isTooLarge = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

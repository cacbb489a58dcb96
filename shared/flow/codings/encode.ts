import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { Validators } from '../../http/conditional/conditions.ts';
import { codedTag, formatEntityTag, parseEntityTag } from '../../http/conditional/entity-tag.ts';
import { type Coding, chooseCoding, MINIMUM_BYTES } from '../../http/fields/accept-encoding.ts';
import type { Request } from '../../http/request.ts';
import type { Response } from '../../http/response.ts';

/** Levels with a good ratio for a few milliseconds of work: decision 37 has the numbers. */
const COMPRESS: Readonly<Record<Coding, (text: string) => Promise<Uint8Array>>> = {
  zstd: (text) => promisify(zstdCompress)(text, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text) => promisify(gzip)(text),
};

/** The coding of a text. A field that may forbid short text without a coding names identity, or has a wildcard. */
const codingFor = (field: string | undefined, bytes: number): Coding | undefined =>
  field === undefined || (bytes < MINIMUM_BYTES && !/identity|\*/i.test(field))
    ? undefined
    : chooseCoding(field, bytes);

/** The validators of a text of this many bytes, in the coding that this client gets. */
export function codedValidators({ headers }: Request, validators: Validators, bytes: number): Validators {
  const coding = validators.etag && codingFor(headers['accept-encoding'], bytes);
  return coding ? { ...validators, etag: codedTag(validators.etag, coding) } : validators;
}

/** Header fields that describe the text without coding. Source: RFC 9110 §14.3; RFC 9530 §2, §3. */
const UNCODED = ['Accept-Ranges', 'Content-Digest', 'Repr-Digest'];

/**
 * The response in the content coding that the client prefers. The service codes every text, and never the files of
 * clients. `Vary` is the same for every length of the text and in a 304, because the text may become longer.
 *
 * Source: RFC 9110 §8.4, §12.5.3, §15.4.5; Specification 2.52.
 */
export async function encodeContent(request: Request, response: Response): Promise<Response> {
  const { status, body } = response;
  const isText = typeof body === 'string';
  const { Vary } = response.headers;
  // The bytes of a file vary by Accept-Datetime alone.
  if (!isText && (status !== 304 || !Vary || Vary === 'Accept-Datetime')) return response;
  const headers = { ...response.headers, Vary: varyOf(Vary) };
  const coding = isText && codingFor(request.headers['accept-encoding'], Buffer.byteLength(body));
  if (!coding) return { ...response, headers };
  const others = Object.entries(headers).filter(([name]) => !UNCODED.includes(name));
  return {
    ...response,
    headers: {
      ...Object.fromEntries(others),
      ...tagOf(request, response, coding),
      'Content-Encoding': coding,
    },
    body: await COMPRESS[coding](body),
  };
}

/** Names `Accept-Encoding` once. A page with a refused filter has passed here before, as a list. */
const varyOf = (vary = 'Accept-Encoding'): string =>
  vary.endsWith('Accept-Encoding') ? vary : `${vary}, Accept-Encoding`;

/**
 * The entity tag of the content. A problem, and the response to a PUT without `Content-Location`, carry the tag of
 * another representation, which no coding of the content changes.
 *
 * Source: RFC 9110 §9.3.4, §15.5.13.
 */
function tagOf({ method }: Request, { status, headers }: Response, coding: Coding): Record<string, string> {
  const isOfContent = status < 400 && (method !== 'PUT' || headers['Content-Location'] !== undefined);
  const tag = isOfContent && headers.ETag !== undefined ? parseEntityTag(headers.ETag) : undefined;
  return tag ? { ETag: formatEntityTag(codedTag(tag, coding)) } : {};
}

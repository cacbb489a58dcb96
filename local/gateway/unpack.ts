import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { isPacked, isTooLarge } from '../../shared/flow/codings/decode.ts';
import { listMembers } from '../../shared/http/fields/field-value.ts';

/** The codings that API Gateway unpacks. */
const UNPACKED = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
]);

/**
 * Returns the body without its content coding, as API Gateway passes it on beside the fields that describe the coded
 * one; or the gateway response. `maximum`: of the unpacked bytes.
 *
 * Source: API Gateway Developer Guide, "Call an API method with a compressed payload", "Content codings supported by API
 * Gateway".
 */
export async function unpackBody(
  { headers }: IncomingMessage,
  body: Buffer,
  maximum: number,
): Promise<Buffer | 'UNSUPPORTED_MEDIA_TYPE' | 'REQUEST_TOO_LARGE'> {
  const codings = listMembers(headers['content-encoding'] ?? '')
    .map((name) => name.toLowerCase())
    .filter((name) => name !== 'identity');
  const [coding = '', ...others] = codings;
  if (coding === '' || body.length === 0) return body;
  // The function reads the older name of gzip. Source: RFC 9110 §8.4.1.3.
  if (coding === 'x-gzip' && others.length === 0) return body;
  const unpack = others.length === 0 ? UNPACKED.get(coding) : undefined;
  if (!unpack) return 'UNSUPPORTED_MEDIA_TYPE';
  try {
    return await unpack(body, { maxOutputLength: maximum });
  } catch (error) {
    if (isTooLarge(error)) return 'REQUEST_TOO_LARGE';
    // The function says what is wrong with content that begins as gzip.
    return isPacked(body) ? body : 'UNSUPPORTED_MEDIA_TYPE';
  }
}

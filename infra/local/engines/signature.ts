import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { EngineRequest } from './engines.ts';
import { Fault } from './fault.ts';

/** The one key pair the engines know. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * The parts of a signature, from the Authorization header or from a presigned query: the credential is
 * `key/date/region/service/aws4_request`, the date `YYYYMMDDTHHMMSSZ`; only what is presigned expires, in seconds.
 */
interface Claims {
  credential: string;
  signedHeaders: string;
  signature: string;
  date: string;
  payload: string;
  expires?: string;
}

const WEEK = 604_800;

/**
 * The JSON services check that a request is signed with the known key, not the signature itself.
 * @throws UnrecognizedClientException (403)
 */
export function requireKey(request: EngineRequest, { accessKeyId }: Credentials): void {
  if (claimsOf(request).credential.startsWith(`${accessKeyId}/`)) return;
  throw new Fault('UnrecognizedClientException', 'The security token is invalid or missing.', 403);
}

/**
 * Verifies the SigV4 signature of an S3 request, in the header or presigned.
 * Source: S3 API Reference "Authenticating requests (AWS Signature Version 4)".
 * @throws AccessDenied, InvalidAccessKeyId or SignatureDoesNotMatch (403); InvalidArgument (400) where a presigned request
 * brings other credentials besides
 */
export function verifySignature(request: EngineRequest, credentials: Credentials, now: number): void {
  if (request.headers.authorization !== undefined && /(?:^|&)X-Amz-Algorithm=/.test(request.query))
    throw new Fault('InvalidArgument', 'Only one auth mechanism allowed');
  const claims = claimsOf(request);
  if (claims.credential === '') throw new Fault('AccessDenied', 'Access Denied', 403);
  if (now > endOf(claims)) throw new Fault('AccessDenied', 'Request has expired', 403);
  if (!claims.credential.startsWith(`${credentials.accessKeyId}/`)) {
    throw new Fault('InvalidAccessKeyId', 'The AWS Access Key Id you provided is not in our records.', 403);
  }
  // Whoever passes on a presigned URL decides what is stored with an object: nobody adds to it.
  const signed = new Set(claims.signedHeaders.split(';'));
  if (Object.keys(request.headers).some((name) => name.startsWith('x-amz-') && !signed.has(name))) {
    throw new Fault('AccessDenied', 'There were headers present in the request which were not signed', 403);
  }
  const expected = Buffer.from(sign(request, claims, credentials.secretAccessKey));
  const given = Buffer.from(claims.signature);
  if (expected.length === given.length && timingSafeEqual(expected, given)) return;
  throw new Fault('SignatureDoesNotMatch', 'The signature we calculated is not the one provided.', 403);
}

function claimsOf({ headers, query }: EngineRequest): Claims {
  const { authorization } = headers;
  const parameters = new URLSearchParams(query);
  const part = (name: string): string =>
    authorization === undefined
      ? (parameters.get(`X-Amz-${name}`) ?? '')
      : (new RegExp(`\\b${name}=([^,\\s]+)`).exec(authorization)?.[1] ?? '');
  return {
    credential: part('Credential'),
    signedHeaders: part('SignedHeaders'),
    signature: part('Signature'),
    ...(authorization === undefined
      ? { date: part('Date'), payload: 'UNSIGNED-PAYLOAD', expires: part('Expires') }
      : { date: headers['x-amz-date'] ?? '', payload: headers['x-amz-content-sha256'] ?? '' }),
  };
}

/** When a presigned request expires, in milliseconds since 1970. */
function endOf({ date, expires }: Claims): number {
  if (expires === undefined) return Number.POSITIVE_INFINITY;
  const begin = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  const seconds = Number(expires || Number.NaN);
  if (begin >= 0 && seconds >= 0 && seconds <= WEEK) return begin + seconds * 1000;
  throw new Fault('AuthorizationQueryParametersError', `X-Amz-Expires must be at most ${WEEK} (in seconds)`);
}

function sign(request: EngineRequest, claims: Claims, secret: string): string {
  const headers = claims.signedHeaders
    .split(';')
    .map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/\s+/g, ' ')}\n`);
  const canonical = [
    request.method,
    request.path.split('/').map(reencoded).join('/'),
    canonicalQuery(request.query),
    headers.join(''),
    claims.signedHeaders,
    claims.payload,
  ].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const scope = claims.credential.split('/').slice(1);
  const hmac = (key: string | Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest();
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, ['AWS4-HMAC-SHA256', claims.date, scope.join('/'), hash].join('\n')).toString('hex');
}

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => pair.split(/=(.*)/s))
    .map(([name = '', value = '']) => `${reencoded(name)}=${reencoded(value)}`)
    .sort()
    .join('&');
}

/** One spelling for what clients encode differently. */
function reencoded(text: string): string {
  try {
    return uriEncoded(decodeURIComponent(text));
  } catch {
    // Not percent-encoded UTF-8: encoded once more, so that the signature cannot match.
    return uriEncoded(text.toWellFormed());
  }
}

/** Encodes everything but unreserved characters. Source: RFC 3986 §2.3. */
export function uriEncoded(text: string): string {
  const hex = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, hex);
}

import { createHmac, createSecretKey, hash, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { Fault } from './fault.ts';
import type { EngineRequest } from './wire.ts';

/** The only key pair that the engines accept. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Returns a random key pair. The access key has only letters and digits, because DynamoDB Local requires that. */
export const newCredentials = (): Credentials => ({
  accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(20).toString('hex'),
});

/**
 * The parts of a signature in the Authorization header or in a presigned query. The credential is
 * `key/date/region/service/aws4_request`, the date `YYYYMMDDTHHMMSSZ`. Only a presigned request expires, in seconds.
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
 * Maximum difference in ms between the clocks of client and engines. Source: S3 API Reference, RequestTimeTooSkewed.
 */
const SKEW_MS = 900_000;

/**
 * True if the query of an S3 request carries its signature. Requests to JSON services have a target and are signed in
 * header fields.
 */
export const isPresigned = ({ query, headers }: Pick<EngineRequest, 'query' | 'headers'>): boolean =>
  headers['x-amz-target'] === undefined && /(?:^|&)X-Amz-Signature=/.test(query);

/**
 * Verifies the SigV4 signature of a request with an Authorization header field, and of its whole body.
 * Source: AWS General Reference, "Signature Version 4 signing process".
 * @throws UnrecognizedClientException or InvalidSignatureException (403)
 */
export function verifyHeader(
  request: EngineRequest,
  body: Uint8Array,
  credentials: Credentials,
  now: number,
): void {
  const claims = claimsOf(request);
  if (
    request.headers.authorization === undefined ||
    !claims.credential.startsWith(`${credentials.accessKeyId}/`)
  )
    throw new Fault('UnrecognizedClientException', 'The security token is invalid or missing.', 403);
  // The AWS CLI does not send the digest in a header field.
  const payload = sha256(body);
  if (
    isSkewed(claims, now) ||
    !signsAll(request, claims) ||
    !isGenuine(request, { ...claims, payload }, credentials)
  )
    throw new Fault('InvalidSignatureException', 'The signature we calculated is not the one provided.', 403);
}

/**
 * Verifies the SigV4 signature of an S3 request, in the header or presigned.
 * @throws AccessDenied, InvalidAccessKeyId, RequestTimeTooSkewed or SignatureDoesNotMatch (403); InvalidArgument
 * (400) if a presigned request also carries other credentials
 *
 * Source: S3 API Reference "Authenticating requests (AWS Signature Version 4)".
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
  if (claims.expires === undefined && isSkewed(claims, now))
    throw new Fault(
      'RequestTimeTooSkewed',
      'The time of the request and the time here differ too much.',
      403,
    );
  // The signer of a presigned URL decides the header fields that S3 stores. The holder of the URL cannot add any.
  if (!signsAll(request, claims))
    throw new Fault('AccessDenied', 'There were headers present in the request which were not signed', 403);
  if (isGenuine(request, claims, credentials)) return;
  throw new Fault('SignatureDoesNotMatch', 'The signature we calculated is not the one provided.', 403);
}

/**
 * Returns the header fields of a request to a JSON service, with `host` and the signature. `at`: milliseconds since
 * 1970.
 */
export function signedHeaders(
  request: Pick<EngineRequest, 'method' | 'path' | 'query' | 'headers'> & { readonly body?: Uint8Array },
  { accessKeyId, secretAccessKey }: Credentials,
  at: number,
): Record<string, string> {
  const date = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  const headers = { ...request.headers, 'x-amz-date': date };
  const { body = Buffer.alloc(0) } = request;
  const claims: Claims = {
    credential: `${accessKeyId}/${date.slice(0, 8)}/us-east-1/service/aws4_request`,
    signedHeaders: Object.keys(headers).sort().join(';'),
    signature: '',
    date,
    payload: sha256(body),
  };
  const signature = sign({ ...request, headers, body: [body] }, claims, secretAccessKey);
  const authorization = `AWS4-HMAC-SHA256 Credential=${claims.credential}, SignedHeaders=${claims.signedHeaders}, Signature=${signature}`;
  return { ...headers, authorization };
}

/** True if the signature covers the host and every header field of AWS. */
function signsAll({ headers }: EngineRequest, claims: Claims): boolean {
  const signed = new Set(claims.signedHeaders.split(';'));
  return (
    signed.has('host') && Object.keys(headers).every((name) => !name.startsWith('x-amz-') || signed.has(name))
  );
}

const isSkewed = ({ date }: Claims, now: number): boolean => !(Math.abs(now - timeOf(date)) <= SKEW_MS);

function isGenuine(request: EngineRequest, claims: Claims, { secretAccessKey }: Credentials): boolean {
  const expected = Buffer.from(sign(request, claims, secretAccessKey));
  const given = Buffer.from(claims.signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The members of an Authorization header field. Source: the same guide, "Add the signature to the HTTP request". */
const CREDENTIAL = /\bCredential=([^,\s]+)/;
const SIGNED_HEADERS = /\bSignedHeaders=([^,\s]+)/;
const SIGNATURE = /\bSignature=([^,\s]+)/;

function claimsOf({ headers, query }: EngineRequest): Claims {
  const { authorization } = headers;
  if (authorization === undefined) {
    const parameters = new URLSearchParams(query);
    const part = (name: string): string => parameters.get(`X-Amz-${name}`) ?? '';
    return {
      credential: part('Credential'),
      signedHeaders: part('SignedHeaders'),
      signature: part('Signature'),
      date: part('Date'),
      payload: 'UNSIGNED-PAYLOAD',
      expires: part('Expires'),
    };
  }
  const member = (pattern: RegExp): string => pattern.exec(authorization)?.[1] ?? '';
  return {
    credential: member(CREDENTIAL),
    signedHeaders: member(SIGNED_HEADERS),
    signature: member(SIGNATURE),
    date: headers['x-amz-date'] ?? '',
    payload: headers['x-amz-content-sha256'] ?? '',
  };
}

/** When a presigned request expires, in milliseconds since 1970. */
function endOf({ date, expires }: Claims): number {
  if (expires === undefined) return Number.POSITIVE_INFINITY;
  const begin = timeOf(date);
  const seconds = Number(expires || Number.NaN);
  if (begin >= 0 && seconds >= 0 && seconds <= WEEK) return begin + seconds * 1000;
  throw new Fault('AuthorizationQueryParametersError', `X-Amz-Expires must be at most ${WEEK} (in seconds)`);
}

const DATE = /^\d{8}T\d{6}Z$/;

/** Milliseconds since 1970 of `YYYYMMDDTHHMMSSZ`, otherwise NaN. Date.parse takes three times as long. */
function timeOf(date: string): number {
  if (!DATE.test(date)) return Number.NaN;
  const part = (from: number, to: number): number => Number(date.slice(from, to));
  return Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), part(9, 11), part(11, 13), part(13, 15));
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
  const scope = claims.credential.slice(claims.credential.indexOf('/') + 1);
  const text = `AWS4-HMAC-SHA256\n${claims.date}\n${scope}\n${sha256(canonical)}`;
  return createHmac('sha256', signingKey(secret, scope)).update(text).digest('hex');
}

/** Signing keys by secret and scope. A client uses one for a whole day. */
const signingKeys = new Map<string, KeyObject>();
const MAXIMUM_KEYS = 100;

/** The key of a scope `date/region/service/aws4_request`. Source: the same guide, "Calculate the signature". */
function signingKey(secret: string, scope: string): KeyObject {
  const name = `${secret}/${scope}`;
  const known = signingKeys.get(name);
  if (known) return known;
  const hmac = (key: KeyObject, text: string) =>
    createSecretKey(createHmac('sha256', key).update(text).digest());
  const key = scope.split('/').reduce(hmac, createSecretKey(`AWS4${secret}`, 'utf8'));
  if (signingKeys.size >= MAXIMUM_KEYS) signingKeys.clear();
  signingKeys.set(name, key);
  return key;
}

const sha256 = (content: string | Uint8Array): string => hash('sha256', content, 'hex');

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => pair.split(/=(.*)/s))
    .map(([name = '', value = '']) => `${reencoded(name)}=${reencoded(value)}`)
    .sort()
    .join('&');
}

/** Normalizes encodings that differ between clients. */
function reencoded(text: string): string {
  try {
    return uriEncoded(decodeURIComponent(text));
  } catch {
    // Not percent-encoded UTF-8. Encoded again, so that the signature cannot match.
    return uriEncoded(text.toWellFormed());
  }
}

/** Encodes everything but unreserved characters. Source: RFC 3986 §2.3. */
export function uriEncoded(text: string): string {
  const hex = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, hex);
}

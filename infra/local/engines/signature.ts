import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { EngineRequest } from './engines.ts';
import { Fault } from './fault.ts';

/** The one key pair the engines know. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** The parts of a signature, from the Authorization header or from a presigned query. */
interface Signed {
  accessKeyId: string;
  /** `date/region/service/aws4_request` */
  scope: string;
  signedHeaders: string[];
  signature: string;
  /** `YYYYMMDDTHHMMSSZ` */
  time: string;
  payload: string;
  /** Milliseconds since 1970; presigned requests only. */
  expires?: number;
}

/**
 * The JSON services check that a request is signed with the known key, not the signature itself.
 *
 * @throws UnrecognizedClientException (403)
 */
export function requireKey({ headers }: EngineRequest, { accessKeyId }: Credentials): void {
  const claimed = /Credential=([^/,\s]+)\//.exec(headers.authorization ?? '')?.[1];
  if (claimed === accessKeyId) return;
  throw new Fault(
    'UnrecognizedClientException',
    'The security token included in the request is invalid or missing.',
    403,
  );
}

/**
 * Verifies the SigV4 signature of an S3 request, in the header or presigned.
 *
 * Source: S3 API Reference "Authenticating requests (AWS Signature Version 4)".
 * @throws AccessDenied, InvalidAccessKeyId or SignatureDoesNotMatch (403)
 */
export function verifySignature(request: EngineRequest, credentials: Credentials, now: number): void {
  const signed = fromHeader(request) ?? fromQuery(request);
  if (!signed) throw new Fault('AccessDenied', 'Access Denied', 403);
  if (signed.expires !== undefined && now > signed.expires) {
    throw new Fault('AccessDenied', 'Request has expired', 403, {
      Expires: new Date(signed.expires).toISOString(),
      ServerTime: new Date(now).toISOString(),
    });
  }
  if (signed.accessKeyId !== credentials.accessKeyId) {
    throw new Fault(
      'InvalidAccessKeyId',
      'The AWS Access Key Id you provided does not exist in our records.',
      403,
    );
  }
  const expected = Buffer.from(sign(request, signed, credentials.secretAccessKey));
  const given = Buffer.from(signed.signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) {
    throw new Fault(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
      403,
    );
  }
}

function fromHeader({ headers }: EngineRequest): Signed | undefined {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    );
  if (!match) return undefined;
  const [, accessKeyId = '', scope = '', signedHeaders = '', signature = ''] = match;
  return {
    accessKeyId,
    scope,
    signature,
    signedHeaders: signedHeaders.split(';'),
    time: headers['x-amz-date'] ?? '',
    payload: headers['x-amz-content-sha256'] ?? '',
  };
}

function fromQuery({ query }: EngineRequest): Signed | undefined {
  const parameters = new URLSearchParams(query);
  const of = (name: string): string => parameters.get(`X-Amz-${name}`) ?? '';
  if (of('Algorithm') !== 'AWS4-HMAC-SHA256') return undefined;
  const time = of('Date');
  const [year, month, day, hour, minute, second] = time.match(/\d\d(?:\d\d(?=\d{4}T))?/g) ?? [];
  const begin = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const seconds = Number(of('Expires') || Number.NaN);
  if (!(seconds >= 0 && seconds <= 604_800) || Number.isNaN(begin)) {
    throw new Fault(
      'AuthorizationQueryParametersError',
      'X-Amz-Expires must be less than a week (in seconds)',
      400,
    );
  }
  const credential = of('Credential');
  const slash = credential.indexOf('/');
  return {
    time,
    accessKeyId: credential.slice(0, slash),
    scope: credential.slice(slash + 1),
    signedHeaders: of('SignedHeaders').split(';'),
    signature: of('Signature'),
    payload: parameters.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
    expires: begin + seconds * 1000,
  };
}

function sign(request: EngineRequest, signed: Signed, secret: string): string {
  const headers = signed.signedHeaders.map(
    (name) => `${name}:${(request.headers[name] ?? '').trim().replace(/\s+/g, ' ')}\n`,
  );
  const canonical = [
    request.method,
    request.path.split('/').map(reencode).join('/'),
    canonicalQuery(request.query),
    headers.join(''),
    signed.signedHeaders.join(';'),
    signed.payload,
  ].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const key = signed.scope
    .split('/')
    .reduce<string | Buffer>(
      (sofar, part) => createHmac('sha256', sofar).update(part).digest(),
      `AWS4${secret}`,
    );
  return createHmac('sha256', key)
    .update(`AWS4-HMAC-SHA256\n${signed.time}\n${signed.scope}\n${hash}`)
    .digest('hex');
}

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return `${reencode(name)}=${reencode(value.join('='))}`;
    })
    .sort()
    .join('&');
}

/** One spelling for what clients encode differently. */
function reencode(text: string): string {
  let decoded = text;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    // Not percent-encoded UTF-8: taken literally, so that the signature cannot match.
  }
  return uriEncoded(decoded.toWellFormed());
}

/** Encodes everything but unreserved characters. Source: RFC 3986 §2.3. */
export function uriEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

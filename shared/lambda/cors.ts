import { config } from '../aws/config.ts';
import { allowOrigin } from '../http/origin.ts';
import { everyAnswer, headerOf } from './every-answer.ts';

/** Header fields that scripts of other origins may read. Source: Fetch standard, "CORS-exposed header-name list". */
export const EXPOSED = [
  'ETag',
  'Location',
  'Link',
  'Link-Template',
  'Allow',
  'Accept-Patch',
  'Accept-Post',
  'Accept-Ranges',
  'Content-Range',
  'Content-Location',
  'Content-Digest',
  'Repr-Digest',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Preference-Applied',
  'Idempotency-Replayed',
  'Deprecation',
  'Sunset',
].join(', ');

/** Header fields that scripts of other origins may send. */
const ALLOWED = [
  'Accept',
  'Authorization',
  'Cache-Control',
  'Content-Type',
  'Content-Digest',
  'Content-Encoding',
  'Repr-Digest',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'If-Range',
  'Pragma',
  'Prefer',
  'Range',
  'X-Requested-With',
].join(', ');

/** Seconds that a browser may cache the response to a preflight. */
const MAXIMUM_AGE = '7200';

/**
 * The CORS header fields of every response. The service allows no credentials: only its own pages may rely on its
 * cookies.
 *
 * Source: Fetch standard, "CORS protocol and HTTP caches"; Specification 11.7.
 */
export const cors = () =>
  everyAnswer((headers, event) => {
    const origin = headerOf(event, 'origin');
    const allowed = allowOrigin(config.gateway().allowedOrigin, origin);
    if (allowed) headers['Access-Control-Allow-Origin'] = allowed;
    if (allowed && origin !== undefined) headers['Access-Control-Expose-Headers'] = EXPOSED;
    headers.Vary = headers.Vary ? `${headers.Vary}, Origin` : 'Origin';
    if (event.httpMethod !== 'OPTIONS') return;
    headers['Access-Control-Allow-Methods'] = String(headers.Allow ?? '');
    headers['Access-Control-Allow-Headers'] = ALLOWED;
    headers['Access-Control-Max-Age'] = MAXIMUM_AGE;
  });

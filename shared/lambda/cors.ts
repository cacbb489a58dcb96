import { config } from '../aws/config.ts';
import { allowOrigin } from '../http/origin.ts';
import { everyAnswer, headerOf } from './every-answer.ts';

/** Header fields that scripts of other origins may read. Source: Fetch standard, "CORS-exposed header-name list". */
export const EXPOSED = [
  'ETag',
  'Location',
  'Link',
  'Allow',
  'Accept-Patch',
  'Accept-Ranges',
  'Content-Range',
  'Content-Location',
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
  'Prefer',
  'Range',
].join(', ');

/** Seconds that a browser may cache the response to a preflight. */
const MAXIMUM_AGE = '7200';

/** The CORS header fields of every response. The service allows no credentials: only its own
 * pages may rely on its cookies. */
export const cors = () =>
  everyAnswer((headers, event) => {
    const allowed = allowOrigin(config.allowedOrigin(), headerOf(event, 'origin'));
    if (allowed) headers['Access-Control-Allow-Origin'] = allowed;
    // `Vary` may lack Origin only if every origin may read the response.
    if (allowed !== '*') headers.Vary = headers.Vary ? `${headers.Vary}, Origin` : 'Origin';
    headers['Access-Control-Expose-Headers'] = EXPOSED;
    if (event.httpMethod !== 'OPTIONS') return;
    headers['Access-Control-Allow-Methods'] = String(headers.Allow ?? '');
    headers['Access-Control-Allow-Headers'] = ALLOWED;
    headers['Access-Control-Max-Age'] = MAXIMUM_AGE;
  });

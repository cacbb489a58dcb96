import { essence } from '../../../http/fields/media-type.ts';
import { isSafe } from '../../../http/method.ts';
import type { Request } from '../../../http/request.ts';
import { reliesOnCookie } from '../../../http/sign-in.ts';
import { refuse } from '../../ending.ts';
import type { Received } from '../../exchange.ts';
import { mediaTypeOf } from '../../request/body.ts';
import { step } from '../../step.ts';

/**
 * The media types that a browser sends to another origin without a preflight request. Source: Fetch §2.2.2
 * (CORS-safelisted Content-Type).
 */
const SAFELISTED = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/**
 * Refuses a POST that a page of another origin triggered in a browser: forms send no preflight request. If the request
 * relies on the cookie, this holds for every unsafe method and every content.
 *
 * Source: Fetch Metadata Request Headers §2.3 (Sec-Fetch-Site); RFC 6454 §7 (Origin); Specification 6.8,
 * 11.12.
 */
export const crossSite = step<Received>()('crossSite', [403], ({ request }) => {
  if (isSafe(request.method) || !isForeign(request)) return undefined;
  const isForm = request.method === 'POST' && isWithoutPreflight(request);
  if (!isForm && !reliesOnCookie(request)) return undefined;
  return refuse(
    'forbidden',
    'This service refuses forms from pages of other sites. Open the form on this service',
  );
});

/**
 * Browsers parse media types less strictly than this service. A malformed one may therefore have come without a
 * preflight.
 */
function isWithoutPreflight(request: Request): boolean {
  const mediaType = mediaTypeOf(request);
  return mediaType === undefined || SAFELISTED.includes(essence(mediaType));
}

/**
 * `Sec-Fetch-Site` names the relation of the page to this host. Older browsers send only `Origin`, which must then
 * be this host. Other ports of this host and its sibling domains are foreign, too.
 */
function isForeign({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const from = new URL(origin);
  // API Gateway adds the scheme of the request.
  const scheme = headers['x-forwarded-proto'];
  return from.host !== host?.toLowerCase() || (scheme !== undefined && from.protocol !== `${scheme}:`);
}

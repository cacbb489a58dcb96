import { essence } from '../../../http/fields/media-type.ts';
import { namedOrigin } from '../../../http/origin.ts';
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
 * Refuses a POST that a page of another origin triggered in a browser without a preflight request, as forms do. An
 * allowed origin may send every content. If the request relies on the cookie, the service refuses every unsafe method
 * of every other origin.
 *
 * Source: Fetch Metadata Request Headers §2.3 (Sec-Fetch-Site); RFC 6454 §7 (Origin); Specification 6.8,
 * 11.12.
 */
export const crossSite = step<Received>()('crossSite', [403], ({ request }) => {
  if (!isForeign(request)) return undefined;
  const from = namedOrigin(request.headers.origin);
  if (reliesOnCookie(request)) {
    return refuse(
      'forbidden',
      `A page of ${from} sent this with the cookie of a person. Only pages of this service may do that`,
    );
  }
  if (request.isFromAllowedOrigin || request.method !== 'POST' || !isWithoutPreflight(request))
    return undefined;
  return refuse(
    'forbidden',
    `This service does not allow pages of ${from} to send this. Open the form on this service, or ask the operator to allow the origin`,
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

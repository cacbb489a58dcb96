import { essence } from '../../http/media-type.ts';
import type { Request } from '../../http/request.ts';
import { refuse } from '../ending.ts';
import { mediaTypeOf } from '../request/body.ts';
import { step } from '../step.ts';

/** What a page of another site can make a browser send without asking this service first. Source: Fetch §2.2.2 (CORS-safelisted Content-Type). */
const UNASKED = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/**
 * Refuses posts that a page of another origin made a browser send: forms know no preflight.
 *
 * Source: Fetch Metadata Request Headers §2.3 (Sec-Fetch-Site); RFC 6454 §7 (Origin).
 */
export const crossSite = step('crossSite', [403], ({ request }) => {
  if (request.method !== 'POST' || !isUnasked(request) || !isForeign(request)) return undefined;
  return refuse('forbidden', 'Foreign forms are refused');
});

/** Browsers read media types less strictly than this service: what it cannot read may have come unasked, too. */
function isUnasked(request: Request): boolean {
  const mediaType = mediaTypeOf(request);
  return mediaType === undefined || UNASKED.includes(essence(mediaType));
}

/**
 * Browsers say where a request comes from; older ones name its origin alone, which then must be this host. Other ports of
 * this host and its sibling domains are foreign, too.
 */
function isForeign({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const from = new URL(origin);
  // API Gateway tells how it was reached.
  const scheme = headers['x-forwarded-proto'];
  return from.host !== host?.toLowerCase() || (scheme !== undefined && from.protocol !== `${scheme}:`);
}

import { isLoopbackOrigin } from './loopback.ts';

/** The value of ALLOWED_ORIGIN that allows every loopback origin. */
export const LOOPBACK = 'loopback';

/**
 * The `Access-Control-Allow-Origin` of a response; undefined if no page of another origin may read it.
 * `configured`: `*`, one origin, or LOOPBACK. `origin`: the Origin of the request.
 *
 * Source: Fetch standard, "CORS protocol"; Specification 11.7.
 */
export function allowOrigin(configured: string, origin: string | undefined): string | undefined {
  if (configured !== LOOPBACK) return configured;
  return origin !== undefined && isLoopbackOrigin(origin) ? origin : undefined;
}

/** True if pages of the origin may use the service. `configured` and `origin`: as for `allowOrigin`. */
export function isAllowedOrigin(configured: string, origin: string | undefined): boolean {
  const allowed = allowOrigin(configured, origin);
  return allowed !== undefined && (allowed === '*' || allowed === origin);
}

/** The origin of a page in a sentence for its author. */
export const namedOrigin = (origin: string | undefined): string =>
  origin === undefined || origin === 'null' ? 'an unknown origin' : origin.slice(0, 200);

import { isLoopbackOrigin } from './loopback.ts';

/** The configuration that allows every loopback origin. */
export const LOOPBACK = 'loopback';

/**
 * The `Access-Control-Allow-Origin` of a response; undefined if no page of another origin may read it.
 * `configured`: `*`, one origin, or LOOPBACK. `origin`: the Origin of the request.
 *
 * Source: Fetch standard, "CORS protocol"; Specification 11.7.
 */
export function allowOrigin(configured: string, origin: string | undefined): string | undefined {
  if (configured !== LOOPBACK) return configured;
  return isLoopbackOrigin(origin) ? origin : undefined;
}

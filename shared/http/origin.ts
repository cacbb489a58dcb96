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

/** `localhost` and names below it, 127.0.0.0/8, `[::1]`. Source: RFC 6761 §6.3; RFC 1122 §3.2.1.3; RFC 4291 §2.5.3. */
const LOOPBACK_ADDRESS = /^(https?:\/\/)?(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1])(:\d*)?$/i;

/** True if an authority, `host` or `host:port`, is a loopback name or address. */
export function isLoopback(authority: string): boolean {
  const found = LOOPBACK_ADDRESS.exec(authority);
  return found !== null && found[1] === undefined;
}

/** True if an `Origin` is a page on a loopback name or address. Source: RFC 6454 §7. */
export const isLoopbackOrigin = (origin = ''): boolean => LOOPBACK_ADDRESS.exec(origin)?.[1] !== undefined;

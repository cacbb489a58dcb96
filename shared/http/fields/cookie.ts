/**
 * The cookies of a request by name. If a name is repeated, the first one counts: the browser sends the cookie with the
 * longest path first. A gateway may join several fields by a comma, which no cookie of this service contains.
 *
 * Source: RFC 6265 §4.1.1, §5.4; RFC 9113 §8.2.3.
 */
export function cookiesOf(field: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (field ?? '').split(/[;,]/)) {
    const equals = pair.indexOf('=');
    if (equals < 1) continue;
    const name = pair.slice(0, equals).trim();
    if (!cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}

/** A cookie that only the service reads. `path`: the paths that get it. */
export interface Cookie {
  readonly name: string;
  /** Letters, digits and `-._~%+/=`. An empty value removes the cookie. */
  readonly value: string;
  readonly path: string;
  /** Seconds that the browser stores it; undefined: until the browser ends. */
  readonly seconds?: number;
}

/** Maximum bytes of a cookie with its attributes that every browser stores. Source: RFC 6265 §6.1. */
export const MAXIMUM_COOKIE = 4096;

/**
 * The value of `Set-Cookie`. No script reads the cookie, and no other site sends it with a form.
 *
 * Source: RFC 6265 §4.1; RFC 6265bis §4.1.2.7 (SameSite).
 */
export function formatCookie({ name, value, path, seconds }: Cookie): string {
  const age = value === '' ? '; Max-Age=0' : seconds === undefined ? '' : `; Max-Age=${seconds}`;
  return `${name}=${value}; Path=${path}${age}; HttpOnly; Secure; SameSite=Lax`;
}

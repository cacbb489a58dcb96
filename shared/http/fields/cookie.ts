/** A browser stores every other character before a name as a part of it, also those that `trim` removes. */
const BLANKS = /^[ \t]+/;

/**
 * The cookies of a request by name. A name that occurs twice is not a cookie: another host of the domain may have set one
 * of them, and the request does not say which.
 *
 * Source: RFC 6265 §4.1.1, §4.2.2, §5.2.
 */
export function cookiesOf(field: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  const seen = new Set<string>();
  for (const pair of (field ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 1) continue;
    const name = pair.slice(0, equals).replace(BLANKS, '');
    if (seen.has(name)) cookies.delete(name);
    else cookies.set(name, pair.slice(equals + 1));
    seen.add(name);
  }
  return cookies;
}

/** A cookie that only the service reads. `path`: the paths that get it. */
export interface Cookie {
  readonly name: string;
  /** Letters, digits and `-._~%+/=`. An empty value removes the cookie. */
  readonly value: string;
  readonly path: string;
  /** Seconds below 10^21 that the browser stores it; undefined: until the browser ends. */
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
  const age = value === '' ? '; Max-Age=0' : seconds === undefined ? '' : `; Max-Age=${Math.floor(seconds)}`;
  return `${name}=${value}; Path=${path}${age}; HttpOnly; Secure; SameSite=Lax`;
}

/** Longer addresses do not fit into the cookie of a sign-in. */
const LONGEST = 1500;

/** Returns the address without its query, if it is too long for the cookie. */
export const shorten = (to: string): string => (to.length > LONGEST ? (to.split('?')[0] as string) : to);

/** Characters that a URL of a browser may have, but no URI: `|`, `[`, or a percent sign alone. Source: RFC 3986 §2. */
const NOT_IN_URI = /%(?![0-9A-Fa-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/g;

/** An origin that no page has. */
const OWN = 'https://own.invalid';

/**
 * Returns the address at which a browser continues after the sign-in: `to`, if it is a path on this origin below the
 * base path and outside of the sign-in. Undefined for any other text, which could lead to another site.
 *
 * Source: URL Standard §4.4; Specification 11.10; CWE-601.
 */
export function destination(to: string, basePath: string): string | undefined {
  // Browsers ignore controls in an address and read a backslash as a slash.
  if (to.length > LONGEST || !/^\/[\x21-\x7e]*$/.test(to) || to.includes('\\')) return undefined;
  if (!URL.canParse(to, OWN)) return undefined;
  const { origin, pathname, search } = new URL(to, OWN);
  // A path with dots can become one that begins with two slashes, which names a host.
  if (origin !== OWN || pathname.startsWith('//')) return undefined;
  if (basePath !== '' && pathname !== basePath && !pathname.startsWith(`${basePath}/`)) return undefined;
  const own = pathname.slice(basePath.length);
  if (/^\/sign-(?:in|out)(?:\/|$)/.test(own)) return undefined;
  return (pathname + search).replace(NOT_IN_URI, (one) => (one === '%' ? '%25' : encodeURIComponent(one)));
}

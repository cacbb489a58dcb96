/**
 * A path segment, decoded once; undefined if its percent-encoding is malformed or is not UTF-8. Source: RFC 3986
 * §2.1, RFC 3629.
 */
export function decodeSegment(raw: string): string | undefined {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

/**
 * Percent-encoded letters, digits, `-`, `_` and `~`. A dot is excluded, because decoding it could create the
 * segment `.` or `..`.
 */
const UNRESERVED = /%(?:2D|5F|7E|3[0-9]|[46][1-9A-F]|[57][0-9A])/gi;

/** A path without unnecessary percent-encoding. Source: RFC 3986 §6.2.2.2; RFC 9110 §4.2.3. */
export const plainPath = (path: string): string => path.replace(UNRESERVED, decodeURIComponent);

/** The parameters of a query, one pair of a name and a value for each value. */
export const pairsOf = (query: ReadonlyMap<string, readonly string[]>): [string, string][] =>
  [...query].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));

/** A path with these parameters as its query. */
export function withQuery(path: string, parameters: readonly (readonly [string, string])[]): string {
  const search = new URLSearchParams(parameters.map(([...pair]) => pair));
  return search.size > 0 ? `${path}?${search}` : path;
}

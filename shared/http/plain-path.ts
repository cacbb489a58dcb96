/** Letters, digits, `-`, `_` and `~`; a dot could make another segment of what was none. */
const UNRESERVED = /%(?:2D|5F|7E|3[0-9]|[46][1-9A-F]|[57][0-9A])/gi;

/** A path with nothing percent-encoded that means the same as it is. Source: RFC 3986 §6.2.2.2; RFC 9110 §4.2.3. */
export const plainPath = (path: string): string => path.replace(UNRESERVED, decodeURIComponent);

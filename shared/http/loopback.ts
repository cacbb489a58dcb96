/**
 * Whether an authority, `host` or `host:port`, names this machine's loopback: `localhost` and names below it, 127.0.0.0/8,
 * `[::1]`.
 *
 * Source: RFC 6761 §6.3; RFC 1122 §3.2.1.3; RFC 4291 §2.5.3.
 */
export function isLoopback(authority: string): boolean {
  const host = authority.toLowerCase().replace(/:\d*$/, '');
  return /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);
}

/** Whether an `Origin` is a page that this machine's loopback serves. Source: RFC 6454 §7. */
export function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  return /^https?:$/.test(protocol) && isLoopback(host);
}

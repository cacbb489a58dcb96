/** `localhost` and names below it, 127.0.0.0/8, `[::1]`. Source: RFC 6761 §6.3; RFC 1122 §3.2.1.3; RFC 4291 §2.5.3. */
const LOOPBACK = /^(https?:\/\/)?(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1])(:\d*)?$/i;

/** True if an authority, `host` or `host:port`, is a loopback name or address. */
export function isLoopback(authority: string): boolean {
  const found = LOOPBACK.exec(authority);
  return found !== null && found[1] === undefined;
}

/** True if an `Origin` is a page on a loopback name or address. Source: RFC 6454 §7. */
export const isLoopbackOrigin = (origin = ''): boolean => LOOPBACK.exec(origin)?.[1] !== undefined;

import { createHash } from 'node:crypto';
import { type Cookie, formatCookie, MAXIMUM_COOKIE } from '../../shared/http/fields/cookie.ts';
import { cookieName, SIGN_IN } from '../../shared/http/sign-in.ts';

/** The cookies of a request by name. */
type Cookies = ReadonlyMap<string, string>;

/** The cookie with the refresh token. Its path lets no other function see it. Source: Specification 11.11. */
const REFRESH_COOKIE = '__Secure-refresh';

/** Returns the name of the cookie with the secrets of a pending sign-in. Each tab has one. */
const pendingName = (state: string, basePath: string): string =>
  `${cookieName('sign-in', basePath)}-${state}`;

function isPending(name: string, basePath: string): boolean {
  const prefix = pendingName('', basePath);
  return name.startsWith(prefix) && /^[\w-]{43}$/.test(name.slice(prefix.length));
}

/** Seconds in which a person must finish the sign-in. */
export const PENDING_SECONDS = 600;

/** Longest name of a person in characters. */
const LONGEST_NAME = 100;

/**
 * Maximum bytes of the cookies of a person together, and with the secrets of pending sign-ins. API Gateway accepts
 * 10,240 bytes of header fields, and a browser sends about 2,000 bytes of others.
 *
 * Source: API Gateway quotas, "Total combined size of header values".
 */
const MAXIMUM_PERSON = 6000;
const MAXIMUM_COOKIES = 8000;

/** The tokens in the cookies of a browser. `seconds`: the life of the access token. `person`: a new name to show. */
export interface SignedIn {
  readonly access: string;
  readonly seconds: number;
  readonly refresh: string | undefined;
  readonly person: string | undefined;
}

/**
 * Returns the values of `Set-Cookie` after a sign-in or a renewal; undefined if they are too long for a browser or a
 * request. Another host of the domain can replace the refresh token by the token of another person, because the path of
 * the token allows no `__Host-`. It cannot replace the digest of the token.
 *
 * Source: RFC 6265 §8.6; RFC 6265bis §4.1.3.2.
 */
export function signedInCookies(
  { access, seconds, refresh, person }: SignedIn,
  basePath: string,
): string[] | undefined {
  // A new sign-in without a refresh token removes the token of the person before.
  const renewal = refresh ?? (person === undefined ? undefined : '');
  const cookies: Cookie[] = [
    { name: cookieName('access', basePath), value: access, path: '/', seconds },
    ...(renewal === undefined
      ? []
      : [
          { name: REFRESH_COOKIE, value: renewal, path: basePath + SIGN_IN },
          { name: cookieName('renewal', basePath), value: renewal && digestOf(renewal), path: '/' },
        ]),
    ...(person === undefined
      ? []
      : [
          {
            name: cookieName('person', basePath),
            value: encodeURIComponent(person.slice(0, LONGEST_NAME).toWellFormed()),
            path: '/',
          },
        ]),
  ];
  const written = cookies.map(formatCookie);
  const isShort = written.every((one) => one.length <= MAXIMUM_COOKIE);
  return isShort && lengthOf(written) <= MAXIMUM_PERSON ? written : undefined;
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);

/** Returns the refresh token of the person who is signed in; undefined if this service has not stored it here. */
export function refreshTokenOf(cookies: Cookies, basePath: string): string | undefined {
  const token = cookies.get(REFRESH_COOKIE);
  return token && cookies.get(cookieName('renewal', basePath)) === digestOf(token) ? token : undefined;
}

/**
 * Returns the values of `Set-Cookie` when a sign-in begins. The oldest pending sign-ins of the browser end if their
 * cookies need more bytes than a browser must store, or than a request can have. `secrets`: encrypted.
 *
 * Source: RFC 6265 §5.4 (the oldest cookie is first).
 */
export function pendingCookies(state: string, secrets: string, cookies: Cookies, basePath: string): string[] {
  const all = [...cookies];
  const pending = all.filter(([name]) => isPending(name, basePath)).reverse();
  const others = all.filter(([name]) => !isPending(name, basePath));
  let room = Math.min(MAXIMUM_COOKIE, MAXIMUM_COOKIES - lengthOf(others.flat())) - secrets.length;
  const ended = pending.filter(([name, value]) => {
    room -= name.length + value.length;
    return room < 0;
  });
  return [
    formatCookie({ name: pendingName(state, basePath), value: secrets, path: '/', seconds: PENDING_SECONDS }),
    ...ended.map(([name]) => removed(name, '/')),
  ];
}

/** Returns the encrypted secrets of the sign-in with this state; undefined if the browser has begun none. */
export const pendingSecrets = (state: string, cookies: Cookies, basePath: string): string | undefined =>
  cookies.get(pendingName(state, basePath));

/** Returns the value of `Set-Cookie` that ends the sign-in with this state. */
export const endedCookie = (state: string, basePath: string): string =>
  removed(pendingName(state, basePath), '/');

/** Returns the values of `Set-Cookie` that remove every cookie of a person. */
export const signedOutCookies = (basePath: string): string[] => [
  ...(['access', 'person', 'renewal'] as const).map((kind) => removed(cookieName(kind, basePath), '/')),
  removed(REFRESH_COOKIE, basePath + SIGN_IN),
];

const removed = (name: string, path: string): string => formatCookie({ name, value: '', path });

/** Returns the SHA-256 digest of a token, in base64url. Source: RFC 4648 §5. */
const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

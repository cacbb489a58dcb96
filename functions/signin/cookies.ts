import { type Cookie, formatCookie, MAXIMUM_COOKIE } from '../../shared/http/fields/cookie.ts';
import { ACCESS_COOKIE, PERSON_COOKIE, SIGN_IN } from '../../shared/http/sign-in.ts';

/** The cookie with the refresh token. Its path lets no other function see it. Source: Specification 11.11. */
export const REFRESH_COOKIE = '__Secure-refresh';
/** The cookie with the secrets of a sign-in that has begun. */
export const BEGUN_COOKIE = '__Secure-sign-in';

/** Seconds in which a person must finish the sign-in. */
export const BEGUN_SECONDS = 600;

/** Longest name of a person in characters. */
const LONGEST_NAME = 100;

/** The tokens in the cookies of a browser. `seconds`: the life of the access token. `person`: a new name to show. */
export interface SignedIn {
  readonly access: string;
  readonly seconds: number;
  readonly refresh: string | undefined;
  readonly person: string | undefined;
}

/** The values of `Set-Cookie` after a sign-in or a renewal; undefined if a browser would drop one of them. */
export function signedInCookies(
  { access, seconds, refresh, person }: SignedIn,
  basePath: string,
): string[] | undefined {
  const own = basePath + SIGN_IN;
  const cookies: Cookie[] = [
    { name: ACCESS_COOKIE, value: access, path: '/', seconds },
    ...(refresh === undefined ? [] : [{ name: REFRESH_COOKIE, value: refresh, path: own }]),
    ...(person === undefined
      ? []
      : [
          {
            name: PERSON_COOKIE,
            value: encodeURIComponent(person.slice(0, LONGEST_NAME).toWellFormed()),
            path: '/',
          },
        ]),
    { name: BEGUN_COOKIE, value: '', path: own },
  ];
  const written = cookies.map(formatCookie);
  return written.every((one) => one.length <= MAXIMUM_COOKIE) ? written : undefined;
}

/** The cookie of a sign-in that begins. `secrets`: encrypted. */
export const begunCookie = (secrets: string, basePath: string): string =>
  formatCookie({ name: BEGUN_COOKIE, value: secrets, path: basePath + SIGN_IN, seconds: BEGUN_SECONDS });

/** The values of `Set-Cookie` that remove every cookie of a sign-in. */
export const signedOutCookies = (basePath: string): string[] => [
  ...[ACCESS_COOKIE, PERSON_COOKIE].map((name) => formatCookie({ name, value: '', path: '/' })),
  ...[REFRESH_COOKIE, BEGUN_COOKIE].map((name) =>
    formatCookie({ name, value: '', path: basePath + SIGN_IN }),
  ),
];

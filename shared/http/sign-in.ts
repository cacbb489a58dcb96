import { negotiate } from './fields/accept.ts';
import type { Request } from './request.ts';

/**
 * The name of a cookie of this host: the access token, the name of the person for pages, a digest of the refresh token,
 * or secrets of pending sign-ins. Deployments on one host have different base paths, so their cookies differ.
 *
 * Source: Specification 11.10; RFC 6265bis §4.1.3; RFC 9110 §5.6.2 (token).
 */
export const cookieName = (
  kind: 'access' | 'person' | 'renewal' | 'sign-in',
  basePath: string,
): `__Host-${string}` => `__Host-${kind}${basePath.replaceAll('/', '!')}`;

/**
 * The stage variable with the client of the issuer for the sign-in on pages. Without it, pages have no sign-in. It is a
 * variable of the stage, because the client names the API and the API names the functions (decision 52).
 */
export const SIGN_IN_CLIENT = 'signInClient';

/** The path of the sign-in, and of the sign-out. */
export const SIGN_IN = '/sign-in';
export const SIGN_OUT = '/sign-out';

/** JSON wins over a wildcard, as in every negotiation of this service. */
const OFFERS = [{ mediaType: 'application/json' }, { mediaType: 'text/html', explicit: true }];

/**
 * True if a browser sent the request to show a page: `Accept` prefers text/html, and there is no Bearer token. Source:
 * Specification 11.8.
 */
export const isForPerson = ({ accept, authorization }: Request['headers']): boolean =>
  authorization === undefined && accept !== undefined && negotiate(accept, OFFERS)?.mediaType === 'text/html';

/** True if the caller is known by the cookie, which browsers add to requests of other pages too. */
export const reliesOnCookie = ({ principal, headers }: Pick<Request, 'principal' | 'headers'>): boolean =>
  principal !== undefined && headers.authorization === undefined;

/** The address of the sign-in that leads back to a path of this service. Both have the base path. */
export const signInHref = (basePath: string, path: string): string =>
  `${basePath}${SIGN_IN}?to=${encodeURIComponent(`${basePath}${path}` || '/')}`;

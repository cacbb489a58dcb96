import { html } from 'hono/html';
import { cookiesOf } from '../../shared/http/fields/cookie.ts';
import { decodeSegment } from '../../shared/http/paths.ts';
import { cookieName, reliesOnCookie, SIGN_OUT } from '../../shared/http/sign-in.ts';
import type { Place } from '../../shared/representations/representation.ts';
import { scopesOf } from '../../shared/resource/access/scopes.ts';
import { hasScope } from '../../shared/resource/access/sight.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import type { Markup } from '../markup.ts';

/** True if the caller may change items of the resource. */
export const mayWrite = (resource: ResourceFacts, place: Place): boolean =>
  hasScope(place, `${resource.name}:write`) || !scopesOf(resource).includes(`${resource.name}:write`);

/**
 * Returns the name of the person who is signed in, and the button to sign out; empty for all others.
 *
 * Source: Specification 11.13.
 */
export const person = (place: Place): Markup | '' =>
  reliesOnCookie(place)
    ? html`<form class="person" method="post" action="${place.basePath}${SIGN_OUT}">
<p>Signed in as <strong>${nameOf(place)}</strong> <button class="quiet">Sign out</button></p>
</form>`
    : '';

/** Returns the name in the cookie; the subject of the token if no cookie has a name. */
function nameOf({ headers, principal, basePath }: Place): string {
  const encoded = cookiesOf(headers.cookie).get(cookieName('person', basePath));
  return (encoded && decodeSegment(encoded)) || (principal?.subject ?? '');
}

/** Returns the author of a change for people: the name of the person who is signed in, otherwise the subject of a token. */
export const authorName = (subject: unknown, place: Place): string =>
  subject === undefined ? '' : subject === place.principal?.subject ? nameOf(place) : String(subject);

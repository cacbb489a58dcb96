import { html } from 'hono/html';
import { BRAND } from '#about';
import { NAVIGATION } from '#service';
import type { Place } from '../../shared/representations/representation.ts';
import type { Markup } from '../markup.ts';

/**
 * True if the caller may read the page at an address, which can be a URI template. Every caller of an open service may.
 *
 * Source: Specification 11.13.
 */
export function mayRead(address: string, { principal }: Pick<Place, 'principal'>): boolean {
  const scope = NAVIGATION.scopes[address.split(/[?{]/, 1)[0] ?? ''];
  return principal === undefined || scope === undefined || principal.scopes.includes(scope);
}

/**
 * Returns the links to the home page and to all collections that the caller may read. It marks the one of the current
 * page.
 *
 * Source: WAI-ARIA 1.2, `aria-current`: `page` for the current page, `true` for the current place.
 */
export function navigation(place: Pick<Place, 'basePath' | 'path' | 'principal'>): Markup {
  const { basePath, path } = place;
  const collections = NAVIGATION.collections.filter((one) => mayRead(one.path, place));
  return html`<nav class="places" aria-label="Collections">
<a class="brand" href="${basePath || '/'}"${path === '/' && html` aria-current="page"`}><img src="${basePath}/assets/icon.svg" alt="" width="28" height="28">${BRAND.name}</a>
<ul class="links">
${collections.map((one) => html`<li><a href="${basePath}${one.newest}"${current(one.path, path)}>${one.title}</a></li>`)}
</ul></nav>`;
}

function current(collection: string, path: string): Markup | '' {
  if (path === collection) return html` aria-current="page"`;
  return path.startsWith(`${collection}/`) ? html` aria-current="true"` : '';
}

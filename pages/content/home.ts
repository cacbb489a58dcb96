import { html } from 'hono/html';
import { BRAND } from '#about';
import type { Place } from '../../shared/representations/representation.ts';
import { mayRead } from '../frame/navigation.ts';
import { linkList, linksOf } from '../links.ts';
import type { Content } from '../markup.ts';
import { SEARCH_PARAMETER } from '../own-inputs.ts';
import type { PageDocument } from '../page-document.ts';
import { matchesOf } from './matches.ts';
import { attention, newestOf } from './newest.ts';

/**
 * The home page: a search over all collections, the work that needs attention, what is new in each collection, and at
 * the end the documents for programs.
 *
 * Source: Specification 6.15.
 */
export async function homeContent({ members, overview }: PageDocument, place: Place): Promise<Content> {
  const collections = (overview?.collections ?? []).filter(({ name }) => mayRead(`/${name}`, place));
  const text = (place.query.get(SEARCH_PARAMETER)?.[0] ?? '').trim();
  const own = collections.filter(({ tracked }) => !tracked);
  const shown = overview
    ? await Promise.all(
        text === ''
          ? [
              ...collections.filter(({ tracked }) => tracked).map((one) => attention(one, overview, place)),
              newestOf(own, overview, place),
            ]
          : [matchesOf(own, text, overview, place)],
      )
    : [];
  const listed = collections.flatMap(({ name }) => [`/${name}`, `/${name}/new`]);
  const others = linksOf(members).filter(({ rel, href }) => {
    const path = href.slice(place.basePath.length);
    return rel !== 'self' && mayRead(path, place) && !listed.includes(path);
  });
  return {
    title: BRAND.name,
    way: [],
    body: html`${members.title !== BRAND.name && html`<p class="hint">${members.title}</p>`}
<search class="filters"><form method="get" action="${place.basePath || '/'}">
<label class="hidden" for="search">Search everything</label><input id="search" type="search" name="${SEARCH_PARAMETER}" value="${text}" placeholder="Search everything">
<button class="quiet">Search</button>
</form></search>
${shown}
<div class="corner">${linkList(
      others.map(({ description: _, ...link }) => link),
      'For programs',
    )}</div>`,
  };
}

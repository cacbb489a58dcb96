import { html } from 'hono/html';
import { BRAND } from '#about';
import type { Document, Place } from '../../shared/representations/representation.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { newestList } from '../../shared/resource/list-template.ts';
import { descriptionOf } from '../../shared/resource/resource.ts';
import { mayRead } from '../frame/navigation.ts';
import { linkList, linksOf } from '../links.ts';
import { filtersOf } from '../lists/offered-filters.ts';
import type { Content, Markup } from '../markup.ts';
import type { Overview, OverviewList, PageDocument } from '../page-document.ts';
import { SEARCH_PARAMETER } from '../page-inputs.ts';
import { attention, itemLinks, newestIn, newestOf } from './newest.ts';

/**
 * Returns the home page: a search over all collections, the work that needs attention, what is new in each collection,
 * and at the end the documents for programs.
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
    // Every page links the documentation.
    return !['self', 'service-doc'].includes(rel) && mayRead(path, place) && !listed.includes(path);
  });
  return {
    title: BRAND.name,
    breadcrumbs: [],
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

/** Returns the first items of each collection with these words in their names, and links to the lists of all. */
async function matchesOf(
  collections: readonly ResourceFacts[],
  text: string,
  overview: Overview,
  place: Place,
): Promise<Markup> {
  const found = await Promise.all(
    collections.map(async (resource) => {
      const [first] = filtersOf(resource, place);
      if (!first) return '';
      const query = { [first.parameter]: text, ...newestIn(resource, place) };
      const address = place.basePath + newestList(resource, [[first.parameter, text]]);
      return section(resource, await overview.list(resource, query), address, place);
    }),
  );
  const sections = found.filter((one) => one !== '');
  return html`${sections.length > 0 ? sections : html`<p class="empty">Nothing has “${text}” in its name.</p>`}
<p><a href="${place.basePath || '/'}">Back to the overview</a></p>`;
}

function section(
  resource: ResourceFacts,
  found: OverviewList | 'refused' | 'unavailable',
  address: string,
  place: Place,
): Markup | '' {
  if (found === 'refused') return '';
  const heading = html`<h2><a href="${address}">${resource.title}</a></h2>`;
  if (found === 'unavailable')
    return html`<section>${heading}<p class="empty">The service cannot search them now.</p></section>`;
  if (found.items.length === 0) return '';
  const { kind, name } = descriptionOf(resource).identifier;
  // Others may have the same name.
  const note = (item: Document['members']) => (kind === 'integer' ? html`<small>${item[name]}</small>` : '');
  return html`<section>${heading}
${itemLinks(resource, found, place, note)}
${!found.isWhole && html`<p><a href="${address}">All matching ${resource.title.toLowerCase()}</a></p>`}</section>`;
}

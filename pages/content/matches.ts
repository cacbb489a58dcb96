import { html } from 'hono/html';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { descriptionOf } from '../../shared/resource/description/described.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { filtersOf } from '../lists/offered-filters.ts';
import type { Markup } from '../markup.ts';
import type { Overview, OverviewList } from '../page-document.ts';
import { itemLinks, newestIn } from './newest.ts';

/** The first items of each collection with these words in their names, and links to the lists of all. */
export async function matchesOf(
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
      const address = `${place.basePath}/${resource.name}?${new URLSearchParams({ [first.parameter]: text })}`;
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

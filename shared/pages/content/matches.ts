import { html } from 'hono/html';
import type { Overview, OverviewList, Place } from '../../representations/representation.ts';
import type { ResourceFacts } from '../../resource/facts.ts';
import { idOf } from '../item-name.ts';
import { filtersOf } from '../lists/filter-form.ts';
import type { Markup } from '../markup.ts';
import { itemLinks, namesIn, newestFirst } from './newest.ts';

/** How many matches of a collection the home page shows. */
const SHOWN = 5;

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
      const query = {
        [first.parameter]: text,
        limit: String(SHOWN),
        sort: newestFirst(resource),
        ...namesIn(resource, place),
      };
      const address = `${place.basePath}/${resource.name}?${new URLSearchParams({ [first.parameter]: text })}`;
      return section(resource, await overview.list(resource, query), address, place);
    }),
  );
  const sections = found.filter((one) => one !== '');
  return html`${sections.length > 0 ? sections : html`<p class="empty">Nothing has “${text}” in its name.</p>`}
<p><a href="${place.basePath || '/'}">Back to the overview</a></p>`;
}

/** The number of an item, beside a name that others may have too. */
const numberOf =
  ({ description }: ResourceFacts) =>
  (item: OverviewList['items'][number]): Markup | '' =>
    description?.identifier.kind === 'integer' ? html`<small>${idOf(description, item)}</small>` : '';

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
  return html`<section>${heading}
${itemLinks(resource, found, place, numberOf(resource))}
${!found.isWhole && html`<p><a href="${address}">All matching ${resource.title.toLowerCase()}</a></p>`}</section>`;
}

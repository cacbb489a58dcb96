import { html } from 'hono/html';
import { pairsOf, withQuery } from '../../shared/http/paths.ts';
import type { Place } from '../../shared/representations/representation.ts';
import { sightOf } from '../../shared/resource/access/sight.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import type { LinkFact } from '../../shared/resource/link.ts';
import { visibleScalars } from '../../shared/resource/lists/filter.ts';
import { labelOf, type Markup, requirePart } from '../markup.ts';
import { COUNT_PARAMETER, EFFECT_PARAMETER, FORMAT_PARAMETER, MADE_PARAMETER } from '../page-inputs.ts';

/** Parameters of one page or one order, which another order or filter does not keep. */
const OF_PAGE = ['after', 'offset'];

/** Parameters of the message about the form before the page. */
const OF_EFFECT = [EFFECT_PARAMETER, MADE_PARAMETER];

/** Returns the parameters of the request without these names. */
export const others = ({ query }: Place, names: readonly string[]): [string, string][] =>
  pairsOf(query).filter(
    ([name, value]) => value !== '' && ![...names, ...OF_PAGE, ...OF_EFFECT].includes(name),
  );

/** Returns the parameters that select the current page. */
export const positionOf = ({ query }: Place): [string, string][] =>
  pairsOf(query).filter(([name]) => OF_PAGE.includes(name));

/** Returns the address of the list with the current parameters, without some of them and with others. */
export const search = (
  place: Place,
  without: readonly string[],
  more: readonly (readonly [string, string])[] = [],
): string => withQuery(place.basePath + place.path, [...others(place, without), ...more]);

/** Returns the field that leads from the items of a list to the item above it; undefined if no item is above it. */
export const fieldAbove = ({ table }: ResourceFacts, { path }: Place): string | undefined =>
  path.split('/')[3] === undefined ? undefined : table?.partitions?.[0];

/** Returns the first sort key of the list: as the client has named it, or as the service decides. */
function firstKey({ query, sortedBy }: Place): { readonly name: string; readonly descending: boolean } {
  const [first] = (query.get('sort')?.[0] ?? '').split(',');
  if (!first) return { name: sortedBy?.field ?? '', descending: sortedBy?.descending === true };
  const name = first.replace(/^[-+ ]|:(?:asc|desc)$/g, '');
  const chosen = first === name ? query.get('order')?.[0] === 'desc' : /^-|:desc$/.test(first);
  return { name, descending: chosen };
}

/**
 * Returns the head of a column. If the property is scalar, it is a link that sorts by it, and a second one reverses the
 * order.
 */
export function columnHead(name: string | undefined, label: string, place: Place): Markup {
  const description = requirePart(place.resource?.description);
  if (name === undefined || !Object.hasOwn(visibleScalars(sightOf(description, place)), name))
    return html`<th scope="col">${label}</th>`;
  const sorted = firstKey(place);
  const isSorted = sorted.name === name;
  const key = isSorted && !sorted.descending ? `-${name}` : name;
  const order = isSorted ? html` aria-sort="${sorted.descending ? 'descending' : 'ascending'}"` : '';
  return html`<th scope="col"${order}><a href="${search(place, ['sort', 'order'], [['sort', key]])}">${label}</a></th>`;
}

/** A page of a list, as its representation has it. */
export interface Listed {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly links: readonly LinkFact[];
  readonly limit: number;
  readonly offset: number;
  /** The number of items in the list, if the service has counted all of them. */
  readonly total?: number;
  readonly ignored?: readonly string[];
}

/**
 * Returns the positions of the items of a page, which has one at least, and links for the whole list. The last page
 * shows the number of all items, and every other one has a link that counts them.
 */
export function range(listed: Listed, place: Place): Markup {
  const { field } = place.sortedBy ?? { field: '' };
  const description = requirePart(place.resource?.description);
  // A filter by a range orders the list too.
  const isOrdered = !place.query.has('sort') && field !== description.identifier.name;
  const more = [['limit', '1000'] as const, [FORMAT_PARAMETER, 'csv'] as const];
  const csv = search(place, ['limit', COUNT_PARAMETER], more);
  return html`${positions(listed, place)}${isOrdered && ` by ${labelOf(description, field).toLowerCase()}`} · <a href="${csv}">CSV${listed.links.some(({ rel }) => rel === 'next') && ' of 1,000 rows'}</a>`;
}

function positions({ items, links, offset, total }: Listed, place: Place): Markup | string {
  const last = offset + items.length;
  const from = items.length === 1 ? String(last) : `${offset + 1}–${last}`;
  const isLast = !links.some(({ rel }) => rel === 'next');
  if (isLast) return `${from} of ${total ?? last}`;
  if (total !== undefined) return `${from} of ${total}`;
  if (place.query.has(COUNT_PARAMETER)) return `${from}, and more follow than the service counts`;
  const counted = search(place, [], [...positionOf(place), [COUNT_PARAMETER, '']]);
  return html`${from}, and more follow. <a href="${counted}">Count all</a>`;
}

const PAGES = [
  ['first', 'First page'],
  ['prev', 'Previous page'],
  ['next', 'Next page'],
] as const;

/** Returns the links to other pages; empty if there is only one page. */
export function pager(links: readonly LinkFact[]): Markup | '' {
  if (!links.some(({ rel }) => rel === 'prev' || rel === 'next')) return '';
  const shown = PAGES.flatMap(([rel, label]) =>
    links
      .filter((link) => link.rel === rel)
      .map(({ href }) => html`<li><a rel="${rel}" href="${href}">${label}</a></li>`),
  );
  return html`<nav aria-label="Pages"><ul class="links">${shown}</ul></nav>`;
}

import { html } from 'hono/html';
import type { Place } from '../../shared/representations/representation.ts';
import type { LinkFact } from '../../shared/resource/link.ts';
import { labelOf, type Markup, requirePart } from '../markup.ts';
import { COUNT_PARAMETER, FORMAT_PARAMETER } from '../page-inputs.ts';
import { positionOf, search } from './list-controls.ts';

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
  const { field, descending } = place.sortedBy ?? { field: '', descending: false };
  const { identifier } = requirePart(place.resource?.description);
  const isUsual = !place.query.has('sort');
  // A filter by a range orders the list too.
  const isOrdered = isUsual && field !== identifier.name;
  const isNewest = isUsual && identifier.kind === 'integer' && field === identifier.name && descending;
  const order: [string, string][] = isNewest ? [['sort', `-${field}`]] : [];
  const more: [string, string][] = [...order, ['limit', '1000'], [FORMAT_PARAMETER, 'csv']];
  const csv = search(place, ['limit', COUNT_PARAMETER], more);
  return html`${positions(listed, place)}${isOrdered && ` by ${labelOf(requirePart(place.resource?.description), field).toLowerCase()}`} · <a href="${csv}">CSV${listed.links.some(({ rel }) => rel === 'next') && ' of 1,000 rows'}</a>`;
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

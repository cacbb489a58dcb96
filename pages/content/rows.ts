import { html } from 'hono/html';
import type { Place } from '../../shared/representations/representation.ts';
import type { ShownRows } from '../../shared/resource/actions/outcome.ts';
import { table } from '../lists/columns.ts';
import { pager } from '../lists/list-controls.ts';
import type { Markup } from '../markup.ts';
import type { PageDocument } from '../page-document.ts';
import { shownProperty } from '../property.ts';

/** Returns the rows of a view as a table, with links to its other pages. */
export function rowsTable(
  document: PageDocument,
  { names: [lead = '', ...others], items, offset, total }: ShownRows,
  place: Place,
): Markup {
  const { links = [] } = document;
  if (items.length === 0) return html`<p class="empty">There are no rows.</p>${pager(links)}`;
  const facts = {
    label: place.resource?.title ?? '',
    columns: [lead, ...others] as const,
    head: (_name: string | undefined, label: string) => html`<th scope="col">${label}</th>`,
    lead: (row: Readonly<Record<string, unknown>>) => html`${shownProperty(lead, row, document, place)}`,
  };
  return html`<p class="range">${offset + 1} to ${offset + items.length} of ${total}</p>
${table(items, facts, document, place)}
${pager(links)}`;
}

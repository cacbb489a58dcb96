import { html } from 'hono/html';
import type { Place } from '../../shared/representations/representation.ts';
import { hasScope } from '../../shared/resource/access/sight.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { namesItemAlone } from '../../shared/resource/route.ts';
import { mayWrite } from '../frame/person.ts';
import { keyInput } from '../links.ts';
import { attribute, type Markup } from '../markup.ts';
import { ROW_INPUT, rowValue, WITH_INPUT } from '../page-inputs.ts';
import { positionOf, search } from './list-controls.ts';

/**
 * Returns the address that takes the ticked rows of a list: the list itself; undefined if the person cannot send a POST
 * there.
 */
export function tickTarget(resource: ResourceFacts, place: Place): string | undefined {
  const isHere = resource.routes.some(
    ({ path, endpoints: { GET, POST } }) =>
      GET?.shape === 'list' &&
      (POST?.creates || (resource.closed?.includes('create') && !GET.below?.field)) &&
      new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(place.path),
  );
  return isHere && mayWrite(resource, place) ? search(place, [], positionOf(place)) : undefined;
}

/** Returns the checkbox of a row, with the version of the item that the row shows. */
export const tickOf = (id: number | string, row: number, version: number | undefined): Markup =>
  html`<input type=checkbox${attribute('name', ROW_INPUT)}${attribute('value', rowValue(id, version))} aria-label="Row ${row}">`;

/**
 * Returns the table in a form with the buttons for its ticked rows: a download, each transition, and the deletion,
 * which asks for confirmation.
 *
 * Source: Specification 6.14.
 */
export function tickable(table: Markup, resource: ResourceFacts, place: Place): Markup {
  const target = tickTarget(resource, place);
  if (target === undefined) return table;
  const posts = resource.routes.flatMap(({ path, endpoints: { POST } }) =>
    POST && namesItemAlone(path) ? [POST] : [],
  );
  const transitions = posts.filter(
    ({ form, scope }) => form === 'transition' && (scope === undefined || hasScope(place, scope)),
  );
  const isRemovable = posts.some(({ form }) => form === 'delete');
  return html`<form class="ticks" method="post" action="${target}">
${keyInput(place.requestId)}
${table}
<div class="actions"><span>With the ticked rows:</span>
<button class="quiet" name="${WITH_INPUT}" value="csv">Export CSV</button>
${transitions.map(({ id }) => html`<button class="quiet" name="${WITH_INPUT}" value="${id}">${capitalize(id)}</button>`)}
${
  isRemovable &&
  html`<details class="confirmed"><summary class="button quiet danger">Delete…</summary><div><button class="danger" name="${WITH_INPUT}" value="delete">Delete now</button></div></details>`
}
</div>
</form>`;
}

/**
 * Returns a form with one button for these rows of the list, as if a person had ticked them. Source: Specification 6.14,
 * 16.9.
 */
export const rowsForm = (
  rows: readonly string[],
  { wanted, label, look }: { readonly wanted: string; readonly label: string; readonly look: string },
  place: Place,
): Markup =>
  html`<form method="post" action="${search(place, [], positionOf(place))}">${keyInput(place.requestId)}
${rows.map((row) => html`<input type="hidden" name="${ROW_INPUT}" value="${row}">`)}
<button class="${look}" name="${WITH_INPUT}" value="${wanted}">${label}</button></form>`;

/** Returns the button that restores deleted rows of a list. */
export const undo = (rows: readonly string[], place: Place): Markup =>
  rowsForm(rows, { wanted: 'restore', label: 'Undo', look: 'quiet' }, place);

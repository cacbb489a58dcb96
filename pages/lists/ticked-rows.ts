import { html } from 'hono/html';
import type { Place } from '../../shared/representations/representation.ts';
import { hasScope } from '../../shared/resource/access/sight.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { namesItemAlone } from '../../shared/resource/route.ts';
import { mayWrite } from '../frame/person.ts';
import { isFinal, keyInput, NO_WAY_BACK, twoSteps } from '../links.ts';
import { attribute, type Markup } from '../markup.ts';
import { ROW_INPUT, rowValue, WITH_INPUT } from '../page-inputs.ts';
import { choiceInWords } from '../words.ts';
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
 * Returns the table in a form with the buttons for its ticked rows: a download, each transition that the state of a row
 * allows, and the deletion. A transition asks for confirmation if nothing leads back, as the deletion does.
 *
 * Source: Specification 6.14.
 */
export function tickable(
  table: Markup,
  items: readonly Readonly<Record<string, unknown>>[],
  resource: ResourceFacts,
  place: Place,
): Markup {
  const target = tickTarget(resource, place);
  if (target === undefined) return table;
  const { process } = resource;
  const posts = resource.routes.flatMap(({ path, endpoints: { POST } }) =>
    POST && namesItemAlone(path) ? [POST] : [],
  );
  const transitions = posts.flatMap(({ id, form, scope }) => {
    const from = process?.transitions[id]?.from ?? [];
    const isOffered =
      process === undefined || items.some((item) => from.some((state) => state === item[process.field]));
    return form === 'transition' && isOffered && (scope === undefined || hasScope(place, scope))
      ? [{ id, from }]
      : [];
  });
  const isRemovable = posts.some(({ form }) => form === 'delete');
  return html`<form class="ticks" method="post" action="${target}">
${keyInput(place.requestId)}
${table}
<div class="actions"><span>With the ticked rows:</span>
<button class="quiet" name="${WITH_INPUT}" value="csv">Export CSV</button>
${transitions.map(({ id, from }) => {
  const states = html` data-from="${from.map(choiceInWords).join()}"`;
  return isFinal(process, id)
    ? html`<div${states}>${inTwoSteps(id, capitalize(id), 'quiet', NO_WAY_BACK)}</div>`
    : html`<button class="quiet"${states} name="${WITH_INPUT}" value="${id}">${capitalize(id)}</button>`;
})}
${isRemovable && inTwoSteps('delete', 'Delete', 'quiet danger')}
</div>
</form>`;
}

/** Returns a button for the ticked rows that asks for confirmation. */
const inTwoSteps = (wanted: string, label: string, look: string, note: Markup | '' = ''): Markup =>
  twoSteps(
    `${label}…`,
    look,
    html`<div>${note} <button${look.includes('danger') && html` class="danger"`} name="${WITH_INPUT}" value="${wanted}">${label} now</button></div>`,
  );

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

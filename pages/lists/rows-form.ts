import { html } from 'hono/html';
import type { Place } from '../../shared/representations/representation.ts';
import { keyInput } from '../links.ts';
import type { Markup } from '../markup.ts';
import { ROW_INPUT, WITH_INPUT } from '../own-inputs.ts';
import { positionOf, search } from './list-controls.ts';

/** A form with one button for these rows of the list, as if a person had ticked them. Source: Specification 6.14, 16.9. */
export const rowsForm = (
  rows: readonly string[],
  { wanted, label, look }: { readonly wanted: string; readonly label: string; readonly look: string },
  place: Place,
): Markup =>
  html`<form method="post" action="${search(place, [], positionOf(place))}">${keyInput(place.requestId)}
${rows.map((row) => html`<input type="hidden" name="${ROW_INPUT}" value="${row}">`)}
<button class="${look}" name="${WITH_INPUT}" value="${wanted}">${label}</button></form>`;

/** The button that restores deleted rows of a list. */
export const undo = (rows: readonly string[], place: Place): Markup =>
  rowsForm(rows, { wanted: 'restore', label: 'Undo', look: 'quiet' }, place);

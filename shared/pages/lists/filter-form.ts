import { html } from 'hono/html';
import { namedInput } from '../../representations/forms/named-input.ts';
import type { Place } from '../../representations/representation.ts';
import { sightOf } from '../../resource/access/sight.ts';
import { descriptionOf } from '../../resource/description/described.ts';
import type { Field } from '../../resource/description/description.ts';
import type { ResourceFacts } from '../../resource/facts.ts';
import { choicesOf } from '../../resource/kinds/text.ts';
import { visibleScalars } from '../../resource/lists/filter.ts';
import { labelOf, type Markup } from '../markup.ts';
import { others } from './list-controls.ts';
import { type NamedFilter, namedFilters } from './named-filters.ts';
import { wholeList } from './picking.ts';

/** One filter of the form: a parameter of the list, with its label and its value. */
interface Shown {
  readonly parameter: string;
  readonly label: string;
  readonly field: Field;
  readonly value: string;
  /** The form shows it at once: people look for names and states. */
  readonly isFirst: boolean;
}

const TIMES: readonly Field['kind'][] = ['timestamp', 'date', 'dateTime'];

/** A filter that people use most for a field: its parameter, and what follows the label. */
function usual(name: string, field: Field): { readonly parameter: string; readonly hint: string } {
  if (TIMES.includes(field.kind)) return { parameter: `${name}.gte`, hint: ' since' };
  if (field.kind === 'decimal') return { parameter: `${name}.gte`, hint: ' at least' };
  const isText = field.kind === 'any' || (field.kind === 'text' && !field.choices);
  return isText ? { parameter: `${name}.prefix`, hint: ' begins with' } : { parameter: name, hint: '' };
}

/** The filters that the form of a list offers, with their present values. */
function filtersOf(resource: ResourceFacts, place: Place): Shown[] {
  const description = descriptionOf(resource);
  const { title, identifier } = description;
  const lead = title ?? (identifier.kind === 'text' ? identifier.name : undefined);
  return Object.entries(visibleScalars(sightOf(description, place))).map(([name, field]) => {
    const { parameter, hint } = usual(name, field);
    return {
      parameter,
      label: `${labelOf(description, name)}${hint}`,
      field,
      value: place.query.get(parameter)?.[0] ?? '',
      isFirst: name === lead || offer(field) !== undefined,
    };
  });
}

/** The values that a select offers; undefined: people type the value. */
function offer(field: Field): readonly string[] | undefined {
  if (field.kind === 'boolean') return ['yes', 'no'];
  return field.kind === 'text' ? choicesOf(field) : undefined;
}

const isUsed = ({ value }: Shown): boolean => value !== '';

/** True if the form filters the list. */
export const isFiltered = (resource: ResourceFacts, place: Place): boolean =>
  filtersOf(resource, place).some(isUsed);

/**
 * The form above a list: it searches by the first letters of the title, filters, and sets the number of rows. It keeps
 * the other parameters of the list. `limit`: the present number of rows.
 *
 * Source: Specification 4.12; HTML Living Standard §4.10.21 (a form with the method GET sends every input).
 */
export async function filterForm(resource: ResourceFacts, place: Place, limit: number): Promise<Markup> {
  const named = await namedFilters(place);
  const shown = filtersOf(resource, place);
  const own = shown.flatMap(({ parameter }) => [parameter, namedInput(parameter)]);
  const kept = others(place, ['limit', ...own]);
  const first = shown.filter(({ isFirst }) => isFirst);
  const more = shown.filter(({ isFirst }) => !isFirst);
  return html`<search class="filters"><form method="get" action="${place.basePath}${place.path}">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="row">
${first.map((one) => control(one, named.get(one.parameter)))}
${rows(limit)}
<p><button class="quiet">Search</button></p>
${shown.some(isUsed) && html`<p><a href="${wholeList(place)}">Show all</a></p>`}
</div>
<details${more.some(isUsed) && html` open`}><summary>More filters</summary>
<div class="row">
${more.map((one) => control(one, named.get(one.parameter)))}
<p><button class="quiet">Filter</button></p>
</div>
</details>
</form></search>`;
}

function control({ parameter, label, field, value }: Shown, named: NamedFilter | undefined): Markup {
  const id = `filter-${parameter}`;
  const choices = offer(field);
  const input = choices
    ? html`<select id="${id}" name="${parameter}">
<option value="">any</option>
${choices.map((one) => html`<option${one === value && html` selected`}>${one}</option>`)}
</select>`
    : html`<input id="${id}" name="${parameter}" type="${TIMES.includes(field.kind) ? 'date' : 'text'}" value="${named?.text ?? value}"${named?.message && html` aria-describedby="${id}-found"`}>`;
  const hidden = named && html`<input type="hidden" name="${namedInput(parameter)}" value="${named.named}">`;
  return html`<p><label for="${id}">${label}</label>${input}${hidden}</p>${named?.message && html`<div id="${id}-found">${named.message}</div>`}`;
}

const SIZES = [10, 25, 50, 100, 250, 1000];

/** The choice of rows for each page. */
const rows = (
  limit: number,
): Markup => html`<p class="rows"><label for="rows">Rows</label><select id="rows" name="limit">
${[...new Set([...SIZES, limit])]
  .sort((a, b) => a - b)
  .map((size) => html`<option${size === limit && html` selected`}>${size}</option>`)}
</select></p>`;

import { html } from 'hono/html';
import type { Place } from '../../shared/representations/representation.ts';
import { sightOf } from '../../shared/resource/access/sight.ts';
import type { Field } from '../../shared/resource/description/description.ts';
import { choicesOf } from '../../shared/resource/description/field-types.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import type { ResourceFacts } from '../../shared/resource/facts.ts';
import { visibleScalars } from '../../shared/resource/lists/filter.ts';
import { descriptionOf } from '../../shared/resource/resource.ts';
import { namedInput } from '../forms/named-input.ts';
import { labelOf, type Markup, sentence } from '../markup.ts';
import type { PageDocument } from '../page-document.ts';
import { COLUMNS_PARAMETER } from '../page-inputs.ts';
import { choiceInWords, faultInWords } from '../words.ts';
import { columnsOf, columnsToChoose } from './columns.ts';
import { fieldAbove, type Listed, others, search } from './list-controls.ts';
import { type NamedFilter, namedFilters } from './named-filters.ts';
import {
  filtersInEffect,
  filtersOf,
  isFiltered,
  type OfferedFilter,
  TIMES,
  wordsOf,
} from './offered-filters.ts';

/** The list that the form is above. `selected`: the chosen columns. `faults`: those of filters. */
interface Rows extends Pick<Listed, 'items' | 'limit'>, Pick<PageDocument, 'selected' | 'faults'> {}

/** Returns the values that a select offers; undefined: people type the value. */
function offer(field: Field): readonly string[] | undefined {
  if (field.kind === 'boolean') return ['yes', 'no'];
  return field.kind === 'text' ? choicesOf(field) : undefined;
}

const presentValue = ({ parameter }: OfferedFilter, { query }: Place): string =>
  query.get(parameter)?.[0] ?? '';

/**
 * The form above a list: it searches by the words of the title, filters, sorts, and sets the columns and the number of
 * rows. It keeps the other parameters of the list. Below it, each filter in effect has a link that removes it.
 *
 * Source: Specification 4.12, 4.26; HTML Living Standard §4.10.21 (a form with the method GET sends every input).
 */
export async function filterForm(shown: Rows, resource: ResourceFacts, place: Place): Promise<Markup> {
  const named = await namedFilters(place);
  const [byName, ...more] = filtersOf(resource, place);
  const first = byName?.parameter === fieldAbove(resource, place) ? undefined : byName;
  const own = [first, ...more].flatMap((one) => (one ? [one.parameter, namedInput(one.parameter)] : []));
  const kept = others(place, ['limit', 'sort', 'fields', ...own]);
  const isOpen = shown.faults ?? more.some(({ parameter }) => named.get(parameter)?.message);
  const unshown = shown.faults?.filter(({ parameter }) => more.every((one) => one.parameter !== parameter));
  return html`<search class="filters"><form method="get" action="${place.basePath}${place.path}">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${first && searchBox(first, resource, place, named.get(first.parameter))}
<details${isOpen && html` open`}><summary class="button quiet">Filters</summary>
<div class="row">
${more.map((one) => control(one, place, named.get(one.parameter), shown.faults))}
${sortOrders(resource, place)}
${rows(shown.limit)}
</div>
${columns(shown, resource, place)}
</details>
<button class="quiet">Search</button>
</form>
${unshown?.map((fault) => html`<p class="error">“${fault.written}” ${sentence(faultInWords(fault))}</p>`)}
${(first && named.get(first.parameter)?.message) || ''}
${(shown.items.length > 0 || isFiltered(resource, place)) && statusFilterLinks(resource, place)}
${chips(resource, place, named)}
</search>`;
}

/** Returns the search of a list by names. */
function searchBox(
  shown: OfferedFilter,
  { title }: ResourceFacts,
  place: Place,
  named?: NamedFilter,
): Markup {
  const { parameter, label } = shown;
  const text = `Search ${title.toLowerCase()}${parameter.includes('.') ? '' : ` by ${label.toLowerCase()}`}`;
  return html`<label class="hidden" for="search">${text}</label><input id="search" type="search" name="${parameter}" value="${named?.text ?? presentValue(shown, place)}" placeholder="${text}">${named && html`<input type="hidden" name="${namedInput(parameter)}" value="${named.named}">`}`;
}

function control(
  shown: OfferedFilter,
  place: Place,
  named?: NamedFilter,
  faults: Rows['faults'] = [],
): Markup {
  const fault = faults.find((one) => one.parameter === shown.parameter);
  const message = fault
    ? html`<p class="error">${capitalize(sentence(faultInWords(fault)))}</p>`
    : named?.message;
  const { parameter, label, field } = shown;
  const value = presentValue(shown, place);
  const choices = offer(field);
  const text = fault?.written ?? named?.text ?? value;
  const input = choices
    ? html`<select name="${parameter}">
<option value="">any${choices.map((one) => html`<option${one === value && html` selected`}>${one}`)}
</select>`
    : html`<input name="${parameter}"${TIMES.includes(field.kind) && html` type="date"`}${text && html` value="${text}"`}${fault && html` aria-invalid="true" autofocus`}${message && html` aria-describedby="${parameter}-found"`}>`;
  const hidden = named && html`<input type="hidden" name="${namedInput(parameter)}" value="${named.named}">`;
  return html`<div><label>${label}
${input}</label>${hidden}${message && html`<div id="${parameter}-found">${message}</div>`}</div>`;
}

/** Returns the choice of an order that an index has. An order by another column is a link in its head. */
function sortOrders(resource: ResourceFacts, place: Place): Markup {
  const description = descriptionOf(resource);
  const visible = visibleScalars(sightOf(description, place));
  const present = place.query.get('sort')?.join(',') ?? '';
  const sortable = resource.sortable.filter((name) => Object.hasOwn(visible, name));
  const offered = sortable.flatMap((name): [string, string][] => [
    [name, `${labelOf(description, name)}, ascending`],
    [`-${name}`, `${labelOf(description, name)}, descending`],
  ]);
  const { kind, name: identifier, label } = description.identifier;
  const usual: [string, string][] =
    kind === 'integer'
      ? [
          [`-${identifier}`, 'Newest first'],
          ['', 'Oldest first'],
        ]
      : [['', label]];
  const known = [...usual, ...offered];
  const other: [string, string][] = known.some(([key]) => key === present) ? [] : [[present, present]];
  const all = [...known, ...other];
  return html`<label>Sort by
<select name="sort">${all.map(([key, text]) => html`<option value="${key}"${key === present && html` selected`}>${text}`)}</select></label>`;
}

const DEFAULT_LIMIT = 100;
const SIZES = [10, 25, 50, DEFAULT_LIMIT, 250, 1000];

/** Returns the choice of rows for each page. */
const rows = (limit: number): Markup => html`<label>Rows
<select name="limit">${[...new Set([...SIZES, limit])]
  .sort((a, b) => a - b)
  .map(
    (size) =>
      html`<option${size === DEFAULT_LIMIT && html` value=""`}${size === limit && html` selected`}>${size}`,
  )}</select></label>`;

/** The choice of columns. The form also says which ones are the usual ones, so that these are not in the address. */
function columns({ items, selected }: Rows, resource: ResourceFacts, place: Place): Markup {
  const sight = sightOf(descriptionOf(resource), place);
  const [, ...usual] = columnsOf(items, sight.description);
  const [, ...present] = columnsOf(items, sight.description, selected);
  return html`<fieldset><legend>Columns</legend>
<input type="hidden" name="${COLUMNS_PARAMETER}" value="${usual.join(',')}">
${columnsToChoose(sight.description, sight).map(
  (name) =>
    html`<label><input type="checkbox" name="fields" value="${name}"${present.includes(name) && html` checked`}> ${labelOf(sight.description, name)}</label>`,
)}
</fieldset>`;
}

/** The states of a process, or other choices of a field, that a list shows as links: at most this number. */
const MOST_STATES = 8;

/** Links that filter by the first field with a few choices, such as the state of an order. */
function statusFilterLinks(resource: ResourceFacts, place: Place): Markup | '' {
  const description = descriptionOf(resource);
  const [name, choices] =
    Object.entries(visibleScalars(sightOf(description, place)))
      .map(([one, field]) => [one, field.kind === 'text' ? (field.choices ?? []) : []] as const)
      .find(([, all]) => all.length > 1 && all.length <= MOST_STATES) ?? [];
  if (name === undefined || !choices) return '';
  const present = place.query.get(name)?.join(',') ?? '';
  return html`<nav class="states" aria-label="${labelOf(description, name)}"><ul class="links">
${['', ...choices].map(
  (choice) =>
    html`<li><a href="${search(place, [name], choice === '' ? [] : [[name, choice]])}"${choice === present && html` aria-current="true"`}>${choice === '' ? 'All' : capitalize(choiceInWords(choice))}</a></li>`,
)}
</ul></nav>`;
}

/** Returns the filters in effect. Each is a link to the list without it. */
function chips(resource: ResourceFacts, place: Place, named: ReadonlyMap<string, NamedFilter>): Markup | '' {
  const filters = filtersInEffect(resource, place);
  if (filters.length === 0) return '';
  const description = descriptionOf(resource);
  return html`<ul class="links chips" aria-label="Filters">
${filters.map(({ parameter, values, name, field, operator }) => {
  const text = `${labelOf(description, name)}${wordsOf(operator, field)} ${named.get(parameter)?.text ?? values.join(', ')}`;
  return html`<li><a href="${search(place, [parameter, namedInput(parameter)])}"><span class="hidden">Remove the filter </span>${text}</a></li>`;
})}
${
  filters.length > 1 &&
  html`<li><a href="${search(
    place,
    filters.flatMap(({ parameter }) => [parameter, namedInput(parameter)]),
  )}">Show all</a></li>`
}
</ul>`;
}

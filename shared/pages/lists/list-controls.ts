import { html } from 'hono/html';
import { isBookkeeping } from '../../representations/forms/form.ts';
import type { Place } from '../../representations/representation.ts';
import type { Description } from '../../resource/description/description.ts';
import type { Field } from '../../resource/description/fields.ts';
import { scalarFields } from '../../resource/lists/filter.ts';
import type { Resource } from '../../resource/resource.ts';
import { labelOf, type Markup } from '../markup.ts';

/** Parameters of one page or one order, which another order or filter does not keep. */
const OF_PAGE = ['after', 'offset'];

/** The parameters of the request without these names. */
const others = ({ query }: Place, names: readonly string[]): [string, string][] =>
  [...query].flatMap(([name, values]) =>
    names.includes(name) || OF_PAGE.includes(name) || isBookkeeping(name)
      ? []
      : values.filter((value) => value !== '').map((value): [string, string] => [name, value]),
  );

/** The first sort key of the list: as the client has named it, or as a filter decides. */
function firstKey({ query, sortedBy }: Place): { readonly name: string; readonly descending: boolean } {
  const [first = ''] = (query.get('sort')?.[0] ?? sortedBy?.field ?? '').split(',');
  const name = first.replace(/^[-+ ]|:(?:asc|desc)$/g, '');
  const chosen = first === name ? query.get('order')?.[0] === 'desc' : /^-|:desc$/.test(first);
  return { name, descending: chosen };
}

/**
 * The head of a column. If the property is scalar, it is a link that sorts by it, and a second one reverses the order.
 */
export function columnHead(name: string, place: Place, attributes: Markup | ''): Markup {
  const description = place.resource?.description as Description;
  const label = labelOf(description, name);
  if (!Object.hasOwn(scalarFields(description), name))
    return html`<th scope="col"${attributes}>${label}</th>`;
  const sorted = firstKey(place);
  const isSorted = sorted.name === name;
  const search = new URLSearchParams(others(place, ['sort', 'order']));
  search.set('sort', isSorted && !sorted.descending ? `-${name}` : name);
  const order = isSorted ? html` aria-sort="${sorted.descending ? 'descending' : 'ascending'}"` : '';
  return html`<th scope="col"${attributes}${order}><a href="${place.basePath}${place.path}?${search}">${label}</a></th>`;
}

const TIMES: readonly Field['kind'][] = ['timestamp', 'date', 'dateTime'];

/** A filter that people use most for a field: its parameter, and what follows the label. */
function usual(name: string, field: Field): { readonly parameter: string; readonly hint: string } {
  if (TIMES.includes(field.kind)) return { parameter: `${name}.gte`, hint: 'since' };
  if (field.kind === 'decimal') return { parameter: `${name}.gte`, hint: 'at least' };
  const isText = field.kind === 'any' || (field.kind === 'text' && !field.choices);
  return isText ? { parameter: `${name}.prefix`, hint: 'begins with' } : { parameter: name, hint: '' };
}

/**
 * A form that filters the list. It keeps the other parameters of the list. It is open if the list has a filter.
 *
 * Source: Specification 4.12; HTML Living Standard §4.10.21 (a form with the method GET sends every input).
 */
export function filterForm(resource: Resource, place: Place): Markup {
  const description = resource.description as Description;
  const fields = Object.entries(scalarFields(description)).map(([name, field]) => ({
    label: labelOf(description, name),
    field,
    ...usual(name, field),
  }));
  const kept = others(
    place,
    fields.map(({ parameter }) => parameter),
  );
  const values = new Map(fields.map(({ parameter }) => [parameter, place.query.get(parameter)?.[0] ?? '']));
  const isOpen = [...values.values()].some((value) => value !== '');
  return html`<details class="filters"${isOpen ? html` open` : ''}>
<summary>Filter</summary>
<form method="get" action="${place.basePath}${place.path}">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields.map(
  ({ label, field, parameter, hint }) => html`<p><label for="filter-${parameter}">${label} ${hint}</label>
${control(parameter, field, values.get(parameter) ?? '')}</p>`,
)}
<p><button>Filter</button> <a href="${place.basePath}${place.path}">Show all</a></p>
</form>
</details>`;
}

function control(parameter: string, field: Field, value: string): Markup {
  const id = `filter-${parameter}`;
  const choices = field.kind === 'boolean' ? ['yes', 'no'] : field.kind === 'text' && field.choices;
  if (choices)
    return html`<select id="${id}" name="${parameter}">
<option value="">any</option>
${choices.map((one) => html`<option${one === value ? html` selected` : ''}>${one}</option>`)}
</select>`;
  return html`<input id="${id}" name="${parameter}" type="${TIMES.includes(field.kind) ? 'date' : 'text'}" value="${value}">`;
}

import { html } from 'hono/html';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { AUTHORS, type Sight } from '../../shared/resource/access/sight.ts';
import type { Description } from '../../shared/resource/description/description.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import { kindOf } from '../../shared/resource/kinds/kinds.ts';
import { attribute, labelOf, type Markup, requirePart } from '../markup.ts';
import { fieldOf, type Named, shownProperty } from '../property.ts';

type Members = Document['members'];

/** Returns the property that names the items; undefined if several properties make the names. */
const leadOf = ({ identifier, title }: Description): string | undefined =>
  title === undefined ? identifier.name : typeof title === 'string' ? title : undefined;

/** True if a property of the items alone names them: their title, or the name that a client has chosen. */
const hasOwnName = ({ title, identifier }: Description): boolean =>
  identifier.kind === 'text' || (title !== undefined && !Array.isArray(title));

const simpleFields = ({ fields }: Description): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.coded || kindOf(field).attribute === 'json' ? [] : [name],
  );

/** Returns the columns that a person can choose, in addition to the first one. */
export const columnsToChoose = (description: Description, sight: Sight): string[] =>
  [
    ...simpleFields(description),
    description.identifier.name,
    'createdAt',
    'updatedAt',
    ...(sight.authors ? Object.keys(AUTHORS) : []),
  ].filter((name) => name !== leadOf(description));

/**
 * Returns the properties that the columns show. The first one names the items. The others are the chosen ones, or those
 * without nested values that an item has. Numbers of items and times are only there if a person chooses them, but for the
 * time of items without a name of their own, which nothing else distinguishes.
 */
export function columnsOf(
  items: readonly Members[],
  description: Description,
  chosen?: ReadonlySet<string>,
): [string | undefined, ...string[]] {
  const lead = leadOf(description);
  // The first column has the first part of a title of several fields.
  const [first] = Array.isArray(description.title) ? description.title : [];
  const present = chosen
    ? [...chosen].filter((name) => name !== 'links')
    : [...simpleFields(description), 'createdBy', ...(hasOwnName(description) ? [] : ['createdAt'])].filter(
        (name) => name !== first && items.some((item) => item[name] !== undefined),
      );
  return [lead, ...present.filter((name) => name !== lead)];
}

/** A column after the first one. */
interface Column {
  readonly name: string;
  readonly label: string;
  /** Numbers and days of creation are right-aligned, without a break. People do not compare identifiers of other items. */
  readonly isNumber: boolean;
  /** True if its values need no label beside them: the name of an item, a state, a day, or an amount with its currency. */
  readonly isClear: boolean;
}

function columnOf(name: string, description: Description, relations: readonly string[]): Column {
  const field = fieldOf(description, name);
  return {
    name,
    label: labelOf(description, name),
    isNumber: field?.kind === 'decimal' || (field?.kind === 'integer' && !field.isId) || name === 'createdAt',
    isClear:
      relations.includes(name) ||
      (field?.kind === 'text' && field.choices !== undefined) ||
      (field?.kind === 'decimal' && field.currency !== undefined) ||
      name === 'createdAt',
  };
}

/** The parts of a table that differ between lists. */
interface TableFacts {
  readonly label: string;
  readonly columns: readonly [string | undefined, ...string[]];
  /** The head of a column. `undefined`: the one that names the items, if several properties make the names. */
  readonly head: (name: string | undefined, label: string) => Markup;
  /** The cell that names an item. */
  readonly lead: (item: Members, at: number) => Markup;
  /** The cell after all others. */
  readonly last?: (item: Members) => Markup;
}

/**
 * Returns the table of items. Its rows are short, because a page has many: cells have no end tags, the class of the
 * table says which columns are numbers, and a label is only at values that need one. Source: HTML Living Standard
 * §13.1.2.4.
 */
export function table(
  items: readonly Members[],
  { label, columns: [lead, ...names], head, lead: name, last }: TableFacts,
  document: Named,
  place: Place,
): Markup {
  const description = requirePart(document.description);
  const named = (document.expansions ?? []).map(({ relation }) => relation.field);
  const columns = names.map((one) => columnOf(one, description, named));
  const numbers = columns.flatMap(({ isNumber }, at) => (isNumber ? [`n${at + 2}`] : []));
  const labels = columns.map((one) => (one.isClear ? '' : attribute('data-label', one.label)));
  const leadLabel = lead === undefined ? capitalize(description.singular) : labelOf(description, lead);
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="${numbers.join(' ')}">
<thead><tr>
${head(lead, leadLabel)}
${columns.map((one) => head(one.name, one.label))}
${last && html`<th scope="col">Delete</th>`}
</tr></thead>
<tbody>
${items.map(
  (item, row) =>
    html`<tr><th>${name(item, row + 1)}${columns.map(
      (one, at) => html`<td${labels[at]}>${cell(one, item, document, place)}`,
    )}${last && html`<td>${last(item)}`}`,
)}
</tbody>
</table></div>`;
}

/** Returns the content of a cell. An e-mail address is a link on the page of its item alone. */
function cell({ name }: Column, item: Members, document: Named, place: Place): Markup | string {
  const value = item[name];
  if (value === undefined) return '';
  // A row is short: the page of the item has the time of its day.
  if (name === 'createdAt' && !document.selected?.has(name)) return String(value).slice(0, 10);
  const field = fieldOf(requirePart(document.description), name);
  if (field?.kind === 'text' && field.format === 'email' && typeof value === 'string') return value;
  return shownProperty(name, item, document, place);
}

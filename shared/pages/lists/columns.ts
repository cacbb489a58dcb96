import { html } from 'hono/html';
import type { Document, Place } from '../../representations/representation.ts';
import { AUTHORS, type Sight } from '../../resource/access/sight.ts';
import type { Description } from '../../resource/description/description.ts';
import { kindOf } from '../../resource/kinds/kinds.ts';
import { labelOf, type Markup, requirePart } from '../markup.ts';
import { fieldOf, type Named, shownProperty } from '../property.ts';

type Members = Document['members'];

/** The property that names the items; undefined if several properties make the names. */
const leadOf = ({ identifier, title }: Description): string | undefined =>
  title === undefined ? identifier.name : typeof title === 'string' ? title : undefined;

const simpleFields = ({ fields }: Description): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.coded || kindOf(field).attribute === 'json' ? [] : [name],
  );

/** The columns that a person can choose, in addition to the first one. */
export const columnsToChoose = (description: Description, sight: Sight): string[] =>
  [
    ...simpleFields(description),
    description.identifier.name,
    'createdAt',
    'updatedAt',
    ...(sight.authors ? Object.keys(AUTHORS) : []),
  ].filter((name) => name !== leadOf(description));

/**
 * The properties that the columns show. The first one names the items. The others are the chosen ones, or those without
 * nested values that an item has. Numbers of items and times are only there if a person chooses them.
 */
export function columnsOf(
  items: readonly Members[],
  description: Description,
  chosen?: ReadonlySet<string>,
): [string | undefined, ...string[]] {
  const lead = leadOf(description);
  const present = chosen
    ? [...chosen].filter((name) => name !== 'links')
    : [...simpleFields(description), 'createdBy'].filter((name) =>
        items.some((item) => item[name] !== undefined),
      );
  return [lead, ...present.filter((name) => name !== lead)];
}

/** The cell of a property of an item. */
export function cell(name: string, item: Members, document: Named, place: Place): Markup {
  const description = requirePart(document.description);
  const value = item[name] === undefined ? '' : shownProperty(name, item, document, place);
  return html`<td data-label="${labelOf(description, name)}"${numeric(description, name)}>${value}</td>`;
}

/** Numbers are right-aligned. People do not compare identifiers of other items. */
export function numeric(description: Description, name: string): Markup | '' {
  const field = fieldOf(description, name);
  return field?.kind === 'decimal' || (field?.kind === 'integer' && !field.isId) ? html` class="number"` : '';
}

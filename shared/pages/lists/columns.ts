import { html } from 'hono/html';
import type { Document, Place } from '../../representations/representation.ts';
import type { Description } from '../../resource/description/description.ts';
import { kindOf } from '../../resource/kinds/kinds.ts';
import { labelOf, type Markup, requirePart } from '../markup.ts';
import { fieldOf, type Named, shownProperty } from '../property.ts';

type Members = Document['members'];

/**
 * The properties that the columns show, without nested values. The first one names the items. It is undefined if several
 * properties make the names.
 */
export function columnsOf(
  items: readonly Members[],
  { identifier, title, fields }: Description,
): [string | undefined, ...string[]] {
  const simple = Object.entries(fields).flatMap(([name, field]) =>
    kindOf(field).attribute === 'json' ? [] : [name],
  );
  const present = [...simple, identifier.name, 'createdAt', 'createdBy'].filter((name) =>
    items.some((item) => item[name] !== undefined),
  );
  const lead = title === undefined ? identifier.name : typeof title === 'string' ? title : undefined;
  return [lead, ...present.filter((name) => name !== lead)];
}

/** The cell of a property of an item. */
export function cell(name: string, item: Members, document: Named, place: Place): Markup {
  const description = requirePart(document.description);
  return html`<td data-label="${labelOf(description, name)}"${numeric(description, name)}>${item[name] === undefined ? '' : shownProperty(name, item, document, place)}</td>`;
}

/** Numbers are right-aligned. People do not compare identifiers of other items. */
export function numeric(description: Description, name: string): Markup | '' {
  const field = fieldOf(description, name);
  return field?.kind === 'decimal' || (field?.kind === 'integer' && !field.isId) ? html` class="number"` : '';
}

import { html } from 'hono/html';
import type { Document } from '../representations/representation.ts';
import type { Description } from '../resource/description/description.ts';
import type { Field } from '../resource/description/fields.ts';
import { labelOf, type Markup } from './markup.ts';
import { shownField } from './structure.ts';
import { shownBytes } from './value.ts';

/** The declaration of a property; undefined if it is undeclared. */
export const fieldOf = ({ fields }: Description, name: string): Field | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** The given properties of an item, with their labels. */
export function memberList(
  names: readonly string[],
  members: Document['members'],
  description: Description,
): Markup | '' {
  if (names.length === 0) return '';
  return html`<dl>
${names.map((name) => html`<dt>${labelOf(description, name)}</dt><dd>${shownBytes(members[name], name, labelOf(description, name)) ?? shownField(members[name], fieldOf(description, name))}</dd>`)}
</dl>`;
}

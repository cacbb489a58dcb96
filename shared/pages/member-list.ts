import { html } from 'hono/html';
import type { Document } from '../representations/representation.ts';
import type { Description } from '../resource/description.ts';
import { labelOf, type Markup } from './markup.ts';
import { shown } from './value.ts';

/** These members of an item, by their labels. */
export function memberList(
  names: readonly string[],
  members: Document['members'],
  description: Description,
): Markup | '' {
  if (names.length === 0) return '';
  return html`<dl>
${names.map((name) => html`<dt>${labelOf(description, name)}</dt><dd>${shown(members[name])}</dd>`)}
</dl>`;
}

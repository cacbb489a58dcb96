import { html } from 'hono/html';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { labelOf, type Markup, requirePart } from '../markup.ts';
import { shownProperty } from '../property.ts';

/** Returns the given properties of an item, with their labels. */
export function memberList(names: readonly string[], document: Document, place: Place): Markup | '' {
  if (names.length === 0) return '';
  const description = requirePart(document.description);
  return html`<dl>
${names.map((name) => html`<dt>${labelOf(description, name)}</dt><dd>${shownProperty(name, document.members, document, place)}</dd>`)}
</dl>`;
}

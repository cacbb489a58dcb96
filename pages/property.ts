import { html } from 'hono/html';
import { itemHref } from '../shared/representations/item.ts';
import type { Document, Place } from '../shared/representations/representation.ts';
import { AUTHORS } from '../shared/resource/access/sight.ts';
import type { Description, Field } from '../shared/resource/description/description.ts';
import { authorName } from './frame/person.ts';
import { attribute, labelOf, type Markup, requirePart } from './markup.ts';
import { type NamedItems, nameOf, nameOfItem } from './names/item-name.ts';
import { shownField } from './shown-field.ts';
import { shownBytes } from './shown-value.ts';

type Members = Document['members'];

/** The description of an item, and the related items to show by their names. */
export interface Named extends Pick<Document, 'description' | 'selected'> {
  readonly expansions?: readonly NamedItems[];
}

/** Returns the declaration of a property; undefined if it is undeclared. */
export const fieldOf = ({ fields }: Description, name: string): Field | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** Returns a property of an item for people: a picture, a link to a related item by its name, or a value. */
export function shownProperty(
  name: string,
  members: Members,
  document: Named,
  place: Place,
): Markup | string {
  const description = requirePart(document.description);
  if (Object.hasOwn(AUTHORS, name) && members[name] !== undefined) return authorName(members[name], place);
  return (
    shownBytes(
      members[name],
      name,
      `${labelOf(description, name)} of ${nameOf(description, members, document.expansions)}`,
    ) ??
    relatedItem(name, members[name], document, place) ??
    shownField(members[name], fieldOf(description, name))
  );
}

/**
 * Returns the link to a related item; undefined if the property names no items that the caller may read. An item that
 * is gone has no page to link to.
 */
function relatedItem(
  name: string,
  id: unknown,
  { expansions }: Named,
  { basePath }: Place,
): Markup | undefined {
  const read = expansions?.find(({ relation }) => relation.field === name);
  if (!read || (typeof id !== 'number' && typeof id !== 'string')) return undefined;
  const { to } = read.relation;
  const item = read.items.get(id);
  if (!item && !read.unread.has(id)) return html`${id} <span class="none">(gone)</span>`;
  const shown = item ? nameOfItem(to.description, item) : id;
  return html`<a${attribute('href', basePath + itemHref(to, id))}>${shown}</a>`;
}

/** Returns the given properties of an item, with their labels. */
export function memberList(names: readonly string[], document: Document, place: Place): Markup | '' {
  if (names.length === 0) return '';
  const description = requirePart(document.description);
  return html`<dl>
${names.map((name) => html`<dt>${labelOf(description, name)}</dt><dd>${shownProperty(name, document.members, document, place)}</dd>`)}
</dl>`;
}

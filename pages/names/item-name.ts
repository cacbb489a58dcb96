import { Decimal } from '../../shared/json/decimal.ts';
import type { Document } from '../../shared/representations/representation.ts';
import { sightOf } from '../../shared/resource/access/sight.ts';
import type { Description } from '../../shared/resource/description/description.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import type { Item } from '../../shared/resource/item.ts';
import type { Listed, ReadItems } from '../../shared/resource/relation.ts';
import { requirePart } from '../markup.ts';
import { amountText } from '../shown-value.ts';

/** The properties of an item, by their names. */
type Members = Readonly<Record<string, unknown>>;

/** A longer title does not fit into a heading or a row. Unit: characters (code points). */
const MAXIMUM_TITLE = 120;

/**
 * Returns the name of an item for people, at most 120 characters; undefined if the description states no title, or if
 * the item lacks it. `composed`: the text of several fields.
 */
export function titleOf(
  { title }: Pick<Description, 'title'>,
  members: Members,
  composed?: string,
): string | undefined {
  const value =
    typeof title === 'function' ? title(members) : typeof title === 'string' ? members[title] : composed;
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '') return undefined;
  const characters = [...text.slice(0, 2 * MAXIMUM_TITLE + 2)];
  return characters.length > MAXIMUM_TITLE ? `${characters.slice(0, MAXIMUM_TITLE - 1).join('')}…` : text;
}

/** Related items that a page names. */
export interface NamedItems extends Pick<ReadItems, 'items'> {
  readonly relation: { readonly field: string; readonly to: Listed };
  /** Those that can exist, although the page has no name of them. */
  readonly unread: Pick<ReadItems['unread'], 'has'>;
}

/** Returns the identifier of an item. */
export const idOf = ({ identifier }: Description, members: Members): number | string =>
  members[identifier.name] as number | string;

/**
 * Returns the name of an item for people: its title, the name that it has as its identifier, otherwise its kind and its
 * number. `related`: the items it refers to.
 */
export const nameOf = (
  description: Description,
  members: Members,
  related: readonly NamedItems[] = [],
): string =>
  titleOf(description, members, composedTitle(description, members, related)) ??
  (description.identifier.kind === 'text' ? '' : `${capitalize(description.singular)} `) +
    String(idOf(description, members));

/**
 * Returns the name of an item among others of its kind: the first part of a title of several fields. `above`: the field
 * that has the same value in all of them. If their titles begin with it, their numbers are the names.
 */
export function shortNameOf(
  description: Description,
  members: Members,
  related: readonly NamedItems[] = [],
  above?: string,
): string {
  const { title } = description;
  if (!Array.isArray(title)) return nameOf(description, members, related);
  if (above !== undefined && title[0] === above) return String(idOf(description, members));
  const [first] = titleParts({ ...description, title: title.slice(0, 1) }, members, related);
  return first?.text ?? nameOf({ ...description, title: undefined }, members);
}

/** The name of an item as a heading, and the fields of its title that the name lacks. */
interface Heading {
  readonly name: string;
  readonly beside: readonly string[];
}

/** Returns the name of an item, from the first part alone if its title has several fields. */
export function headingOf(
  description: Description,
  members: Members,
  related: readonly NamedItems[] = [],
): Heading {
  const { title, singular } = description;
  const parts = titleParts(description, members, related);
  const [first, ...others] = parts;
  if (!Array.isArray(title) || !first) return { name: nameOf(description, members, related), beside: [] };
  if (first.field !== title[0])
    return {
      name: nameOf({ ...description, title: undefined }, members),
      beside: parts.map(({ field }) => field),
    };
  return {
    name: `${capitalize(singular)} ${first.isItem ? 'of ' : ''}${first.text}`,
    beside: others.map(({ field }) => field),
  };
}

/** Returns the name of an item as a heading has it. */
export const headingName: typeof nameOf = (...of) => headingOf(...of).name;

/** Returns the same name inside a sentence: its kind begins with a small letter. */
export function nameInSentence(
  description: Description,
  members: Members,
  related?: readonly NamedItems[],
): string {
  const name = nameOf(description, members, related);
  const { singular, title } = description;
  const isKindFirst = typeof title !== 'string' && name.startsWith(capitalize(singular));
  return isKindFirst ? singular + name.slice(singular.length) : name;
}

/** Returns the name of the item that a document is about. */
export const nameAbout = ({ description, about, expansions }: Document, name = nameOf): string =>
  name(requirePart(description), requirePart(about), expansions);

/** Returns the name of a stored item for people, from the properties that every caller sees. */
export function nameOfItem(description: Description, { id, values }: Pick<Item, 'id' | 'values'>): string {
  const { fields } = sightOf(description, undefined).description;
  const seen = Object.keys(fields).flatMap((name) =>
    values[name] === undefined ? [] : [[name, values[name]]],
  );
  return nameOf(description, { [description.identifier.name]: id, ...Object.fromEntries(seen) });
}

/** A part of a title of several fields: the value of a field as a text. `isItem`: it is the name of a related item. */
interface TitlePart {
  readonly field: string;
  readonly text: string;
  readonly isItem?: boolean;
}

/** Returns the parts of a title of several fields, without values that the item lacks. */
function titleParts(
  { title, fields }: Description,
  members: Members,
  related: readonly NamedItems[],
): TitlePart[] {
  if (title === undefined || typeof title === 'string' || typeof title === 'function') return [];
  return title.flatMap((name): TitlePart[] => {
    const value = members[name];
    if (value === undefined || value === null) return [];
    const field = fields[name];
    if (field?.kind === 'decimal' && (typeof value === 'number' || value instanceof Decimal))
      return [
        { field: name, text: field.money ? amountText(value, field) : Decimal.from(value).canonical().text },
      ];
    if (field?.kind !== 'integer' || !field.isId) return [{ field: name, text: String(value) }];
    const read = related.find(({ relation }) => relation.field === name);
    const item = read?.items.get(Number(value));
    return read && item
      ? [{ field: name, text: nameOfItem(read.relation.to.description, item), isItem: true }]
      : [];
  });
}

/** Returns the title of several fields: `Order of Acme, 43.50 EUR, paid`. */
function composedTitle(
  description: Description,
  members: Members,
  related: readonly NamedItems[],
): string | undefined {
  const texts = titleParts(description, members, related);
  if (texts.length === 0) return undefined;
  const [first, ...others] = texts;
  const lead = capitalize(description.singular) + (first?.isItem ? ` of ${first.text}` : '');
  return [lead, ...(first?.isItem ? others : texts).map(({ text }) => text)].join(', ');
}

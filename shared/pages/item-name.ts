import { Decimal } from '../json/decimal.ts';
import { sightOf } from '../resource/access/sight.ts';
import type { Description } from '../resource/description/description.ts';
import { titleOf } from '../resource/description/title.ts';
import type { Item } from '../resource/item.ts';
import type { Listed } from '../resource/related.ts';
import { capitalize } from './markup.ts';
import { amountText } from './value.ts';

type Members = Readonly<Record<string, unknown>>;

/** Related items that exist, by their identifiers. */
export interface NamedItems {
  readonly relation: { readonly field: string; readonly to: Listed };
  readonly items: ReadonlyMap<number | string, Item>;
}

/** The identifier of an item. */
export const idOf = ({ identifier }: Description, members: Members): number | string =>
  members[identifier.name] as number | string;

/** The name of an item for people: its title, otherwise its kind and its identifier. `related`: the items it refers to. */
export const nameOf = (
  description: Description,
  members: Members,
  related: readonly NamedItems[] = [],
): string =>
  titleOf(description, members, composedTitle(description, members, related)) ??
  `${capitalize(description.singular)} ${members[description.identifier.name]}`;

/** The same name inside a sentence: its kind begins with a small letter. */
export function nameInSentence(
  description: Description,
  members: Members,
  related?: readonly NamedItems[],
): string {
  const name = nameOf(description, members, related);
  const { singular, title } = description;
  return Array.isArray(title) ? singular + name.slice(singular.length) : name;
}

/** The name of a stored item for people, from the properties that every caller sees. */
export function nameOfItem(description: Description, { id, values }: Pick<Item, 'id' | 'values'>): string {
  const { fields } = sightOf(description, undefined).description;
  const seen = Object.keys(fields).flatMap((name) =>
    values[name] === undefined ? [] : [[name, values[name]]],
  );
  return nameOf(description, { [description.identifier.name]: id, ...Object.fromEntries(seen) });
}

/** The title of several fields: `Order of Acme, 43.50 EUR, paid`. It leaves out values that the item lacks. */
function composedTitle(
  { title, singular, fields }: Description,
  members: Members,
  related: readonly NamedItems[],
): string | undefined {
  if (title === undefined || typeof title === 'string' || typeof title === 'function') return undefined;
  const texts = title.flatMap((name): { readonly text: string; readonly isItem?: boolean }[] => {
    const value = members[name];
    if (value === undefined || value === null) return [];
    const field = fields[name];
    if (field?.kind === 'decimal' && (typeof value === 'number' || value instanceof Decimal))
      return [{ text: field.money ? amountText(value, field) : Decimal.from(value).canonical().text }];
    if (field?.kind !== 'integer' || !field.isId) return [{ text: String(value) }];
    const read = related.find(({ relation }) => relation.field === name);
    const item = read?.items.get(Number(value));
    return read && item ? [{ text: nameOfItem(read.relation.to.description, item), isItem: true }] : [];
  });
  if (texts.length === 0) return undefined;
  const [first, ...others] = texts;
  const lead = capitalize(singular) + (first?.isItem ? ` of ${first.text}` : '');
  return [lead, ...(first?.isItem ? others : texts).map(({ text }) => text)].join(', ');
}

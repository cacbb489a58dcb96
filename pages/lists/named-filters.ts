import { html } from 'hono/html';
import type { Place } from '../../shared/representations/representation.ts';
import { ANYONE } from '../../shared/resource/access/owner.ts';
import { hasScope } from '../../shared/resource/access/sight.ts';
import type { Item } from '../../shared/resource/item.ts';
import type { Relation } from '../../shared/resource/relation.ts';
import { meantIds, NO_ITEM, namedInput, namedValue } from '../forms/named-input.ts';
import { MAXIMUM_NAMESAKES } from '../forms/offers.ts';
import { ifUnavailable } from '../if-unavailable.ts';
import type { Markup } from '../markup.ts';
import { nameOfItem } from '../names/item-name.ts';
import { search } from './list-controls.ts';

/** What the form of a list shows of a filter by a related item. */
export interface NamedFilter {
  /** The name of the item, or what the person has written. */
  readonly text: string;
  /** The value of the input that says which items the text means. */
  readonly named: string;
  /** A link for each of several items, or the sentence that no item has the name; empty for one item. */
  readonly message: Markup | '';
}

/**
 * Reads the names for the filters of a list by related items, by the parameters of the filters. One read for each filter
 * that the list has.
 */
export async function namedFilters(place: Place): Promise<ReadonlyMap<string, NamedFilter>> {
  const relations = Object.values(place.resource?.relations ?? {});
  const found = await Promise.all(
    relations.map(async (relation): Promise<[string, NamedFilter][]> => {
      const ids = meantIds(place.query, relation.field);
      if (ids === undefined || !hasScope(place, `${relation.to.name}:read`)) return [];
      const items = await read(relation, ids, place);
      return [[relation.field, filterOf(relation, ids, items, place)]];
    }),
  );
  return new Map(found.flat());
}

async function read({ to, read: readItems }: Relation, ids: string, { principal }: Place): Promise<Item[]> {
  const numbers = ids.split(',').map(Number);
  const read = await readItems(to, numbers, principal ?? ANYONE).catch(ifUnavailable(undefined));
  return numbers.flatMap((id) => read?.items.get(id) ?? []);
}

function filterOf({ field, to }: Relation, ids: string, items: readonly Item[], place: Place): NamedFilter {
  const { description } = to;
  const names = items.map((item) => nameOfItem(description, item));
  const written = place.query.get(namedInput(field))?.[0] ?? '';
  const isWritten = written.startsWith(`${ids} `);
  const [only] = items.length === 1 ? names : [];
  const text = only ?? (isWritten ? written.slice(ids.length + 1) : names.join(', ') || ids);
  const link = (item: Item, name: string) => {
    const address = search(place, [field, namedInput(field)], [[field, String(item.id)]]);
    return html`<li><a href="${address}">${name}</a> <small>${item.id}</small></li>`;
  };
  return {
    text,
    named: namedValue(ids, text),
    message: messageOf(),
  };

  function messageOf(): Markup | '' {
    if (ids === NO_ITEM) return html`<p class="error">There is no ${description.singular} “${text}”.</p>`;
    const count = ids.split(',').length;
    if (count < 2) return '';
    const match =
      count < MAXIMUM_NAMESAKES ? 'match' : 'match, and others can: write more of the name to see them';
    return html`<p>${count} ${to.name} ${match}:</p><ul>${items.map((item, at) => link(item, names[at] ?? ''))}</ul>`;
  }
}

import { html } from 'hono/html';
import type { Place } from '../../shared/representations/representation.ts';
import { ANYONE } from '../../shared/resource/access/owner.ts';
import { hasScope } from '../../shared/resource/access/sight.ts';
import type { ReadItems, Relation } from '../../shared/resource/relation.ts';
import { meantIds, NO_ITEM, namedInput, namedValue } from '../forms/named-input.ts';
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
      const numbers = ids.split(',').filter((one) => one !== NO_ITEM);
      const items = await read(relation, numbers.map(Number), place);
      return [[relation.field, filterOf(relation, ids, { numbers, items }, place)]];
    }),
  );
  return new Map(found.flat());
}

type Items = ReadItems['items'];

async function read({ to, read }: Relation, ids: number[], { principal }: Place): Promise<Items> {
  const found = await read(to, ids, principal ?? ANYONE).catch(ifUnavailable(undefined));
  return found?.items ?? new Map();
}

/** `numbers`: of the items that the text means. `items`: those that exist, and that the request could read. */
function filterOf(
  { field, to }: Relation,
  ids: string,
  { numbers, items }: { readonly numbers: readonly string[]; readonly items: Items },
  place: Place,
): NamedFilter {
  const { description } = to;
  const names = numbers.map((id) => {
    const item = items.get(Number(id));
    return item ? nameOfItem(description, item) : id;
  });
  const written = place.query.get(namedInput(field))?.[0] ?? '';
  const isWritten = written.startsWith(`${ids} `);
  const isKnown = ids === numbers[0] && items.size === 1;
  const text = isWritten && !isKnown ? written.slice(ids.length + 1) : names.join(', ') || ids;
  const link = (name: string, at: number) => {
    const id = numbers[at] ?? '';
    const address = search(place, [field, namedInput(field)], [[field, id]]);
    return html`<li><a href="${address}">${name}</a> <small>${id}</small></li>`;
  };
  return {
    text,
    named: namedValue(ids, text),
    message: messageOf(),
  };

  function messageOf(): Markup | '' {
    if (ids === NO_ITEM) return html`<p class="error">There is no ${description.singular} “${text}”.</p>`;
    if (ids === numbers[0]) return '';
    const match = numbers.length === 1 ? `${description.singular} matches` : `${to.name} match`;
    const isMore = ids.endsWith(`,${NO_ITEM}`);
    const more = isMore ? ', and others can: write more of the name to see them' : '';
    return html`<p>${numbers.length} ${match}${more}:</p><ul>${names.map(link)}</ul>`;
  }
}

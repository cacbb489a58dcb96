import { html } from 'hono/html';
import { RELATED } from '#related';
import { itemHref, valueMembers } from '../../shared/representations/item.ts';
import type { Document, Place } from '../../shared/representations/representation.ts';
import { hasScope, sightOf } from '../../shared/resource/access/sight.ts';
import type { Item } from '../../shared/resource/item.ts';
import { newestList } from '../../shared/resource/list-template.ts';
import {
  type Counted,
  type RelatedList,
  type RelatedReader,
  relatedId,
} from '../../shared/resource/relation.ts';
import { ifUnavailable } from '../if-unavailable.ts';
import { columnsOf, table } from '../lists/columns.ts';
import { labelOf, type Markup } from '../markup.ts';
import { idOf, type NamedItems, shortNameOf } from '../names/item-name.ts';

/** How many items of a related list a page shows. */
const LATEST = 5;

/** How many items of a related list a page counts. */
const MOST_COUNTED = 100;

/** What a page shows of a related list. */
interface Latest {
  readonly table?: Markup;
  readonly counted?: Counted;
}

/** The item that a page shows. */
interface Shown {
  /** The name of its resource. */
  readonly collection: string;
  readonly id: number;
  /** Its name for people. */
  readonly name: string;
}

/** A related list on a page. */
interface RelatedSection {
  readonly address: string;
  readonly markup: Markup;
}

/**
 * Returns the related lists of an item: the latest items of each, if the caller may read them, and a link to all. If
 * the storage of a list does not respond, the link remains.
 */
export function relatedSections(
  { related }: Pick<Document, 'related'>,
  shown: Shown,
  place: Place,
): Promise<readonly RelatedSection[]> {
  const all = (related && RELATED[shown.collection]) ?? [];
  const lists = all.filter(({ isPartition }) => isPartition);
  return Promise.all(
    lists.map(async (one) => {
      const isOnly = lists.every(({ name, field }) => name !== one.name || field === one.field);
      const title = isOnly ? one.title : `${one.title} (${labelOf(one.description, one.field)})`;
      const list = { ...one, title };
      const address =
        place.basePath +
        (list.isBelow
          ? `${itemHref({ name: shown.collection }, shown.id)}/${list.name}`
          : `/${list.name}?${list.field}=${shown.id}`);
      const reads = related && hasScope(place, `${list.name}:read`);
      const read = reads && (await latest(list, shown.id, related, place).catch(ifUnavailable(UNREAD)));
      return { address, markup: section(list, shown, address, read || {}, place) };
    }),
  );
}

/** The text instead of a list. The page still shows its item. */
const UNREAD: Latest = { table: html`<p class="empty">The service cannot read them now.</p>` };

function section(
  list: RelatedList,
  shown: Shown,
  address: string,
  { table, counted }: Latest,
  place: Place,
): Markup {
  const { name, title, description, field, hasForm } = list;
  const all = list.isBelow
    ? address.slice(0, -name.length - 1) + newestList(list)
    : place.basePath + newestList(list, [[field, String(shown.id)]]);
  const form = `${place.basePath}/${name}/new?${field}=${shown.id}`;
  return html`<section>
<h2>${title}</h2>
${table}
<p class="actions"><a href="${all}">All ${title.toLowerCase()} of ${shown.name}</a>${counted && ` (${counted.isMore ? 'more than ' : ''}${counted.count})`}
${hasForm && hasScope(place, `${name}:write`) && html`<a class="button quiet" href="${form}">New ${description.singular}</a>`}</p>
</section>`;
}

/** Returns the newest items of a list as a table, and the number of all if there are more. */
async function latest(list: RelatedList, id: number, related: RelatedReader, place: Place): Promise<Latest> {
  const items = await related.newest(list, id, LATEST);
  if (items.length === 0)
    return { table: html`<p class="empty">There are no ${list.title.toLowerCase()} yet.</p>` };
  const counting = items.length === LATEST ? related.count(list, id, MOST_COUNTED) : undefined;
  const relations = list.relations.filter(({ to }) => hasScope(place, `${to.name}:read`));
  const expansions = await Promise.all(
    relations.map(async (relation) => {
      const ids = items.flatMap((item) => relatedId(relation, item) ?? []);
      return { relation, ...(await related.read(relation.to, ids)) };
    }),
  );
  const counted = (await counting) ?? { count: items.length, isMore: false };
  return { table: relatedTable(list, items, expansions, place), counted };
}

function relatedTable(
  list: RelatedList,
  items: readonly Item[],
  expansions: readonly NamedItems[],
  place: Place,
): Markup {
  const { title, description, field } = list;
  const sight = sightOf(list.description, place);
  const rows = items.map((item) => valueMembers(list, item, place.basePath, { sight }));
  // Every item has the same value in the field: the item of the page.
  const [first, ...columns] = columnsOf(rows, description).filter((one) => one !== field);
  const lead = (item: Readonly<Record<string, unknown>>) => {
    const id = idOf(description, item);
    const name = description.title ? shortNameOf(description, item, expansions, field) : String(id);
    return html`<a href="${place.basePath}${itemHref(list, id)}">${name}</a>`;
  };
  const head = (_: unknown, label: string) => html`<th scope="col">${label}</th>`;
  return table(
    rows,
    { label: title, columns: [first, ...columns.map(String)], head, lead },
    { description, expansions },
    place,
  );
}

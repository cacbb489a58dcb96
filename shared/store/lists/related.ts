import { MAXIMUM_UNITS } from '../../aws/read-budget.ts';
import { Decimal } from '../../json/decimal.ts';
import { SERVICE } from '../../resource/access/owner.ts';
import type { ItemFacts } from '../../resource/description/description.ts';
import type { PageQuery } from '../../resource/lists/page.ts';
import { type RelatedList, type RelatedReader, type Relation, titleField } from '../../resource/relation.ts';
import type { Tabled } from '../form/table.ts';
import type { Listing } from '../items/outcomes.ts';
import { readItems } from '../items/read-items.ts';
import { Pages } from './pages.ts';
import { KEPT_UNITS } from './reading/partition-reader.ts';

/**
 * Reads related lists from DynamoDB. Identifiers contain the time of creation: the newest item has the greatest. No
 * related list has owners (service/derived/related.ts), so every caller may see all of its items.
 */
export const relatedReader: RelatedReader = {
  newest: async (list, value, limit) => {
    const sortOrder = [{ field: list.description.identifier.name, descending: true }];
    const listing = await referringPage(list, value, { limit, offset: 0, sortOrder, filters: [] });
    return listing.kind === 'page' ? listing.page.items : [];
  },
  count: async (list, value, most) => {
    const field = list.isPartition ? list.description.identifier.name : list.field;
    const sortOrder = [{ field, descending: false }];
    const listing = await referringPage(list, value, { limit: most, offset: 0, sortOrder, filters: [] });
    if (listing.kind !== 'page') return undefined;
    return { count: listing.page.items.length, isMore: listing.page.next !== undefined };
  },
  read: (of, ids) => readItems(of, ids, SERVICE),
};

/** Returns a page of the items that refer to an item. */
function referringPage(list: RelatedList, value: number | string, query: PageQuery): Promise<Listing> {
  const { field, isPartition } = list;
  const pages = new Pages(referring(list));
  if (isPartition) return pages.list(SERVICE, query, { field, value });
  const filter = { field, operator: '=' as const, values: [Decimal.from(Number(value))] };
  return pages.list(SERVICE, { ...query, filters: [filter] });
}

/** The facts of a table whose items the service finds by an item to which they refer: it reads no other orders of it. */
export const referring = ({
  name,
  description,
  field,
  isPartition,
}: Pick<RelatedList, 'name' | 'description' | 'field' | 'isPartition'>): Tabled => ({
  name,
  description,
  ...(isPartition
    ? { sortable: [], table: { whole: false, partitions: [field] } }
    : { sortable: [field], table: {} }),
});

/** Returns the text with its first letter in the other case. */
function inOtherCase(text: string): string {
  const [first = ''] = text;
  const upper = first.toUpperCase();
  return (first === upper ? first.toLowerCase() : upper) + text.slice(first.length);
}

/** Returns the facts of a table whose items the service finds by their titles: it reads no other orders of it. */
export const byTitle = (of: ItemFacts): Tabled => ({
  ...of,
  sortable: [titleField(of) ?? []].flat(),
  table: {},
});

/**
 * Finds items in DynamoDB by the index of their titles. It leaves most read units for the list that the items select, and
 * for other searches.
 */
export const findByTitle: NonNullable<Relation['find']> = async (of, beginning, caller, limit) => {
  const titled = byTitle(of);
  const [field] = titled.sortable;
  if (field === undefined) return undefined;
  const pages = new Pages(titled);
  const sortOrder = [{ field, descending: false }];
  const found = await Promise.all(
    [...new Set([beginning, inOtherCase(beginning)])].map(async (text) => {
      const filters = text === '' ? [] : [{ field, operator: 'prefix' as const, values: [text] }];
      return pages.list(caller, { limit, offset: 0, sortOrder, filters, keep: MAXIMUM_UNITS - KEPT_UNITS });
    }),
  );
  const read = found.flatMap((listing) => (listing.kind === 'page' ? [listing.page] : []));
  if (read.length < found.length) return undefined;
  const items = read.flatMap((page) => page.items);
  const isMore = items.length > limit || read.some((page) => page.next !== undefined);
  return { items: items.slice(0, limit), isMore };
};

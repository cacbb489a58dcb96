import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { isNamed } from '../../aws/faults.ts';
import { UNITS_OF_ITEM } from '../../aws/read-budget.ts';
import { Unavailable } from '../../http/problem.ts';
import type { Description } from '../../resource/description/description.ts';
import type { Item } from '../../resource/item.ts';
import type { ListPosition, PageQuery } from '../../resource/lists/page.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { fromAttributes } from '../form/attributes.ts';
import type { Partition } from '../form/table.ts';
import type { Listing, OffsetTooLarge, StoredPage } from '../items/outcomes.ts';
import type { Runs } from './plan.ts';
import { KEPT_UNITS } from './reading/partition-reader.ts';
import type { Rows } from './reading/sorted-rows.ts';

/** Bytes of items after which a page ends. The rendered page may be shorter. Source: Specification 4.2. */
const MAXIMUM_PAGE_BYTES = 4_000_000;

/**
 * Takes the items of a page from rows that begin at a position. The page ends early if reading stopped, or at 4 MB of whole
 * items.
 * @throws Unavailable if reading stopped before the first row
 *
 * Source: Specification 4.2, 4.5.
 */
export async function takePage(
  description: Description,
  source: Rows,
  { limit, isPartial }: Pick<PageQuery, 'limit' | 'isPartial'>,
  from: ListPosition | undefined,
): Promise<StoredPage> {
  const backwards = from?.backwards === true;
  const items: Item[] = [];
  let bytes = 0;
  const rows = new Map<Item, Attributes>();
  let frontier: ListPosition | undefined;
  let more = false;
  for (;;) {
    const next = source.next();
    const row = next instanceof Promise ? await next : next;
    if (row === undefined) break;
    if (row === 'unknown') {
      frontier = source.frontier;
      if (!frontier && items.length === 0) throw usedUp();
      more = true;
      break;
    }
    bytes += sizeOf(row);
    if (items.length === limit || (!isPartial && bytes > MAXIMUM_PAGE_BYTES && items.length > 0)) {
      more = true;
      break;
    }
    const item = fromAttributes(description, row);
    items.push(item);
    rows.set(item, row);
  }
  const positionOf = (item: Item): ListPosition => source.position(rows.get(item) as Attributes);
  const first = items[0] && positionOf(items[0]);
  const end = items.at(-1);
  const last = frontier ?? (end && positionOf(end));
  // A page after a position has items before it, so it gets a link back. An empty page gets none.
  if (!backwards) {
    return {
      items,
      positionOf,
      ...(more && last ? { next: last } : {}),
      ...(from && first ? { previous: { ...first, backwards: true } } : {}),
    };
  }
  return {
    items: items.reverse(),
    positionOf,
    ...(first ? { next: { ...first, backwards: false } } : {}),
    ...(more && last ? { previous: { ...last, backwards: true } } : {}),
  };
}

/** The least number of bytes that names, times, links and punctuation add to a representation. */
const AROUND = 400;

/** Returns an estimate of an item's bytes in a representation: texts, numbers and a fixed overhead, without escapes. */
export function sizeOf(row: Attributes): number {
  let size = AROUND;
  for (const name of Object.keys(row)) {
    const value = row[name];
    size += name.length + 8 + (value?.S !== undefined ? Buffer.byteLength(value.S) : (value?.N?.length ?? 0));
  }
  return size;
}

/** Returns the refusal of an offset, after so many items. @throws Unavailable if the request has no read units for an item */
export function offsetTooLarge(position: ListPosition | undefined, offset: number): OffsetTooLarge {
  if (!position) throw usedUp();
  return { kind: 'offsetTooLarge', position, offset };
}

const usedUp = () => new Unavailable(new Error('The read units are used up'));

/** Returns a page with the number of all items of its list, if it is known. Other listings stay as they are. */
export const withTotal = (listing: Listing, total: number | undefined): Listing =>
  listing.kind === 'page' && total !== undefined
    ? { kind: 'page', page: { ...listing.page, total } }
    : listing;

/** Returns a page with the undeclared sort keys that no item has. An empty page says nothing about them. */
export const withUnknownKeys = (listing: Listing, unknown: ReadonlySet<string>): Listing =>
  listing.kind === 'page' && unknown.size > 0 && listing.page.items.length > 0
    ? { kind: 'page', page: { ...listing.page, unknownKeys: [...unknown] } }
    : listing;

/** Returns the rows that a page needs from its position or from the beginning, also those that it skips. */
export const extentOf = (query: PageQuery) => ({
  from: query.after,
  forward: isForward(query),
  count: (query.after ? 0 : query.offset) + query.limit + 1,
});

/** True if a stored value is that of the partition. */
export const isIn = ({ value }: Partition, stored: AttributeValue | undefined): boolean =>
  typeof value === 'string' ? stored?.S === value : Number(stored?.N ?? Number.NaN) === value;

/** True to read in ascending order: the direction of the last sort key, or its reverse towards the start. */
export const isForward = ({ sortOrder, after }: Pick<PageQuery, 'sortOrder' | 'after'>): boolean =>
  sortOrder.at(-1)?.descending === (after?.backwards === true);

/** Takes all items, in the order of the rows; undefined if reading stopped before the last one, or with more of them. */
export async function takeAll(
  description: Description,
  source: Pick<Rows, 'next'>,
  maximum: number,
): Promise<readonly Item[] | undefined> {
  const items: Item[] = [];
  for (;;) {
    const row = await source.next();
    if (row === undefined) return items;
    if (row === 'unknown' || items.length === maximum) return undefined;
    items.push(fromAttributes(description, row));
  }
}

/** True if DynamoDB has no such index, or has not filled it yet. Source: Amazon DynamoDB API Reference, Query. */
export const isNoIndex = (error: unknown): boolean =>
  isNamed(error, 'ValidationException') && /\bindex\b/i.test(error.message);

/** Returns the read units that a page of these runs needs at least, and what follows it. */
export const keptFor = ({ runs }: Runs): number => KEPT_UNITS + runs.length * (UNITS_OF_ITEM / 2);

/** The position after the items that a request skips. */
export type Skipped =
  | { readonly kind: 'position'; readonly position: ListPosition }
  | { readonly kind: 'end' }
  | OffsetTooLarge;

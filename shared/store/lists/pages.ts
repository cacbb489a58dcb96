import { config } from '../../aws/config.ts';
import { isNamed } from '../../aws/faults.ts';
import type { Description } from '../../resource/description/description.ts';
import type { Item } from '../../resource/item.ts';
import type { Page, PageQuery, Position } from '../../resource/lists/page.ts';
import type { Resource } from '../../resource/resource.ts';
import { type Attributes, fromAttributes } from '../items/attributes.ts';
import { type SortValue, sortKey } from '../items/sort-key.ts';
import { indexFor, SHARD, type Table, tableOf } from '../items/table.ts';
import { indexQuery } from './index-query.ts';
import type { Listing, OffsetTooLarge, StoredPage } from './listing.ts';
import { MergedReader } from './merged-reader.ts';
import { type Budget, MAXIMUM_UNITS, PartitionReader, shareOf, UNLIMITED } from './partition-reader.ts';
import { sizeOf } from './size.ts';
import { type Rows, sortedRows } from './sorted-rows.ts';

/** Rows that one request may skip by `offset` or drop by a filter. Source: Specification 4.4, 4.16. */
export const MAXIMUM_ROWS = 10_000;
/** Bytes of items after which a page ends. The rendered page may be shorter. Source: Specification 4.2. */
const MAXIMUM_PAGE_BYTES = 4_000_000;

/** The items of one list: those whose `field` has this value. */
export interface Partition {
  readonly field: string;
  readonly value: number;
}

/** The position after the items that a request skips. */
type Skipped =
  | { readonly kind: 'position'; readonly position: Position }
  | { readonly kind: 'end' }
  | OffsetTooLarge;

const EMPTY: Listing = { kind: 'page', page: { items: [] } };

/**
 * The lists of one resource. Several partitions of an index hold the rows of a list. A page merges them by the
 * composed sort key, so that the order is total and each position is exact.
 */
export class Pages {
  readonly #description: Description;
  readonly #table: Table;

  constructor(resource: Resource) {
    this.#description = resource.description as Description;
    this.#table = tableOf(resource);
  }

  /**
   * Reads one page.
   * @throws Unavailable if DynamoDB does not respond.
   */
  async list(query: PageQuery, partition?: Partition): Promise<Listing> {
    try {
      return await this.#list(query, partition);
    } catch (error) {
      // DynamoDB refuses a start key outside of the partition, or of another shape than the key.
      if (query.after && isNamed(error, 'ValidationException')) return { kind: 'noPosition' };
      throw error;
    }
  }

  /**
   * Counts the items without a limit, by a read of all keys. `last`: the greatest identifier that counts.
   * @throws Unavailable if DynamoDB does not respond.
   */
  async size(last: number, partition?: Partition): Promise<number> {
    const query = { limit: 0, offset: 0, sort: this.#description.identifier.name, descending: false };
    const merge = this.#merge(query, undefined, partition, {
      keysOnly: true,
      count: MAXIMUM_ROWS,
      budget: UNLIMITED,
    });
    for (let size = 0; ; size += 1) {
      const row = await merge.next();
      if (row === undefined || row === 'unknown' || Number(row[this.#table.key.name]?.N) > last) return size;
    }
  }

  async #list(query: PageQuery, partition?: Partition): Promise<Listing> {
    const [listing, total] = await Promise.all([
      this.#listing(query, partition),
      query.count ? this.#count(query, partition) : undefined,
    ]);
    return total && listing.kind === 'page' ? { kind: 'page', page: { ...listing.page, total } } : listing;
  }

  async #listing(query: PageQuery, partition?: Partition): Promise<Listing> {
    if (query.limit === 0) return EMPTY;
    if (this.#isRead(query)) return this.#sorted(query, partition);
    if (query.after || query.offset === 0) return this.#page(query, query.after, partition);
    const skipped = await this.#skip(query, partition);
    if (skipped.kind === 'end') return EMPTY;
    return skipped.kind === 'position' ? this.#page(query, skipped.position, partition) : skipped;
  }

  /** Counts up to 10,000 items. Returns undefined if the budget ended before, because of large or filtered rows. */
  async #count(query: PageQuery, partition?: Partition): Promise<Page['total']> {
    const order = { ...query, sort: this.#description.identifier.name };
    const merge = this.#merge(order, undefined, partition, { keysOnly: true, count: MAXIMUM_ROWS });
    for (let count = 0; count < MAXIMUM_ROWS; count += 1) {
      const row = await merge.next();
      if (row === 'unknown') return undefined;
      if (row === undefined) return { count, exact: true };
    }
    return { count: MAXIMUM_ROWS, exact: (await merge.next()) === undefined };
  }

  /** The position after `offset` items. `end`: the list has no more items than that. */
  async #skip(query: PageQuery, partition?: Partition): Promise<Skipped> {
    const count = Math.min(query.offset, MAXIMUM_ROWS);
    const merge = this.#merge(query, undefined, partition, { keysOnly: true, count });
    let last: Attributes | undefined;
    for (let skipped = 0; skipped < count; skipped += 1) {
      const row = await merge.next();
      if (row === undefined) return { kind: 'end' };
      if (row === 'unknown') return { kind: 'offsetTooLarge', position: merge.frontier(), offset: skipped };
      last = row;
    }
    const position = merge.position(last as Attributes);
    if (count === query.offset) return { kind: 'position', position };
    return (await merge.next()) === undefined
      ? { kind: 'end' }
      : { kind: 'offsetTooLarge', position, offset: count };
  }

  /** True if no complete index serves the order, so that the service sorts by reading. */
  #isRead({ sort }: PageQuery): boolean {
    return config.ordersByReading().has(`${this.#table.resource}.${sort}`);
  }

  /** A page in an order that no complete index serves. */
  async #sorted(query: PageQuery, partition?: Partition): Promise<Listing> {
    const { after, limit, sort } = query;
    const skipped = after ? 0 : query.offset;
    const byIdentifier = { ...query, sort: this.#description.identifier.name, descending: false };
    const source = this.#merge(byIdentifier, undefined, partition, {
      keysOnly: false,
      count: MAXIMUM_ROWS,
      budget: { rows: MAXIMUM_ROWS + 1, units: MAXIMUM_UNITS },
    });
    const keyOf = (row: Attributes) => {
      const { id, createdAt, values } = fromAttributes(this.#description, row);
      return { key: sortKey(sort === 'createdAt' ? createdAt : (values[sort] as SortValue), id), id };
    };
    const rows = await sortedRows(source, keyOf, {
      from: after,
      forward: query.descending === (after?.backwards === true),
      count: skipped + limit + 1,
      maximum: MAXIMUM_ROWS,
    });
    if (rows === 'too-many') {
      const indexed = this.#table.indexes.map(({ field }) => field);
      const isIndexed = (field: string) => !this.#isRead({ ...query, sort: field });
      return { kind: 'tooLong', indexed: [...new Set(indexed)].filter(isIndexed) };
    }
    let from = after;
    for (let at = 0; at < skipped; at += 1) {
      const row = await rows.next();
      if (row === undefined || row === 'unknown') return EMPTY;
      from = rows.position(row);
    }
    return { kind: 'page', page: await this.#take(rows, query, from) };
  }

  async #page(query: PageQuery, from: Position | undefined, partition?: Partition): Promise<Listing> {
    const merge = this.#merge(query, from, partition, { keysOnly: false, count: query.limit + 1 });
    return { kind: 'page', page: await this.#take(merge, query, from) };
  }

  async #take(merge: Rows, query: PageQuery, from: Position | undefined): Promise<StoredPage> {
    const backwards = from?.backwards === true;
    const items: Item[] = [];
    let bytes = 0;
    const rows = new Map<Item, Attributes>();
    let frontier: Position | undefined;
    let more = false;
    for (;;) {
      const row = await merge.next();
      if (row === undefined) break;
      if (row === 'unknown') {
        frontier = merge.frontier();
        more = true;
        break;
      }
      bytes += sizeOf(row);
      if (items.length === query.limit || (bytes > MAXIMUM_PAGE_BYTES && items.length > 0)) {
        more = true;
        break;
      }
      const item = fromAttributes(this.#description, row);
      items.push(item);
      rows.set(item, row);
    }
    const positionOf = (item: Item): Position => merge.position(rows.get(item) as Attributes);
    const first = items[0] && positionOf(items[0]);
    const end = items.at(-1);
    const last = frontier ?? (end && positionOf(end));
    // A page that a position leads to has items on the side of that position. An empty page gets no link back.
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

  #merge(
    query: PageQuery,
    from: Position | undefined,
    partition: Partition | undefined,
    { keysOnly, count, budget: wanted }: { keysOnly: boolean; count: number; budget?: Budget },
  ): MergedReader {
    const index = indexFor(this.#table, partition?.field ?? SHARD, query.sort);
    const forward = query.descending === (from?.backwards === true);
    const partitions = partition
      ? [partition.value]
      : Array.from({ length: config.shards() }, (_, shard) => shard);
    const filtered =
      query.equal !== undefined || (query.atLeast !== undefined && query.atLeast.field !== index.field);
    const budget: Budget = {
      ...UNLIMITED,
      ...(filtered ? { rows: MAXIMUM_ROWS } : {}),
      ...(filtered || keysOnly ? { units: MAXIMUM_UNITS } : {}),
      ...wanted,
    };
    const share = shareOf(filtered ? Math.max(count, 100) : count, partitions.length);
    const runs = partitions.map(
      (value) =>
        new PartitionReader(
          indexQuery(this.#table, { index, partition: value, query, from, forward, keysOnly }),
          share,
          budget,
        ),
    );
    return new MergedReader(this.#table, index, runs, forward, from?.backwards === true);
  }
}

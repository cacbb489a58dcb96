import { config } from '../aws/config.ts';
import { isNamed } from '../aws/faults.ts';
import type { Description } from '../resource/description.ts';
import type { Item } from '../resource/item.ts';
import type { Page, PageQuery, Position } from '../resource/page.ts';
import type { Resource } from '../resource/resource.ts';
import { type Attributes, fromAttributes } from './attributes.ts';
import { indexQuery } from './index-query.ts';
import { Merge } from './merge.ts';
import { type Budget, Run, shareOf } from './run.ts';
import { sizeOf } from './size.ts';
import { indexFor, SHARD, type Table, tableOf } from './table.ts';

/** Rows that one request may pass over: skipped by `offset`, or dropped by a filter that the order's index cannot serve. */
export const MAXIMUM_ROWS = 10_000;
/**
 * DynamoDB's read units that one request may use for rows that it passes over or counts: 20 MB. A unit reads 8 KB of an
 * index. Source: Amazon DynamoDB Developer Guide, "Read consistency" and "Capacity unit consumption".
 */
const MAXIMUM_UNITS = 2_500;
const UNLIMITED: Budget = { rows: Number.POSITIVE_INFINITY, units: Number.POSITIVE_INFINITY };
/** Reading a page ends when its items have this many bytes. A page may become shorter when it is written. */
const MAXIMUM_PAGE_BYTES = 4_000_000;

/** Items listed together: those whose `field` has this value. */
export interface Partition {
  readonly field: string;
  readonly value: number;
}

/** A page, or how far reading came when the offset lies beyond what may be skipped. */
export type Listing = Page | Beyond | 'no-position';

/** Where reading came to, and how many items lie before it. */
export interface Beyond {
  readonly beyond: Position;
  readonly offset: number;
}

/**
 * The lists of one resource. A list is spread over several partitions of an index; its pages are merged from them
 * by the composed sort key, so that the order is total and a position in it is exact.
 */
export class Pages {
  readonly #description: Description;
  readonly #table: Table;

  constructor(resource: Resource) {
    this.#description = resource.description as Description;
    this.#table = tableOf(resource);
  }

  /**
   * 'no-position': `after` is none that this list ever gave.
   * @throws Unavailable when DynamoDB does not answer.
   */
  async list(query: PageQuery, partition?: Partition): Promise<Listing> {
    try {
      return await this.#list(query, partition);
    } catch (error) {
      // A start key outside of the partition, or of another shape than the key, is refused.
      if (query.after && isNamed(error, 'ValidationException')) return 'no-position';
      throw error;
    }
  }

  /**
   * How many items there are, however many: their keys are read. `last`: the greatest identifier that counts.
   * @throws Unavailable when DynamoDB does not answer.
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
    return total && typeof listing === 'object' && !('beyond' in listing) ? { ...listing, total } : listing;
  }

  async #listing(query: PageQuery, partition?: Partition): Promise<Listing> {
    if (query.limit === 0) return { items: [] };
    if (query.after || query.offset === 0) return this.#page(query, query.after, partition);
    const skipped = await this.#skip(query, partition);
    if (skipped === 'end') return { items: [] };
    return 'beyond' in skipped ? skipped : this.#page(query, skipped, partition);
  }

  /** How many items there are, reading no more rows than one request may. */
  async #count(query: PageQuery, partition?: Partition): Promise<NonNullable<Page['total']>> {
    const merge = this.#merge(query, undefined, partition, { keysOnly: true, count: MAXIMUM_ROWS });
    for (let count = 0; ; count += 1) {
      const row = count < MAXIMUM_ROWS ? await merge.next() : 'unknown';
      if (row === undefined) return { count, exact: true };
      if (row === 'unknown')
        return { count, exact: count < MAXIMUM_ROWS ? false : (await merge.next()) === undefined };
    }
  }

  /** The position after `offset` items; 'end' when there are no more than that. */
  async #skip(query: PageQuery, partition?: Partition): Promise<Position | Beyond | 'end'> {
    const count = Math.min(query.offset, MAXIMUM_ROWS);
    const merge = this.#merge(query, undefined, partition, { keysOnly: true, count });
    let last: Attributes | undefined;
    for (let skipped = 0; skipped < count; skipped += 1) {
      const row = await merge.next();
      if (row === undefined) return 'end';
      if (row === 'unknown') return { beyond: merge.frontier(), offset: skipped };
      last = row;
    }
    const position = merge.position(last as Attributes);
    if (count === query.offset) return position;
    return (await merge.next()) === undefined ? 'end' : { beyond: position, offset: count };
  }

  async #page(query: PageQuery, from: Position | undefined, partition?: Partition): Promise<Page> {
    const merge = this.#merge(query, from, partition, { keysOnly: false, count: query.limit + 1 });
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
    // A page before the very first item shows nothing; one reached by a position has items on the side it came from.
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
  ): Merge {
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
        new Run(
          indexQuery(this.#table, { index, partition: value, query, from, forward, keysOnly }),
          share,
          budget,
        ),
    );
    return new Merge(this.#table, index, runs, forward, from?.backwards === true);
  }
}

import { isNamed } from '../../aws/faults.ts';
import { type Caller, ownerOf } from '../../resource/access/owner.ts';
import type { Description } from '../../resource/description/description.ts';
import type { Item } from '../../resource/item.ts';
import type { ListPosition, PageQuery } from '../../resource/lists/page.ts';
import { descriptionOf } from '../../resource/resource.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { fromAttributes, logUnreadable } from '../form/attributes.ts';
import type { Inventory } from '../form/inventory.ts';
import { ownerPartition } from '../form/owner.ts';
import { OWNER, type Partition, type Table, type Tabled, tableOf } from '../form/table.ts';
import type { Listing } from '../items/outcomes.ts';
import { inventoryOf } from '../write/stored-inventory.ts';
import { byIdentifier, type Plan, Planner, type Runs } from './plan.ts';
import { KeyedRows } from './reading/keyed-rows.ts';
import type { MergedReader } from './reading/merged-reader.ts';
import { MAXIMUM_ROWS } from './reading/partition-reader.ts';
import { type Extent, readRuns } from './reading/read-runs.ts';
import { type Rows, sortedRows } from './reading/sorted-rows.ts';
import { keysOf } from './sort-key.ts';
import { StoredFilters } from './stored-filters.ts';
import {
  extentOf,
  isForward,
  isIn,
  isNoIndex,
  keptFor,
  offsetTooLarge,
  type Skipped,
  takeAll,
  takePage,
  withTotal,
  withUnknownKeys,
} from './take-page.ts';

const EMPTY: Listing = { kind: 'page', page: { items: [] } };

/** The most rows that a request sorts for a plan of the kind `either`. With more rows, it reads the runs. */
const FEW_ROWS = 1000;

/**
 * The lists of one resource. Several runs of an index hold the rows of a list. A page merges them by the composed sort
 * key, so that the sort order is total and each position is exact. The service sorts other lists by reading them.
 */
export class Pages {
  readonly #resource: Tabled;
  readonly #description: Description;
  readonly #table: Table;

  constructor(resource: Tabled) {
    this.#resource = resource;
    this.#description = descriptionOf(resource);
    this.#table = tableOf(resource);
  }

  /**
   * Reads one page of the items that the caller may see. `within`: the list has only items with this value.
   * @throws Unavailable if DynamoDB does not respond.
   */
  async list(caller: Caller, query: PageQuery, within?: Partition): Promise<Listing> {
    const partition = this.#partition(caller, within);
    try {
      const listing = await this.#planned((planner) => this.#list(query, partition, planner));
      if (listing.kind === 'page') logUnreadable(this.#resource.name, listing.page.items);
      return listing;
    } catch (error) {
      // DynamoDB refuses a start key of another shape than the key.
      if (query.after && isNamed(error, 'ValidationException')) return { kind: 'noPosition' };
      throw error;
    }
  }

  /**
   * Reads all items that meet the filters and that the caller may see, in any order. Undefined if the service would read
   * more than 10,000, or too many bytes. @throws Unavailable if DynamoDB does not respond
   */
  all(
    caller: Caller,
    filters: PageQuery['filters'],
    within?: Partition,
  ): Promise<readonly Item[] | undefined> {
    const partition = this.#partition(caller, within);
    return this.#planned(async (planner) => {
      const runs = planner.unordered(filters, partition);
      const merge = this.#merge(runs, { count: MAXIMUM_ROWS, rows: MAXIMUM_ROWS + 1, keep: 0 });
      return takeAll(this.#description, merge, MAXIMUM_ROWS);
    });
  }

  /**
   * Counts the items without a limit, by a read of all keys. `last`: the greatest identifier that counts.
   * @throws Unavailable if DynamoDB does not respond.
   */
  async size(caller: Caller, last: number, within?: Partition): Promise<number> {
    const sortOrder = [{ field: this.#description.identifier.name, descending: false }];
    const partition = this.#partition(caller, within);
    const planner = this.#planner(await inventoryOf(this.#resource));
    const runs = planner.plan({ sortOrder, filters: [] }, partition) as Runs;
    const merge = this.#merge(runs, { keysOnly: true, count: MAXIMUM_ROWS });
    for (let size = 0; ; size += 1) {
      const row = await merge.next();
      if (row === undefined || row === 'unknown' || Number(row[this.#table.key.name]?.N) > last) return size;
    }
  }

  /** The partition of the list. @throws Error if the items have owners and the service itself asks: no index has all */
  #partition(caller: Caller, within: Partition | undefined): Partition | undefined {
    if (!this.#resource.owner) return within;
    const partition = ownerPartition(ownerOf(this.#resource, caller)) ?? within;
    if (partition?.field !== OWNER)
      throw new Error(`Items of ${this.#resource.name} have owners: list those of one owner`);
    return partition;
  }

  /** Reads by the indexes that the inventory names. If one is gone or not yet filled, it reads by the identifier. */
  async #planned<Read>(read: (planner: Planner) => Promise<Read>): Promise<Read> {
    const inventory = await inventoryOf(this.#resource);
    return read(this.#planner(inventory)).catch((error: unknown) => {
      if (!inventory || !isNoIndex(error)) throw error;
      return read(this.#planner(byIdentifier(inventory, this.#description)));
    });
  }

  async #list(query: PageQuery, partition: Partition | undefined, planner: Planner): Promise<Listing> {
    const plan = planner.plan(query, partition);
    if (plan.kind === 'keys') return this.byKeys(plan, query, partition);
    const listing = await this.#byPlan(plan, query);
    if (listing.kind === 'tooLong') return { ...listing, indexed: planner.indexed };
    if (!query.count || listing.kind !== 'page') return listing;
    return withTotal(listing, await this.#count(planner.unordered(query.filters, partition)));
  }

  /** The planner of one read. The inventory says which indexes it may use. */
  #planner(inventory: Inventory | undefined): Planner {
    return new Planner(this.#table, this.#description, inventory);
  }

  async #byPlan(plan: Exclude<Plan, { kind: 'keys' }>, query: PageQuery): Promise<Listing> {
    if (query.limit === 0) return EMPTY;
    if (plan.kind === 'sort') return this.#bySorting(plan.source, query, MAXIMUM_ROWS);
    if (plan.kind === 'either') {
      const listing = await this.#bySorting(plan.source, query, FEW_ROWS, keptFor(plan.runs));
      if (listing.kind !== 'tooLong') return listing;
    }
    const runs = plan.kind === 'either' ? plan.runs : plan;
    if (query.after || query.offset === 0) return this.#byRuns(runs, query, query.after);
    const skipped = await this.#skip(runs, query);
    if (skipped.kind === 'end') return EMPTY;
    return skipped.kind === 'position' ? this.#byRuns(runs, query, skipped.position) : skipped;
  }

  /** The number of items; undefined if they are more than 10,000, or if large or filtered rows end the count early. */
  async #count(runs: Runs): Promise<number | undefined> {
    const merge = this.#merge(runs, { keysOnly: true, count: MAXIMUM_ROWS });
    for (let count = 0; count < MAXIMUM_ROWS; count += 1) {
      const row = await merge.next();
      if (row === 'unknown') return undefined;
      if (row === undefined) return count;
    }
    return (await merge.next()) === undefined ? MAXIMUM_ROWS : undefined;
  }

  /** The position after `offset` items. `end`: the list has no more items than that. */
  async #skip(runs: Runs, query: PageQuery): Promise<Skipped> {
    const count = Math.min(query.offset, MAXIMUM_ROWS);
    const merge = this.#merge(runs, {
      keysOnly: true,
      count,
      forward: isForward(query),
      keep: keptFor(runs),
    });
    let last: Attributes | undefined;
    for (let skipped = 0; skipped < count; skipped += 1) {
      const row = await merge.next();
      if (row === undefined) return { kind: 'end' };
      if (row === 'unknown') return offsetTooLarge(merge.frontier, skipped);
      last = row;
    }
    const position = merge.position(last as Attributes);
    if (count === query.offset) return { kind: 'position', position };
    return (await merge.next()) === undefined
      ? { kind: 'end' }
      : { kind: 'offsetTooLarge', position, offset: count };
  }

  /** A page of the items with these identifiers. */
  async byKeys(
    { ids, rest }: Omit<Extract<Plan, { kind: 'keys' }>, 'kind'>,
    query: PageQuery,
    partition?: Partition,
  ): Promise<Listing> {
    const filters = new StoredFilters(this.#description, rest);
    const source = {
      name: this.#resource.name,
      description: this.#description,
      keeps: (row: Attributes) => filters.keeps(row) && (!partition || isIn(partition, row[partition.field])),
    };
    const { name } = this.#description.identifier;
    const isOrdered = query.sortOrder[0]?.field === name;
    const rows = new KeyedRows(source, ids, isOrdered ? extentOf(query) : {});
    const listing = isOrdered
      ? await this.#pageOf(rows, query)
      : await this.#sortedPage(rows, query, ids.length);
    if (listing.kind === 'tooLong') return { ...listing, indexed: [name] };
    const total = query.count && listing.kind === 'page' ? await rows.countAll() : undefined;
    return withTotal(listing, total);
  }

  /** A page of a list that has at most `maximum` rows, in a sort order that the runs do not have. */
  #bySorting(runs: Runs, query: PageQuery, maximum: number, keep?: number): Promise<Listing> {
    const merge = this.#merge(runs, { count: maximum, rows: maximum + 1, keep });
    return this.#sortedPage(merge, query, maximum);
  }

  /** A page of rows that are sorted in memory. */
  async #sortedPage(source: Pick<Rows, 'next'>, query: PageQuery, maximum: number): Promise<Listing> {
    const { keyOf, unknown } = keysOf(this.#description, query.sortOrder);
    const keyOfRow = (row: Attributes) => keyOf(fromAttributes(this.#description, row));
    const rows = await sortedRows(source, keyOfRow, { ...extentOf(query), maximum });
    if (rows === 'too-many') return { kind: 'tooLong', indexed: [] };
    return withUnknownKeys(await this.#pageOf(rows, query), unknown);
  }

  /** A page of rows that begin at the position of the query, or at the beginning of the list. */
  async #pageOf(rows: Rows, query: PageQuery): Promise<Listing> {
    const { after, offset, limit } = query;
    if (limit === 0) return EMPTY;
    let from = after;
    for (let skipped = 0; !after && skipped < offset; skipped += 1) {
      const row = await rows.next();
      if (row === undefined) return EMPTY;
      if (row === 'unknown') return offsetTooLarge(rows.frontier, skipped);
      from = rows.position(row);
    }
    return { kind: 'page', page: await takePage(this.#description, rows, query, from) };
  }

  /** A page in the order of the runs. `from`: the position after which it begins. */
  async #byRuns(runs: Runs, query: PageQuery, from: ListPosition | undefined): Promise<Listing> {
    const forward = isForward({ ...query, after: from });
    const merge = this.#merge(runs, { from, forward, count: query.limit + 1, keep: query.keep });
    return { kind: 'page', page: await takePage(this.#description, merge, query, from) };
  }

  #merge(runs: Runs, extent: Extent): MergedReader {
    return readRuns(this.#table, this.#description, runs, extent);
  }
}

import type { Caller } from '../../resource/access/owner.ts';
import type { Item } from '../../resource/item.ts';
import type { PageQuery } from '../../resource/lists/page.ts';
import type { Resource } from '../../resource/resource.ts';
import { sortKey } from '../../store/form/sort-key.ts';
import type { Partition } from '../../store/form/table.ts';
import { Pages } from '../../store/lists/pages.ts';
import { lastIdentifier } from '../../store/write/new-item.ts';

/**
 * Reads the items that a caller may see, in the order of their identifiers, up to those created at `until` (ms since the
 * epoch).
 */
export class ItemScan {
  readonly #pages: Pages;
  readonly #caller: Caller;
  readonly #within: Partition | undefined;
  readonly #last: number;
  readonly #identifier: string;

  constructor(resource: Resource, caller: Caller, within: Partition | undefined, until: number) {
    this.#pages = new Pages(resource);
    this.#caller = caller;
    this.#within = within;
    this.#last = Math.min(lastIdentifier(until), Number.MAX_SAFE_INTEGER);
    this.#identifier = resource.description?.identifier.name ?? 'id';
  }

  /** The items after a cursor, and whether more follow. If items are large, a page has fewer than `limit`. */
  async page(
    cursor: string | undefined,
    limit: number,
  ): Promise<{ readonly items: Item[]; readonly next: boolean }> {
    const id = Number(cursor);
    const after = cursor === undefined ? undefined : { key: sortKey(undefined, id), id, backwards: false };
    const query: PageQuery = {
      limit,
      offset: 0,
      sortOrder: [{ field: this.#identifier, descending: false }],
      filters: [],
      after,
    };
    const listing = await this.#pages.list(this.#caller, query, this.#within);
    if (listing.kind !== 'page') throw new Error('The cursor is not a position of the list');
    const { items: all, next } = listing.page;
    const items = all.filter((one) => (one.id as number) <= this.#last);
    return { items, next: next !== undefined && items.length === all.length };
  }

  size(): Promise<number> {
    return this.#pages.size(this.#caller, this.#last, this.#within);
  }
}

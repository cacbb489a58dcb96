import type { Item } from '../../resource/item.ts';
import type { PageQuery } from '../../resource/page.ts';
import type { Resource } from '../../resource/resource.ts';
import { lastIdentifier } from '../../store/items/identifier.ts';
import { sortKey } from '../../store/items/sort-key.ts';
import { Pages } from '../../store/lists/pages.ts';
import type { Scope } from './rules.ts';

/** The items in the order of their numbers, up to those of a moment. */
export class ItemScan {
  readonly #pages: Pages;
  readonly #within: Scope;
  readonly #last: number;
  readonly #sort: string;

  constructor(resource: Resource, within: Scope, until: number) {
    this.#pages = new Pages(resource);
    this.#within = within;
    this.#last = Math.min(lastIdentifier(until), Number.MAX_SAFE_INTEGER);
    this.#sort = resource.description?.identifier.name ?? 'id';
  }

  /** Items behind a cursor, and whether there are more. A page may have less than its limit, where items are large. */
  async page(
    cursor: string | undefined,
    limit: number,
  ): Promise<{ readonly items: Item[]; readonly next: boolean }> {
    const id = Number(cursor);
    const after = cursor === undefined ? undefined : { key: sortKey(undefined, id), id, backwards: false };
    const query: PageQuery = { limit, offset: 0, sort: this.#sort, descending: false, after };
    const listing = await this.#pages.list(query, this.#within);
    if (listing === 'no-position' || !('items' in listing)) throw new Error('A list has no such position');
    const items = listing.items.flatMap((one) =>
      'id' in one && (one.id as number) <= this.#last ? [one] : [],
    );
    return { items, next: listing.next !== undefined && items.length === listing.items.length };
  }

  size(): Promise<number> {
    return this.#pages.size(this.#last, this.#within);
  }
}

import type { Item } from '../item.ts';
import type { Filter } from './filter.ts';

/** One key of a sort order. */
export interface SortKey {
  readonly field: string;
  readonly descending: boolean;
}

/** The request for a page of a list. */
export interface PageQuery {
  /** 0 to 1,000. */
  readonly limit: number;
  /** Items before the page. The service skips them, unless `after` gives the position of the page. */
  readonly offset: number;
  /**
   * At least one sort key. The identifier orders items with equal values, in the direction of the last key. It is in
   * the last place only.
   */
  readonly sortOrder: readonly SortKey[];
  /** The items of the list meet all of them. */
  readonly filters: readonly Filter[];
  /** True if the client wants the number of items in the list. */
  readonly count?: boolean;
  /** True if the response has some properties of each item alone, so that the bytes of whole items do not end the page. */
  readonly isPartial?: boolean;
  /** A position from a `next` or `prev` link of the same list. */
  readonly after?: ListPosition;
  /** The read units for what follows the list. */
  readonly keep?: number;
}

/**
 * A position between two items of a list: the sort key and the identifier of the item before it. `backwards`: the
 * page ends at the position.
 */
export interface ListPosition {
  readonly key: Uint8Array;
  readonly id: number | string;
  readonly backwards: boolean;
}

/** One page. `next` and `previous` are present if items remain in that direction. */
export interface Page {
  /** Items, or the identifier of an item that no longer exists. */
  readonly items: readonly (Item | { readonly gone: number | string })[];
  /** The number of items in the list, if the service has counted all of them. */
  readonly total?: number;
  /** The undeclared properties in the order of the list that no item has. */
  readonly unknownKeys?: readonly string[];
  readonly next?: ListPosition;
  readonly previous?: ListPosition;
  /** The position of an item of this page; undefined for a page that cannot be divided. */
  readonly positionOf?: (item: Item) => ListPosition;
}

/**
 * The limit that the service applied: the number of items if the page ended before its own limit, so that the next offset is
 * the sum of both. Source: Specification 4.2.
 */
export function appliedLimit({ limit, after }: PageQuery, { items, next, previous }: Page): number {
  const follows = after?.backwards ? previous : next;
  return follows ? Math.min(items.length, limit) : limit;
}

/**
 * Shortens a page to the `count` items next to the position that it started from. Its link leads to the other
 * items. Undefined for a page that cannot be divided.
 */
export function endedEarly(page: Page, count: number, backwards: boolean): Page | undefined {
  const { items, positionOf } = page;
  const kept = backwards ? items.slice(items.length - count) : items.slice(0, count);
  const edge = backwards ? kept[0] : kept.at(-1);
  if (!positionOf || edge === undefined || 'gone' in edge) return undefined;
  const position = { ...positionOf(edge), backwards };
  return { ...page, items: kept, ...(backwards ? { previous: position } : { next: position }) };
}

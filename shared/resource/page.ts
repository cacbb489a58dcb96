import type { Decimal } from '../json/decimal.ts';
import type { Item } from './item.ts';

/** Which page of a list is asked for. */
export interface PageQuery {
  /** 0 to 1,000. */
  readonly limit: number;
  /** Items before the page: skipped, unless `after` says where the page stands. */
  readonly offset: number;
  /** The field to sort by; ties are ordered by the identifier. */
  readonly sort: string;
  readonly descending: boolean;
  /** Keep only items whose field is at least this. */
  readonly atLeast?: { readonly parameter: string; readonly field: string; readonly value: Decimal };
  /** Keep only items whose field is this. */
  readonly equal?: { readonly parameter: string; readonly field: string; readonly value: string };
  /** Whether to count the list. */
  readonly count?: boolean;
  /** A position from a `next` or `prev` link of the same list. */
  readonly after?: Position;
}

/** A place between two items of a list: the sort key of the last item passed. `backwards`: the page ends there. */
export interface Position {
  readonly key: Uint8Array;
  readonly id: number | string;
  readonly backwards: boolean;
}

/** One page. `next` and `previous` are there when items remain on that side. */
export interface Page {
  /** Items, or the bare identifier of one that does not exist any more. */
  readonly items: readonly (Item | { readonly gone: number | string })[];
  /** How many items the list has, where it was counted; `exact` unless counting stopped before the end. */
  readonly total?: { readonly count: number; readonly exact: boolean };
  readonly next?: Position;
  readonly previous?: Position;
  /** The position of an item of this page; undefined for a page that cannot be divided. */
  readonly positionOf?: (item: Item) => Position;
}

/**
 * The page with fewer items: those next to the position that it was read from. The link to the others leads to the rest.
 * Undefined for a page that cannot be divided.
 */
export function endedEarly(page: Page, count: number, backwards: boolean): Page | undefined {
  const { items, positionOf } = page;
  const kept = backwards ? items.slice(items.length - count) : items.slice(0, count);
  const edge = backwards ? kept[0] : kept.at(-1);
  if (!positionOf || edge === undefined || 'gone' in edge) return undefined;
  const position = { ...positionOf(edge), backwards };
  return { ...page, items: kept, ...(backwards ? { previous: position } : { next: position }) };
}

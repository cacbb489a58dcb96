import type { Item } from '../../resource/item.ts';
import type { Page, Position } from '../../resource/lists/page.ts';

/** A page of stored items. */
export interface StoredPage extends Page {
  readonly items: readonly Item[];
}

/** `offset` skips too many items. `position`: the one that the service reached; `offset`: the items before it. */
export interface OffsetTooLarge {
  readonly kind: 'offsetTooLarge';
  readonly position: Position;
  readonly offset: number;
}

/**
 * A page, or the reason why the service cannot return it. `tooLong`: the list is too long to be sorted by reading;
 * `indexed`: the orders that an index serves. `noPosition`: `after` is not a position of this list.
 */
export type Listing =
  | { readonly kind: 'page'; readonly page: StoredPage }
  | { readonly kind: 'tooLong'; readonly indexed: readonly string[] }
  | { readonly kind: 'noPosition' }
  | OffsetTooLarge;

import type { ItemCall } from '../../resource/actions/action.ts';
import { listed, missing, type Outcome, refused, replaced, stale } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import type { ListPosition, Page } from '../../resource/lists/page.ts';
import type { WriteResult } from '../write/results.ts';

/** A page of stored items. */
export interface StoredPage extends Page {
  readonly items: readonly Item[];
}

/** `offset` skips too many items. `position`: the one that the service reached; `offset`: the items before it. */
export interface OffsetTooLarge {
  readonly kind: 'offsetTooLarge';
  readonly position: ListPosition;
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

/** Returns the version that the item must have before a write. undefined: any version. */
export const expectedVersion = ({ expected }: Pick<ItemCall, 'expected'>): number | undefined =>
  expected?.kind === 'version' ? expected.version : undefined;

/** Returns the outcome of a write without effect. */
export function conflictOutcome(result: Exclude<WriteResult, { kind: 'written' }>): Outcome {
  if (result.kind === 'refused') return result;
  return result.kind === 'missing' ? missing() : stale;
}

/** Returns the outcome of a list. If `offset` skips too many items, the outcome has the position to continue from. */
export function listingOutcome(listing: Listing): Outcome {
  switch (listing.kind) {
    case 'page':
      return listed(listing.page);
    case 'offsetTooLarge':
      return listing;
    case 'noPosition':
      return refused('validation-error', 'The query is not valid. Correct the named parameters', {
        errors: [{ parameter: 'after', detail: 'is not a cursor of this list' }],
      });
    case 'tooLong': {
      const orders = listing.indexed.join(', ');
      const detail = `sorts at most 10000 items in this order, and fewer if they are large; sort a longer list by ${orders}`;
      return refused('validation-error', `The list is too long for this order. Sort it by ${orders}`, {
        errors: [{ parameter: 'sort', detail }],
      });
    }
  }
}

/** Returns the outcome of a replacement. */
export const replacementOutcome = (result: WriteResult, pathOf: (item: Item) => string): Outcome =>
  result.kind === 'written' ? replaced(result.item, pathOf(result.item)) : conflictOutcome(result);

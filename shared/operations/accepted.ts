import type { Item } from '../resource/item.ts';
import type { Outcome } from '../resource/outcome.ts';
import { operations, pathOf } from './operations.ts';

/** What a client is told of an operation that waits or runs. `retryAfter` in seconds. */
export const accepted = (item: Item, retryAfter = 1): Extract<Outcome, { kind: 'accepted' }> => ({
  kind: 'accepted',
  of: operations,
  item,
  location: pathOf(item.id),
  retryAfter,
});

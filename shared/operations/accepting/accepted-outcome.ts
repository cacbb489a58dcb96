import type { Outcome } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import { isFinal } from '../record/fields.ts';
import { pathOf, storedOperations } from '../record/operations.ts';

/** The outcome that shows an operation to its client. `retryAfter` is in seconds; undefined after the end. */
export const acceptedOutcome = (item: Item): Extract<Outcome, { kind: 'accepted' }> => ({
  kind: 'accepted',
  of: storedOperations,
  item,
  location: pathOf(item.id),
  retryAfter: isFinal(item) ? undefined : 1,
});

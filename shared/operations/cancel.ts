import type { Item } from '../resource/item.ts';
import type { Attributes } from '../store/items/attributes.ts';
import { DUE_AT, PENDING, WRITE } from '../store/items/table.ts';
import { newWriteToken } from '../store/write/parts.ts';
import { CURSOR, change, EXPIRES, INPUT, itemOf, KEPT, number, text } from './record.ts';

/**
 * Cancels an operation: one that has not begun is over, one that runs is asked to stop at its next checkpoint. It goes on
 * meanwhile, so the condition is its status alone. undefined: it is in another state by now.
 *
 * @throws Unavailable when DynamoDB does not answer
 */
export async function cancel({ id, values }: Item, now: number): Promise<Item | undefined> {
  const begun = values.status !== 'NotStarted';
  const name = newWriteToken();
  // Where nobody works on it, the sweeper sees to it.
  const wanted: Attributes = begun
    ? { status: text('Canceling'), [DUE_AT]: number(now) }
    : {
        status: text('Canceled'),
        completedAt: number(now),
        expiresAt: number(now + KEPT),
        [EXPIRES]: number(Math.ceil((now + KEPT) / 1000)),
      };
  const result = await change(id as number, {
    now,
    set: { ...wanted, [WRITE]: text(name) },
    remove: begun ? [] : [INPUT, CURSOR, PENDING, DUE_AT],
    condition: '#status = :status',
    given: { status: text(String(values.status)) },
  });
  if (result === 'missing') return undefined;
  if ('after' in result) return itemOf(result.after);
  // This very change stands, and its answer was lost: it was sent again.
  const isOwn = result.found[WRITE]?.S === name;
  return isOwn ? itemOf(result.found) : undefined;
}

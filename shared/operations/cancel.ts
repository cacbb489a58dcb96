import type { Item } from '../resource/item.ts';
import { DUE_AT, PENDING } from '../store/table.ts';
import { CURSOR, change, INPUT, itemOf, number, text } from './record.ts';

/**
 * Cancels an operation, under the condition that it still is as it was read: one that has not begun is over, one that
 * runs is asked to stop at its next checkpoint. undefined: it is in another state by now.
 *
 * @throws Unavailable when DynamoDB does not answer
 */
export async function cancel({ id, version, values }: Item, now: number): Promise<Item | undefined> {
  const begun = values.status !== 'NotStarted';
  const result = await change(id as number, {
    now,
    // Where nobody works on it, the sweeper sees to it.
    set: begun
      ? { status: text('Canceling'), [DUE_AT]: number(now) }
      : { status: text('Canceled'), completedAt: number(now) },
    remove: begun ? [] : [INPUT, CURSOR, PENDING, DUE_AT],
    condition: '#_version = :version',
    given: { version: number(version) },
  });
  if (result === 'missing') return undefined;
  if ('after' in result) return itemOf(result.after);
  // The answer to this very change may have been lost, and the SDK have tried it again.
  const found = itemOf(result.found);
  return found.version === version + 1 && found.values.completedAt === now ? found : undefined;
}

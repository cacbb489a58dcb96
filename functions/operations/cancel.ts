import { CURSOR, change, EXPIRES, INPUT, itemOf, RETENTION } from '../../shared/operations/record/record.ts';
import type { Item } from '../../shared/resource/item.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { expiry, number, text } from '../../shared/store/form/attributes.ts';
import { DUE_AT, PENDING, WRITE } from '../../shared/store/form/table.ts';
import { compare } from '../../shared/store/write/expression.ts';
import { newWriteToken } from '../../shared/store/write/write-requests.ts';

/**
 * Cancels an operation. An operation that has not started ends at once. A running one stops at its next checkpoint.
 * A running operation changes its version at each step, so the condition is the status alone. Returns undefined if
 * the status has changed since the last read.
 *
 * Source: Specification 7.10.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function cancel({ id, values }: Item, now: number): Promise<Item | undefined> {
  const begun = values.status !== 'NotStarted';
  const write = newWriteToken();
  // If no worker runs the operation, the sweeper sends its message again, and the next run ends it.
  const wanted: Attributes = begun
    ? { status: text('Canceling'), [DUE_AT]: number(now) }
    : {
        status: text('Canceled'),
        completedAt: number(now),
        expiresAt: number(now + RETENTION),
        [EXPIRES]: expiry(now + RETENTION),
      };
  const result = await change(id as number, {
    now,
    set: { ...wanted, [WRITE]: text(write) },
    remove: begun ? [] : [INPUT, CURSOR, PENDING, DUE_AT],
    condition: compare('status', '=', text(String(values.status))),
  });
  if (result.kind === 'missing') return undefined;
  // After a lost response the SDK retried, and its first attempt had cancelled the operation.
  const isDone = result.kind === 'changed' || result.attributes[WRITE]?.S === write;
  return isDone ? itemOf(result.attributes) : undefined;
}

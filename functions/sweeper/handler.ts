import { sendOperation } from '../../shared/aws/queue.ts';
import { sentWithin } from '../../shared/operations/defer.ts';
import { due, postponed } from '../../shared/operations/due.ts';

/**
 * Looks after operations that should have gone on: their message was never sent, or their worker died. Each gets another
 * message. Run every minute; harmless to run twice.
 */
export async function handler(): Promise<void> {
  const now = Date.now();
  for (const one of await due(now)) {
    if (await postponed(one, now + sentWithin())) await sendOperation(one.id, one.owner);
  }
}

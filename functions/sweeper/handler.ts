import { sendOperation } from '../../shared/aws/queue.ts';
import { observedBackground } from '../../shared/lambda/observed.ts';
import { overdueOperations, snooze } from '../../shared/operations/overdue.ts';

/**
 * Looks after operations that should have gone on: their message was never sent, or their worker died. Each gets another
 * message. Run every minute; harmless to run twice. What could not be sent is found again.
 */
async function sweep(): Promise<void> {
  const now = Date.now();
  const failures: unknown[] = [];
  for (const one of await overdueOperations(now)) {
    try {
      await sendOperation(one.id, one.owner);
      await snooze(one, now);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} could not be sent`);
}

export const handler = observedBackground('sweeper', sweep);

import { HAS_SUBSCRIPTIONS } from '#about';
import { sendOperation } from '../../shared/aws/clients/queue.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { overdueOperations, snooze } from './overdue.ts';

/**
 * Sends another message for each overdue operation: no send succeeded, or its worker crashed. It does the same for
 * deliveries to subscriptions. A schedule starts this
 * function every minute. A second run at the same time is harmless. If a send fails, the next run finds the operation
 * again.
 *
 * Source: Specification 7.14.
 */
async function sweep(): Promise<void> {
  const now = currentTime();
  const failures: unknown[] = [];
  for (const one of await overdueOperations(now)) {
    try {
      await sendOperation(one.id, one.owner);
      await snooze(one, now);
    } catch (error) {
      failures.push(error);
    }
  }
  if (HAS_SUBSCRIPTIONS)
    await (await import('./webhooks.ts')).sweepWebhooks(now).catch((error) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} could not be sent`);
}

export const handler = observeBackground('sweeper', sweep);

import type { SQSRecord } from 'aws-lambda';
import type { WebhookMessage } from '../../shared/aws/clients/queue.ts';
import type { PendingEvent } from '../../shared/events/webhooks/waiting.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { eachMessage } from '../../shared/lambda/messages.ts';
import { attemptDelivery } from './attempt.ts';
import { receiverOf } from './receiver.ts';
import { runHead } from './run.ts';

/**
 * Delivers events to subscriptions, each message independently. A receiver that fails is not a fault of the service, so
 * the log and the metrics count only other failures.
 *
 * Source: Specification 18.8, 18.11.
 */
export const handler = observeBackground(
  'webhooks',
  eachMessage(async ({ body }: SQSRecord, ..._: [] | [unknown]) => {
    const message: WebhookMessage<PendingEvent> = JSON.parse(body);
    return message.kind === 'wake'
      ? runHead(message.subscription)
      : attemptOnce(message.subscription, message.pending);
  }),
);

/** Makes one attempt, also for a subscription that is not active, but for none that has ended. */
async function attemptOnce(subscription: number, pending: PendingEvent): Promise<void> {
  const receiver = await receiverOf(subscription);
  if (receiver && receiver.standing.kind !== 'ended')
    await attemptDelivery(receiver, pending, { attempt: 1 });
}

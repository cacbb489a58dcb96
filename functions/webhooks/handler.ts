import type { SQSRecord } from 'aws-lambda';
import type { WebhookMessage } from '../../shared/aws/clients/queue.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { config } from '../../shared/aws/config.ts';
import type { CloudEvent } from '../../shared/events/cloud-event.ts';
import { raiseHead } from '../../shared/events/webhooks/heads.ts';
import { addWaiting, type PendingEvent } from '../../shared/events/webhooks/waiting.ts';
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
    const message: WebhookMessage<CloudEvent, PendingEvent> = JSON.parse(body);
    if (message.kind === 'wake') return runHead(message.of);
    if (message.kind === 'repeat') return attemptOnce(message.of, message.pending);
    const { subscription, event: content, once } = message;
    const { id: event, type, subject, time } = content;
    const pending = { event, type, subject, content: JSON.stringify(content) };
    if (once) return attemptOnce(subscription, pending);
    // An earlier release sent each event in a message.
    const now = currentTime();
    await addWaiting({ subscription, ...pending, time: Date.parse(time), dueAt: now });
    await raiseHead(subscription, { count: 1, most: config.webhookMost(), now });
    return runHead(subscription);
  }),
);

/** Makes one attempt, also for a subscription that is not active, but for none that has ended. */
async function attemptOnce(subscription: number, pending: PendingEvent): Promise<void> {
  const receiver = await receiverOf(subscription);
  if (receiver && receiver.standing.kind !== 'ended')
    await attemptDelivery(receiver, pending, { attempt: 1 });
}

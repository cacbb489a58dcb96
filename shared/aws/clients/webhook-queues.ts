import { webhookConfig } from '../config.ts';
import { send } from './queue.ts';

/**
 * A message for the webhooks function. `wake` continues a subscription. `once` makes one attempt to send an event, also if
 * the subscription is not active.
 */
export type WebhookMessage<Pending> =
  | { readonly kind: 'wake'; readonly subscription: number }
  | { readonly kind: 'once'; readonly subscription: number; readonly pending: Pending };

/** Makes the service send an event once. */
export async function sendOnce(subscription: number, pending: object): Promise<void> {
  const message: WebhookMessage<object> = { kind: 'once', subscription, pending };
  await send(webhookConfig.webhooksQueue, message);
}

/** Wakes a run for a subscription in a lane after `ms`. */
export async function sendWake(lane: 'proven' | 'other', subscription: number, ms = 0): Promise<void> {
  const message: WebhookMessage<object> = { kind: 'wake', subscription };
  const queue = lane === 'proven' ? webhookConfig.provenQueue : webhookConfig.webhooksQueue;
  await send(queue, message, undefined, Math.ceil(Math.max(0, ms) / 1000));
}

/** Wakes the fan-out, because the log of changes has grown. */
export async function sendFanOut(): Promise<void> {
  await send(webhookConfig.fanOutQueue, {});
}

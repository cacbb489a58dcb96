import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { config, webhookConfig } from '../config.ts';
import { trace } from '../log.ts';
import { meterClient } from '../meter.ts';
import { lazyClient, withoutLogger } from './client.ts';

/**
 * The SQS client. The first request that needs this module loads it, because most cold starts do not need it. All
 * functions throw the errors of the SDK unchanged.
 */
export const sqs = /* @__PURE__ */ lazyClient((settings) =>
  meterClient(withoutLogger(new SQSClient(settings)), 'sqs'),
);

/**
 * Sends a message to a queue. `delay`: SQS delivers it after so many seconds. Without a group, SQS does not order the
 * message fairly, which has a price.
 */
export async function send(
  queue: () => string,
  message: object,
  MessageGroupId?: string,
  delay?: number,
): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: queue(),
      MessageBody: JSON.stringify(message),
      MessageGroupId,
      DelaySeconds: delay,
    }),
  );
}

/**
 * Sends the message of an operation to the worker, with the trace of the request. `group`: the owner of the operation.
 * Many operations of one owner do not delay those of others.
 *
 * Source: Amazon SQS Developer Guide, "Amazon SQS fair queues"; Specification 7.12.
 */
export async function sendOperation(operationId: number, group: string): Promise<void> {
  await send(config.operationsQueue, { operationId, traceparent: trace.getStore() }, group);
}

/** Items that do not exist any more: the name of their resource, and their identifiers. */
export interface RemovedItems {
  readonly resource: string;
  readonly ids: readonly number[];
  /** Where a run has stopped among the references to the first of these items; undefined: before all of them. */
  readonly after?: ReadReference;
}

/** A reference that a run has read: the resource of the item that has it, its field, and the identifier of the item. */
export interface ReadReference {
  readonly resource: string;
  readonly field: string;
  readonly id: number;
}

/** Seconds after a write in which an index of DynamoDB usually gets the item. */
const INDEXED = 1;

/**
 * Makes the worker clear the references to removed items after `ms`, and a moment later: it finds them by indexes.
 *
 * Source: Amazon DynamoDB Developer Guide, "Data synchronization between tables and Global Secondary Indexes".
 */
export async function sendRemoved(removed: RemovedItems, ms = 0): Promise<void> {
  await send(config.operationsQueue, { removed }, 'removed', Math.ceil(ms / 1000) + INDEXED);
}

/** Removed items whose histories have ended. `after`: where a run has stopped; undefined: before all of them. */
export interface EndedItems {
  readonly after?: {
    readonly resource: string;
    readonly id: number;
    readonly version: number;
    readonly at: number;
  };
}

/** Makes the worker find such items, or continue. A schedule sends such messages too. */
export async function sendEnded(ended: EndedItems): Promise<void> {
  await send(config.operationsQueue, { ended }, 'removed');
}

/**
 * What the worker compares: the rows of files with their objects, or bytes of binary properties with the items that name
 * them. `after`: the key that the run before has compared last. `confirm`: an operator allows all removals. `counted`:
 * what the runs of the first pass have found. `removes`: so much the second pass may still remove.
 */
export interface Comparison {
  readonly of: 'files' | 'bytes';
  readonly after?: string;
  readonly confirm?: true;
  readonly counted?: Counted;
  readonly removes?: number;
}

/**
 * The numbers of compared keys, of differences, and of two kinds of removals. `naming`: the tables that name an object of
 * the bucket. `by`: the tables because of which it would remove something.
 */
export interface Counted {
  readonly total: number;
  readonly differences: number;
  readonly remove: number;
  readonly expire: number;
  readonly naming: readonly string[];
  readonly by: readonly string[];
}

/** Makes the worker compare what two stores say, or continue. A schedule and operators send such messages too. */
export async function sendComparison(compare: Comparison): Promise<void> {
  await send(config.operationsQueue, { compare }, 'compare');
}

/** Makes SQS deliver a failed message again after this many seconds. */
export async function postpone(queueUrl: string, receiptHandle: string, seconds: number): Promise<void> {
  await sqs().send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    }),
  );
}

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

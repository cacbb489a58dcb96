import { randomUUID } from 'node:crypto';
import { GetItemCommand, type Put } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { Attributes } from '../../store/form/attribute-value.ts';
import { number, text } from '../../store/form/attributes.ts';

/**
 * The table of deliveries that wait. It has no stream and no point-in-time recovery: the log of changes has the events.
 * `subscription` (N) and `event` (S) are the key:
 *
 * - A waiting row: `event` is the id of the event. `partition` (S) and `position` (N) are its place in the log, `attempt`
 *   (N) the number of attempts so far, `dueAt` (N) the time of the next one. See `waiting.ts`.
 * - The head of a subscription: `event` is `HEAD`. It says when the receiver gets its next attempt. See `heads.ts`.
 * - The start of a subscription: `event` is `START`. It gets the changes after `since` (N).
 * - The rows of the fan-out: `subscription` is 0, `event` is a partition of the log, or `HEAD`. See `functions/fanout`.
 *
 * Times are ms since the epoch. `expires` (N, seconds) is DynamoDB's time to live.
 */
export const WAITING_TABLE = {
  name: 'waiting',
  key: 'subscription',
  keyType: 'N',
  sort: 'event',
  sortType: 'S',
  timeToLive: 'expires',
} as const;

/** The subscription in the keys of the rows of the fan-out. */
export const FAN_OUT = 0;
/** Keys that are less than the id of any event. */
export const [START, HEAD] = ['+', '-'] as const;

/** The rows of a subscription by the time of their next attempt. */
export const BY_DUE = {
  name: 'byDue',
  field: 'dueAt',
  partition: WAITING_TABLE.key,
  partitionType: 'N',
  sort: { name: 'dueAt', type: 'N' },
} as const;

/** The heads with a next attempt, by its time, in `SHARDS` partitions. */
export const BY_NEXT = {
  name: 'due',
  field: 'nextAt',
  partition: 'due',
  partitionType: 'N',
  sort: { name: 'nextAt', type: 'N' },
} as const;

export const SHARDS = 16;

/** Returns the name of the table. */
export const TableName = (): string => config.tableName(WAITING_TABLE.name);

/** Returns the key of a row. */
export const waitingKey = (subscription: number, event: string): Attributes => ({
  [WAITING_TABLE.key]: number(subscription),
  [WAITING_TABLE.sort]: text(event),
});

/** Returns the write that makes the fan-out read subscriptions again: a part of each transaction that changes one. */
export const revisionPut = (): Put => ({
  TableName: TableName(),
  Item: { ...waitingKey(FAN_OUT, HEAD), revision: text(randomUUID()) },
});

/** The part of a transaction with which a subscription becomes active again: it gets the changes after `since` alone. */
export const startPut = (subscription: number, since: number): Put => ({
  TableName: TableName(),
  Item: { ...waitingKey(subscription, START), since: number(since) },
});

/** The service reads subscriptions again after this time, in ms: an earlier release sets no revision. */
export const LONGEST_IDLE_MS = 300_000;

/**
 * The state of all subscriptions. `revision`: another text after each change of one of them. `idleUntil`: with this
 * revision, no subscription is active, and the fan-out does nothing until then (ms since the epoch).
 */
export interface SubscriptionsState {
  readonly revision: string | undefined;
  readonly idleUntil: number;
}

/** Reads the state, as last written. @throws Unavailable if DynamoDB does not respond */
export async function subscriptionsState(): Promise<SubscriptionsState> {
  const get = { TableName: TableName(), Key: waitingKey(FAN_OUT, HEAD), ConsistentRead: true };
  const { Item } = await orUnavailable(dynamoDb().send(new GetItemCommand(get)));
  return { revision: Item?.revision?.S, idleUntil: Number(Item?.idleUntil?.N ?? 0) };
}

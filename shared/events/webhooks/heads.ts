import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { Attributes } from '../../store/form/attribute-value.ts';
import { number } from '../../store/form/attributes.ts';
import { failureOf } from '../../store/write/conflict.ts';
import {
  and,
  attributeNotExists,
  type Condition,
  compare,
  or,
  updateExpression,
} from '../../store/write/expression.ts';
import { BY_NEXT, HEAD, SHARDS, TableName, waitingKey } from './waiting-table.ts';

/**
 * How a receiver has responded. `streak`: the last attempts that succeeded quickly, up to `PROVEN`. `failures`: the
 * attempts that failed since the last success, the first one at `failingSince`. `pausedUntil`: the receiver gets nothing
 * until then, after a time-out. Times are ms since the epoch.
 */
export interface ReceiverState {
  readonly streak: number;
  readonly failures: number;
  readonly failingSince?: number | undefined;
  readonly pausedUntil?: number | undefined;
}

/** The lane of a receiver, which is a queue with places of its own. Proven receivers do not wait for others. */
export type Lane = 'proven' | 'other';

/** The quick successes after which a receiver is proven. */
export const PROVEN = 3;

/** Returns the lane of a receiver in a state. */
export const laneOf = ({ streak }: ReceiverState): Lane => (streak >= PROVEN ? 'proven' : 'other');

/**
 * When a subscription gets its next attempt, and how its receiver responds. `waiting`: about how many events wait.
 * `raised`: how often the fan-out has added events, the last time at `raisedAt`. `leaseUntil`: a run has the head until
 * then. `wokenAt`: when the sweeper has sent a wake.
 */
export interface Head {
  readonly subscription: number;
  readonly nextAt: number | undefined;
  readonly state: ReceiverState;
  readonly waiting: number;
  readonly raised: number;
  readonly raisedAt: number;
  readonly leaseUntil: number;
  readonly wokenAt: number | undefined;
}

/** Returns the head in a row. */
export const headOf = (row: Attributes): Head => {
  const numberIn = (name: string) => (row[name]?.N === undefined ? undefined : Number(row[name].N));
  return {
    subscription: Number(row.subscription?.N),
    nextAt: numberIn('nextAt'),
    state: {
      streak: numberIn('streak') ?? 0,
      failures: numberIn('failures') ?? 0,
      failingSince: numberIn('failingSince'),
      pausedUntil: numberIn('pausedUntil'),
    },
    waiting: numberIn('waiting') ?? 0,
    raised: numberIn('raised') ?? 0,
    raisedAt: numberIn('raisedAt') ?? 0,
    leaseUntil: numberIn('leaseUntil') ?? 0,
    wokenAt: numberIn('wokenAt'),
  };
};

type Changes = Parameters<typeof updateExpression>[0];

/** Changes a head under a condition. Returns it, or the one that failed the condition. */
export async function updateHead(
  subscription: number,
  changes: Changes,
  condition?: Condition,
): Promise<{ readonly isDone: boolean; readonly head: Head }> {
  const command = new UpdateItemCommand({
    TableName: TableName(),
    Key: waitingKey(subscription, HEAD),
    ...updateExpression(changes, condition),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes: row = {} } = await orUnavailable(dynamoDb().send(command));
    return { isDone: true, head: headOf(row) };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return { isDone: false, head: headOf(failure.Item ?? {}) };
  }
}

/** Returns the attributes of a head that is due at a time. */
export const nextAttempt = (subscription: number, at: number): Attributes => ({
  [BY_NEXT.partition]: number(subscription % SHARDS),
  [BY_NEXT.sort.name]: number(at),
});
/** The attribute is missing, or its time has come. */
export const notAfter = (name: string, now: number): Condition =>
  or(attributeNotExists(name), compare(name, '<=', number(now)));

/**
 * Makes a head due after `count` events were added. A head in the pause after a time-out stays so, up to `most` waiting
 * events. Returns the head if it was not due before, so it needs a wake. @throws Unavailable if DynamoDB does not respond
 */
export async function raiseHead(
  subscription: number,
  { count, most, now }: { readonly count: number; readonly most: number; readonly now: number },
): Promise<Head | undefined> {
  const [set, add] = [{ raisedAt: number(now) }, { waiting: number(count), raised: number(1) }];
  const isIdle = and(
    notAfter('pausedUntil', now),
    or(attributeNotExists('nextAt'), compare('nextAt', '>', number(now))),
  );
  const first = await updateHead(
    subscription,
    { set: { ...set, ...nextAttempt(subscription, now) }, add },
    isIdle,
  );
  if (first.isDone) return first.head;
  const { head } = await updateHead(subscription, { set, add });
  const isFull = head.waiting >= most && (head.nextAt ?? 0) > now;
  return isFull ? (await updateHead(subscription, { set: nextAttempt(subscription, now) })).head : undefined;
}

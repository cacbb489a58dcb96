import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { registry } from '../../service/registry.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import { attempts } from '../../shared/concurrency/retry.ts';
import * as RETRIES from '../../shared/concurrency/retry-policies.ts';
import { type Standing, type Subscribed, standingOf } from '../../shared/events/webhooks/judgement.ts';
import { type Subscriber, subscriberOf } from '../../shared/events/webhooks/subscriber.ts';
import { revisionPut, START, TableName, waitingKey } from '../../shared/events/webhooks/waiting-table.ts';
import type { JsonObject } from '../../shared/json/value.ts';
import { SERVICE } from '../../shared/resource/access/owner.ts';
import { Unit } from '../../shared/store/custom/unit.ts';
import { isDenied } from '../../shared/store/idempotency/denied-subjects.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { transact } from '../../shared/store/write/transaction.ts';

/** The service writes the time of a success only if the last one is this old, in ms. */
const SUCCESS_MS = 60_000;

/** A subscription before an attempt. `since`: it gets the changes after this time, in ms since the epoch. */
export interface Receiver extends Subscribed, Subscriber {
  readonly id: number;
  readonly standing: Standing;
  readonly since: number;
}

/** Reads a subscription as it is now; undefined: it does not exist. @throws Unavailable if DynamoDB does not respond */
export async function receiverOf(id: number): Promise<Receiver | undefined> {
  const [item, subscriber, since] = await Promise.all([
    itemsOf(subscriptions(), SERVICE).get(id),
    subscriberOf(id),
    startOf(id),
  ]);
  if (!item || !subscriber) return undefined;
  const isOut = await isDenied(subscriber.caller.subject);
  const subscribed = { ...subscriber, values: item.values, isDenied: isOut };
  return { ...subscribed, id, standing: standingOf(subscribed, currentTime()), since };
}

/** The time after which a subscription gets changes; 0: all that the fan-out finds. @throws Unavailable */
async function startOf(subscription: number): Promise<number> {
  const get = { TableName: TableName(), Key: waitingKey(subscription, START), ConsistentRead: true };
  const { Item } = await orUnavailable(dynamoDb().send(new GetItemCommand(get)));
  return Number(Item?.since?.N ?? 0);
}

/** Stores the time of a success, at most once a minute. @throws Unavailable if DynamoDB does not respond */
export async function noteSuccess({ id, values }: Receiver, now: number): Promise<void> {
  if (now - Number(values.lastSuccess ?? 0) >= SUCCESS_MS)
    await changeSubscription(id, { lastSuccess: now }, now);
}

/**
 * Changes a subscription as the service. It tries again if a request changes the subscription at the same time. After the
 * last attempt the subscription stays as it is, until its next delivery.
 */
export async function changeSubscription(id: number, values: JsonObject, now: number): Promise<void> {
  for await (const _ of attempts(RETRIES.element)) {
    const unit = new Unit(subscriptions(), { caller: SERVICE, now });
    const item = await unit.own.get(id);
    if (!item) return;
    unit.own.update(item, values);
    const planned = await unit.plan();
    if (planned.kind === 'refused') throw new Error(planned.problem.detail);
    if (planned.parts.length === 0) return;
    const others = 'active' in values ? [{ Put: revisionPut() }] : [];
    if (!(await transact([...planned.parts, ...others]))) return;
  }
}

/** @throws Error if the service has no subscriptions: only they have such messages */
function subscriptions() {
  const found = registry.find(({ name }) => name === 'subscriptions');
  if (!found) throw new Error('The service has no subscriptions');
  return found;
}

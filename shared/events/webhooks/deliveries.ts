import { GetItemCommand, type Put, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { currentTime } from '../../aws/clock.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { Caller } from '../../resource/access/owner.ts';
import { expiry, number, text } from '../../store/items/attributes.ts';
import type { Attributes } from '../../store/items/stored-value.ts';
import { failureOf } from '../../store/write/conflict.ts';
import { and, compare, conditionExpression, readExpression, within } from '../../store/write/expression.ts';
import type { CloudEvent } from '../cloud-event.ts';

/**
 * The table of what the service keeps for subscriptions and shows to no client as an item. It has no stream.
 * `subscription` (N): the number of the subscription. `n` (N): 0 for its secret and its creator, 1 while its receiver does
 * not respond in time, otherwise the number of an attempt. `expires` (N, seconds) is DynamoDB's time to live.
 */
export const DELIVERIES_TABLE = {
  name: 'deliveries',
  key: 'subscription',
  keyType: 'N',
  sort: 'n',
  timeToLive: 'expires',
} as const;

const SUBSCRIBER = 0;
const SLOW = 1;
/** The service keeps an attempt for so long, in ms. */
const KEPT_MS = 7 * 86_400_000;

const TableName = () => config.tableName(DELIVERIES_TABLE.name);
const keyOf = (subscription: number, n: number) => ({
  [DELIVERIES_TABLE.key]: number(subscription),
  [DELIVERIES_TABLE.sort]: number(n),
});
const expiring = (at: number) => ({ [DELIVERIES_TABLE.timeToLive]: expiry(at) });

/** What the service knows of a subscription and never shows. `caller`: its creator, with the scopes of that token. */
export interface Subscriber {
  readonly secret: string;
  readonly caller: Caller;
}

/** The write that stores it. */
export const subscriberPut = (subscription: number, { secret, caller }: Subscriber): Put => ({
  TableName: TableName(),
  Item: {
    ...keyOf(subscription, SUBSCRIBER),
    secret: text(secret),
    caller: text(JSON.stringify(caller)),
  },
});

/** The write that forgets it. A write can be a part of a transaction that only puts rows. `now`: ms since the epoch. */
export const subscriberRemoval = (subscription: number, now: number): Put => ({
  TableName: TableName(),
  Item: { ...keyOf(subscription, SUBSCRIBER), ...expiring(now) },
});

/** What the service keeps of a subscription; undefined: it has no secret. @throws Unavailable if DynamoDB does not respond */
export async function subscriberOf(
  subscription: number,
): Promise<(Subscriber & { readonly slowUntil: number }) | undefined> {
  const { key, sort } = DELIVERIES_TABLE;
  const isFirst = and(compare(key, '=', number(subscription)), compare(sort, '<=', number(SLOW)));
  const query = { TableName: TableName(), ...readExpression({ key: isFirst }), ConsistentRead: true };
  const { Items: [first, slow] = [] } = await orUnavailable(dynamoDb().send(new QueryCommand(query)));
  if (first?.secret?.S === undefined) return undefined;
  return {
    secret: first.secret.S,
    caller: JSON.parse(first.caller?.S ?? '{}'),
    slowUntil: Number(slow?.until?.N ?? 0),
  };
}

/**
 * Makes the service send nothing to a receiver until this time (ms since the epoch); 0: the receiver responds again.
 * `before`: the time that `subscriberOf` has returned. Returns false if another attempt has set another time since.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function setSlow(subscription: number, until: number, before?: number): Promise<boolean> {
  const put = new PutItemCommand({
    TableName: TableName(),
    Item: {
      ...keyOf(subscription, SLOW),
      until: number(until),
      ...expiring(Math.max(until, currentTime()) + KEPT_MS),
    },
    ...(before === undefined ? {} : conditionExpression(compare('until', '=', number(before)))),
  });
  try {
    await orUnavailable(dynamoDb().send(put));
    return true;
  } catch (error) {
    if (!failureOf(error)) throw error;
    return false;
  }
}

/** An attempt to deliver an event. Times are RFC 3339, `duration` is in ms. Source: Specification 18.10. */
export interface Delivery {
  readonly n: number;
  readonly event: string;
  readonly type: string;
  readonly subject: string;
  readonly attempt: number;
  readonly outcome: 'delivered' | 'failed';
  /** The status code of the response. */
  readonly status?: number;
  /** Why there is no response. */
  readonly reason?: string;
  readonly time: string;
  readonly duration: number;
  /** The time of the next attempt. */
  readonly next?: string;
}

/** Stores an attempt and its event. @throws Unavailable if DynamoDB does not respond */
export async function keepDelivery(
  subscription: number,
  event: CloudEvent,
  delivery: Delivery,
): Promise<void> {
  const Item = {
    ...keyOf(subscription, delivery.n),
    ...expiring(Date.parse(delivery.time) + KEPT_MS),
    delivery: text(JSON.stringify(delivery)),
    event: text(JSON.stringify(event)),
  };
  await orUnavailable(dynamoDb().send(new PutItemCommand({ TableName: TableName(), Item })));
}

/**
 * An attempt in a row of the table; undefined for another row, and for an expired one: DynamoDB removes these up to some
 * days late. `now`: ms since the epoch.
 */
const deliveryIn = (row: Attributes | undefined, now: number): Delivery | undefined =>
  row?.delivery?.S !== undefined && Number(row[DELIVERIES_TABLE.timeToLive]?.N) > now / 1000
    ? JSON.parse(row.delivery.S)
    : undefined;

/** One attempt and its event. @throws Unavailable if DynamoDB does not respond */
export async function deliveryOf(
  subscription: number,
  n: number,
  now: number,
): Promise<{ readonly delivery: Delivery; readonly event: CloudEvent } | undefined> {
  const get = { TableName: TableName(), Key: keyOf(subscription, n), ConsistentRead: true };
  const { Item } = await orUnavailable(dynamoDb().send(new GetItemCommand(get)));
  const delivery = deliveryIn(Item, now);
  return delivery && { delivery, event: JSON.parse(Item?.event?.S ?? '{}') };
}

/**
 * A page of attempts, newest first. `before`: only those with a lower number. DynamoDB reads 1 MB at once, so a page with
 * large events can be shorter than `limit`. `isMore`: attempts follow. @throws Unavailable
 */
export async function deliveriesOf(
  subscription: number,
  { before, limit, now }: { readonly before: number; readonly limit: number; readonly now: number },
): Promise<{ readonly deliveries: readonly Delivery[]; readonly isMore: boolean }> {
  const { key, sort, timeToLive } = DELIVERIES_TABLE;
  // DynamoDB refuses a range whose end is before its beginning.
  if (before <= SLOW + 1) return { deliveries: [], isMore: false };
  const isBefore = within(sort, number(SLOW + 1), number(before - 1));
  const { Items = [], LastEvaluatedKey } = await orUnavailable(
    dynamoDb().send(
      new QueryCommand({
        TableName: TableName(),
        ...readExpression({
          key: and(compare(key, '=', number(subscription)), isBefore),
          only: ['delivery', timeToLive],
        }),
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: limit + 1,
      }),
    ),
  );
  const all = Items.flatMap((row) => deliveryIn(row, now) ?? []);
  const isMore = all.length > limit || (LastEvaluatedKey !== undefined && all.length === Items.length);
  return { deliveries: all.slice(0, limit), isMore };
}

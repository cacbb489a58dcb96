import { GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { Attributes } from '../../store/form/attribute-value.ts';
import { expiry, number, text } from '../../store/form/attributes.ts';
import { and, compare, readExpression, within } from '../../store/write/expression.ts';
import type { PendingEvent } from './waiting.ts';

/**
 * The table of what the service keeps for subscriptions and shows to no client as an item. It has no stream.
 * `subscription` (N): the number of the subscription. `n` (N): 0 for its secret and its grant, 1 for the times
 * of tests and repetitions, otherwise the number of an attempt. The partition 0 has the numbers of subscriptions, by their
 * owners. `expires` (N, seconds) is DynamoDB's time to live.
 */
export const DELIVERIES_TABLE = {
  name: 'deliveries',
  key: 'subscription',
  keyType: 'N',
  sort: 'n',
  timeToLive: 'expires',
} as const;

/** The numbers of the rows beside those of attempts. */
export const SUBSCRIBER = 0;
export const CALLS = 1;
/** The partition of the numbers of subscriptions, by their owners: no subscription has this number. */
export const COUNTS = 0;
/** The service keeps an attempt for so long, in ms. */
const KEPT_MS = 7 * 86_400_000;

const TableName = () => config.tableName(DELIVERIES_TABLE.name);
/** Returns the key of a row. */
export const keyOf = (subscription: number, n: number) => ({
  [DELIVERIES_TABLE.key]: number(subscription),
  [DELIVERIES_TABLE.sort]: number(n),
});
/** Returns the end of a row, in ms since the epoch. */
export const expiring = (at: number) => ({ [DELIVERIES_TABLE.timeToLive]: expiry(at) });

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

/** What a repetition of an attempt sends. */
type Repeatable = Pick<PendingEvent, 'change' | 'test'>;

/**
 * Stores an attempt. Its row names the change, and has no data of the item.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function keepDelivery(
  subscription: number,
  delivery: Delivery,
  { change, test }: Repeatable = {},
): Promise<void> {
  const Item = {
    ...keyOf(subscription, delivery.n),
    ...expiring(Date.parse(delivery.time) + KEPT_MS),
    delivery: text(JSON.stringify(delivery)),
    ...(test && { test: text(JSON.stringify(test)) }),
    ...(change && { partition: text(change.partition), position: number(change.position) }),
  };
  await orUnavailable(dynamoDb().send(new PutItemCommand({ TableName: TableName(), Item })));
}

/**
 * Returns an attempt in a row of the table; undefined for another row, and for an expired one: DynamoDB removes these
 * up to some days late. `now`: ms since the epoch.
 */
const deliveryIn = (row: Attributes | undefined, now: number): Delivery | undefined =>
  row?.delivery?.S !== undefined && Number(row[DELIVERIES_TABLE.timeToLive]?.N) > now / 1000
    ? JSON.parse(row.delivery.S)
    : undefined;

/** Reads one attempt and what a repetition sends. @throws Unavailable if DynamoDB does not respond */
export async function deliveryOf(
  subscription: number,
  n: number,
  now: number,
): Promise<({ readonly delivery: Delivery } & Repeatable) | undefined> {
  const get = { TableName: TableName(), Key: keyOf(subscription, n), ConsistentRead: true };
  const { Item } = await orUnavailable(dynamoDb().send(new GetItemCommand(get)));
  const delivery = deliveryIn(Item, now);
  const change = Item?.position && {
    partition: Item.partition?.S ?? '',
    position: Number(Item.position.N),
  };
  return delivery && { delivery, change, test: Item?.test?.S && JSON.parse(Item.test.S) };
}

/**
 * Returns a page of attempts, newest first. `before`: only those with a lower number. DynamoDB reads 1 MB at once, so a
 * page with large events can be shorter than `limit`. `isMore`: attempts follow. @throws Unavailable
 */
export async function deliveriesOf(
  subscription: number,
  { before, limit, now }: { readonly before: number; readonly limit: number; readonly now: number },
): Promise<{ readonly deliveries: readonly Delivery[]; readonly isMore: boolean }> {
  const { key, sort, timeToLive } = DELIVERIES_TABLE;
  // DynamoDB refuses a range whose end is before its beginning.
  if (before <= CALLS + 1) return { deliveries: [], isMore: false };
  const isBefore = within(sort, number(CALLS + 1), number(before - 1));
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

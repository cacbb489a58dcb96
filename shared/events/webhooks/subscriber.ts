import { type Put, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { currentTime } from '../../aws/clock.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { Caller } from '../../resource/access/owner.ts';
import { number, text } from '../../store/items/attributes.ts';
import type { Attributes } from '../../store/items/stored-value.ts';
import { failureOf } from '../../store/write/conflict.ts';
import { and, compare, conditionExpression, readExpression } from '../../store/write/expression.ts';
import { DELIVERIES_TABLE, expiring, KEPT_MS, keyOf, SLOW, SUBSCRIBER } from './deliveries.ts';

/**
 * The rights with which a subscription gets events: those of the token that last set what it selects, or where it leads.
 * `since`: the time of that request, in ms since the epoch; 0 in rows of earlier releases.
 */
export interface Grant {
  readonly caller: Caller;
  readonly since: number;
}

/**
 * What the service knows of a subscription and never shows. `previous`: the secret before the last rotation, which also
 * signs until a time (ms since the epoch).
 */
export interface Subscriber {
  readonly secret: string;
  readonly previous?: { readonly secret: string; readonly until: number } | undefined;
  readonly grant: Grant;
}

/** The secrets that sign at a time (ms since the epoch), the newest first. */
export const secretsAt = ({ secret, previous }: Subscriber, now: number): readonly string[] =>
  previous && previous.until > now ? [secret, previous.secret] : [secret];

/** The write that stores it. `before`: the secret that the row must still have. */
export const subscriberPut = (
  subscription: number,
  { secret, previous, grant }: Subscriber,
  before?: string,
): Put => ({
  TableName: config.tableName(DELIVERIES_TABLE.name),
  Item: {
    ...keyOf(subscription, SUBSCRIBER),
    secret: text(secret),
    ...(previous && { previous: text(previous.secret), previousUntil: number(previous.until) }),
    caller: text(JSON.stringify(grant.caller)),
    since: number(grant.since),
  },
  ...(before === undefined ? {} : conditionExpression(compare('secret', '=', text(before)))),
});

/** The write that forgets it. A write can be a part of a transaction that only puts rows. `now`: ms since the epoch. */
export const subscriberRemoval = (subscription: number, now: number): Put => ({
  TableName: config.tableName(DELIVERIES_TABLE.name),
  Item: { ...keyOf(subscription, SUBSCRIBER), ...expiring(now) },
});

/** What a row keeps of a subscription; undefined: it has no secret. */
const subscriberIn = (row: Attributes | undefined): Subscriber | undefined =>
  row?.secret?.S === undefined
    ? undefined
    : {
        secret: row.secret.S,
        previous:
          row.previous?.S === undefined
            ? undefined
            : { secret: row.previous.S, until: Number(row.previousUntil?.N) },
        grant: { caller: JSON.parse(row.caller?.S ?? '{}'), since: Number(row.since?.N ?? 0) },
      };

/** What the service keeps of a subscription; undefined: it has no secret. @throws Unavailable if DynamoDB does not respond */
export async function subscriberOf(
  subscription: number,
): Promise<(Subscriber & { readonly slowUntil: number }) | undefined> {
  const { name, key, sort } = DELIVERIES_TABLE;
  const isFirst = and(compare(key, '=', number(subscription)), compare(sort, '<=', number(SLOW)));
  const query = {
    TableName: config.tableName(name),
    ...readExpression({ key: isFirst }),
    ConsistentRead: true,
  };
  const { Items: [first, slow] = [] } = await orUnavailable(dynamoDb().send(new QueryCommand(query)));
  const found = subscriberIn(first);
  return found && { ...found, slowUntil: Number(slow?.until?.N ?? 0) };
}

/**
 * Makes the service send nothing to a receiver until this time (ms since the epoch); 0: the receiver responds again.
 * `before`: the time that `subscriberOf` has returned. Returns false if another attempt has set another time since.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function setSlow(subscription: number, until: number, before?: number): Promise<boolean> {
  const put = new PutItemCommand({
    TableName: config.tableName(DELIVERIES_TABLE.name),
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

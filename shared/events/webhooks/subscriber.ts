import { GetItemCommand, type Put } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { Caller } from '../../resource/access/owner.ts';
import type { Attributes } from '../../store/form/attribute-value.ts';
import { number, text } from '../../store/form/attributes.ts';
import { compare, conditionExpression } from '../../store/write/expression.ts';
import { DELIVERIES_TABLE, expiring, keyOf, SUBSCRIBER } from './deliveries.ts';
import { nextAttempt } from './heads.ts';
import { HEAD, revisionPut, TableName, waitingKey } from './waiting-table.ts';

/**
 * What the service knows of a subscription and never shows. `previous`: the secret before the last rotation, which also
 * signs until a time (ms since the epoch). `caller`: the rights with which it gets events, those of the token that last
 * set what it selects, or where it leads.
 */
export interface Subscriber {
  readonly secret: string;
  readonly previous?: { readonly secret: string; readonly until: number } | undefined;
  readonly caller: Caller;
}

/** Returns the secrets that sign at a time (ms since the epoch), the newest first. */
export const secretsAt = ({ secret, previous }: Subscriber, now: number): readonly string[] =>
  previous && previous.until > now ? [secret, previous.secret] : [secret];

/** Returns the write that stores it. `before`: the secret that the row must still have. */
export const subscriberPut = (
  subscription: number,
  { secret, previous, caller }: Subscriber,
  before?: string,
): Put => ({
  TableName: config.tableName(DELIVERIES_TABLE.name),
  Item: {
    ...keyOf(subscription, SUBSCRIBER),
    secret: text(secret),
    ...(previous && { previous: text(previous.secret), previousUntil: number(previous.until) }),
    caller: text(JSON.stringify(caller)),
  },
  ...(before === undefined ? {} : conditionExpression(compare('secret', '=', text(before)))),
});

/**
 * Returns the parts of the transaction that removes a subscription. The service forgets its secret at once. Its head is
 * due, so the next run finds no subscription, and removes all that waits. `now`: ms since the epoch.
 */
export const removalPuts = (subscription: number, now: number): readonly Put[] => [
  {
    TableName: config.tableName(DELIVERIES_TABLE.name),
    Item: { ...keyOf(subscription, SUBSCRIBER), ...expiring(now) },
  },
  {
    TableName: TableName(),
    Item: { ...waitingKey(subscription, HEAD), ...nextAttempt(subscription, now), raised: number(0) },
  },
  revisionPut(),
];

/** Returns what a row keeps of a subscription; undefined: it has no secret. */
export const subscriberIn = (row: Attributes | undefined): Subscriber | undefined =>
  row?.secret?.S === undefined
    ? undefined
    : {
        secret: row.secret.S,
        previous:
          row.previous?.S === undefined
            ? undefined
            : { secret: row.previous.S, until: Number(row.previousUntil?.N) },
        caller: JSON.parse(row.caller?.S ?? '{}'),
      };

/** What the service keeps of a subscription; undefined: it has no secret. @throws Unavailable if DynamoDB does not respond */
export async function subscriberOf(subscription: number): Promise<Subscriber | undefined> {
  const get = {
    TableName: config.tableName(DELIVERIES_TABLE.name),
    Key: keyOf(subscription, SUBSCRIBER),
    ConsistentRead: true,
  };
  const { Item } = await orUnavailable(dynamoDb().send(new GetItemCommand(get)));
  return subscriberIn(Item);
}

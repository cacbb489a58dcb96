import { DeleteItemCommand, paginateQuery, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import { CONCURRENCY, mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import type { WaitingRow } from '../../shared/events/webhooks/waiting.ts';
import {
  BY_DUE,
  HEAD,
  TableName,
  WAITING_TABLE,
  waitingKey,
} from '../../shared/events/webhooks/waiting-table.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { number, text } from '../../shared/store/form/attributes.ts';
import { failureOf } from '../../shared/store/write/conflict.ts';
import {
  and,
  attributeExists,
  compare,
  readExpression,
  updateExpression,
} from '../../shared/store/write/expression.ts';

/** Returns the first rows by the time of their next attempt. @throws Unavailable if DynamoDB does not respond */
export async function firstWaiting(subscription: number, limit: number): Promise<readonly WaitingRow[]> {
  const query = new QueryCommand({
    TableName: TableName(),
    IndexName: BY_DUE.name,
    ...readExpression({ key: compare(BY_DUE.partition, '=', number(subscription)) }),
    Limit: limit,
  });
  const { Items = [] } = await orUnavailable(dynamoDb().send(query));
  return Items.map(rowOf);
}

/** Returns all rows of a subscription as last written, with those that an index does not have yet, up to `limit`. */
export async function allWaiting(subscription: number, limit: number): Promise<readonly WaitingRow[]> {
  const { key, sort } = WAITING_TABLE;
  const isRow = and(compare(key, '=', number(subscription)), compare(sort, '>', text(HEAD)));
  const query = {
    TableName: TableName(),
    ...readExpression({ key: isRow }),
    ConsistentRead: true,
    Limit: limit,
  };
  const rows: WaitingRow[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamoDb() }, query)) {
    rows.push(...Items.map(rowOf));
    if (rows.length >= limit) break;
  }
  return rows;
}

/** Sets the next attempt of a row, if the row still exists. @throws Unavailable if DynamoDB does not respond */
export async function postponeWaiting(
  { subscription, event, attempt }: WaitingRow,
  dueAt: number,
): Promise<void> {
  const update = new UpdateItemCommand({
    TableName: TableName(),
    Key: waitingKey(subscription, event),
    ...updateExpression(
      { set: { attempt: number(attempt + 1), dueAt: number(dueAt) } },
      attributeExists(WAITING_TABLE.sort),
    ),
  });
  try {
    await orUnavailable(dynamoDb().send(update));
  } catch (error) {
    if (!failureOf(error)) throw error;
  }
}

/** Removes rows. @throws Unavailable if DynamoDB does not respond */
export async function removeWaiting(
  rows: readonly Pick<WaitingRow, 'subscription' | 'event'>[],
): Promise<void> {
  await mapConcurrently(CONCURRENCY.items, rows, ({ subscription, event }) =>
    orUnavailable(
      dynamoDb().send(
        new DeleteItemCommand({ TableName: TableName(), Key: waitingKey(subscription, event) }),
      ),
    ),
  );
}

const rowOf = (row: Attributes): WaitingRow => ({
  subscription: Number(row[WAITING_TABLE.key]?.N),
  event: row[WAITING_TABLE.sort]?.S ?? '',
  type: row.type?.S ?? '',
  subject: row.subject?.S ?? '',
  change: { partition: row.partition?.S ?? '', position: Number(row.position?.N) },
  time: Number(row.time?.N),
  attempt: Number(row.attempt?.N),
  dueAt: Number(row.dueAt?.N),
});

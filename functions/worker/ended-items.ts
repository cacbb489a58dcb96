import { DeleteItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { type EndedItems, sendRemoved } from '../../shared/aws/clients/queue.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { config } from '../../shared/aws/config.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import { CONCURRENCY, mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { number, text } from '../../shared/store/form/attributes.ts';
import { lastRow } from '../../shared/store/history/returning.ts';
import {
  CLEAR_AT,
  CLEAR_FROM,
  CLEAR_INDEX,
  REMOVED_FROM,
  rowKey,
  VERSIONS_TABLE,
} from '../../shared/store/history/versions-table.ts';
import { failureOf } from '../../shared/store/write/conflict.ts';
import {
  and,
  attributeExists,
  attributeNotExists,
  compare,
  conditionExpression,
  readExpression,
  updateExpression,
} from '../../shared/store/write/expression.ts';
import { retryingConflicts } from '../../shared/store/write/transaction.ts';

/** The rows of one page, and the items of one message. */
const PAGE = 100;
const { key: KEY, sort: SORT, timeToLive: EXPIRES } = VERSIONS_TABLE;

/** The removal of an item: `version` is its last one, and `at` the end of its history, in ms since the epoch. */
type Removal = NonNullable<EndedItems['after']>;

/**
 * Claims the removed items whose histories have ended, and makes the worker clear the references to them. After the
 * claim, no restoration brings an item back. A killed run leaves claimed rows in the index, so the next run finds them
 * again. All removed items of a resource that keeps no versions now have ended. `deadline`: ms since the epoch. After
 * it, the call returns the rest of the work for another run. It returns undefined if nothing is left.
 *
 * Source: docs/decisions/0084-references-to-removed-items.md.
 *
 * @throws Unavailable if DynamoDB does not respond; Error of the SDK if SQS does not respond
 */
export async function claimEnded(
  registry: readonly Resource[],
  { after }: EndedItems,
  deadline: number,
): Promise<EndedItems | undefined> {
  if (!registry.some(({ history }) => history)) return undefined;
  const cleared = registry.filter(({ isCleared }) => isCleared);
  const first = cleared.findIndex(({ name }) => name === after?.resource);
  for (const [n, resource] of cleared.slice(Math.max(first, 0)).entries()) {
    let last = n === 0 ? after : undefined;
    do {
      const { removals, isLast } = await endedPage(resource, last);
      const claimed = await mapConcurrently(CONCURRENCY.items, removals, claim);
      const ids = removals.flatMap(({ id }, at) => (claimed[at] ? [id] : []));
      // A request that has seen the item before its end finishes in the time of a lease.
      if (ids.length > 0) await sendRemoved({ resource: resource.name, ids }, config.leaseTime());
      last = isLast ? undefined : removals.at(-1);
      if (last && currentTime() > deadline) return { after: last };
    } while (last);
  }
  return undefined;
}

async function endedPage({ name: resource, history }: Resource, after: Removal | undefined) {
  const from = text(`/${resource}`);
  const isFrom = compare(CLEAR_FROM, '=', from);
  const query = new QueryCommand({
    TableName: config.tableName(VERSIONS_TABLE.name),
    IndexName: CLEAR_INDEX.name,
    ...readExpression({
      key: history ? and(isFrom, compare(CLEAR_AT, '<=', number(currentTime()))) : isFrom,
      only: [KEY, SORT, CLEAR_AT],
    }),
    Limit: PAGE,
    ...(after && {
      ExclusiveStartKey: {
        ...rowKey({ name: resource }, after.id, after.version),
        [CLEAR_FROM]: from,
        [CLEAR_AT]: number(after.at),
      },
    }),
  });
  const { Items = [], LastEvaluatedKey } = await orUnavailable(dynamoDb().send(query));
  const removals = Items.map(
    (row): Removal => ({
      resource,
      id: Number(row[KEY]?.S?.split('/').at(-1)),
      version: Number(row[SORT]?.N),
      at: Number(row[CLEAR_AT]?.N),
    }),
  );
  return { removals, isLast: LastEvaluatedKey === undefined };
}

/** Makes the return of a removed item impossible. Returns false if it has returned. */
const claim = ({ resource: name, id, version }: Removal): Promise<boolean> =>
  isDone(() =>
    dynamoDb().send(
      new UpdateItemCommand({
        TableName: config.tableName(VERSIONS_TABLE.name),
        Key: rowKey({ name }, id, version),
        ...updateExpression({ remove: [EXPIRES, REMOVED_FROM] }, attributeExists(CLEAR_FROM)),
      }),
    ),
  );

/** Removes the row of a claimed item, after the references to it. @throws Unavailable if DynamoDB does not respond */
export async function forgetClaimed(resource: Pick<Resource, 'name'>, id: number): Promise<void> {
  const row = await lastRow(resource, id);
  if (!row?.[CLEAR_FROM] || row[EXPIRES]) return;
  await isDone(() =>
    dynamoDb().send(
      new DeleteItemCommand({
        TableName: config.tableName(VERSIONS_TABLE.name),
        Key: rowKey(resource, id, Number(row[SORT]?.N)),
        ...conditionExpression(attributeNotExists(EXPIRES)),
      }),
    ),
  );
}

/** Writes a row. Returns false if its condition does not hold. */
async function isDone(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await retryingConflicts(write);
    return true;
  } catch (error) {
    if (failureOf(error)) return false;
    throw error;
  }
}

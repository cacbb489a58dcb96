import { BatchWriteItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { members } from '../../../functions/members.ts';
import { provideTables } from '../../../local/provision/tables.ts';
import { tablesOf } from '../../../service/derived/tables.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { mapConcurrently } from '../../../shared/concurrency/map-concurrently.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import { keeping } from '../../../shared/store/history/versions-table.ts';
import { newItem } from '../../../shared/store/write/new-item.ts';
import { agree } from '../../../shared/store/write/stored-inventory.ts';
import { insertion } from '../../../shared/store/write/write-requests.ts';
import { idAt, timeAt } from '../../cost/measured/seed.ts';
import { valuesAt } from '../simulator/requests.ts';
import type { StoreName } from './store.ts';

/**
 * Rows of a call: the most of TransactWriteItems, and of BatchWriteItem in whole items. The embedded engine has no
 * BatchWriteItem.
 */
const ROWS = { embedded: 100, 'DynamoDB Local': 24 } as const satisfies Record<StoreName, number>;
/** Calls at the same time. */
const TOGETHER = 8;

type Row = ReturnType<typeof insertion> | ReturnType<typeof keeping>;

/**
 * Creates the tables, and fills them with items in their second version, and with their first versions. The service's own
 * code makes each row.
 */
export async function fill(store: StoreName, count: number): Promise<void> {
  await provideTables(tablesOf([members]));
  const agreed = await agree(members);
  // A version that ended long ago has expired.
  const changed = Date.now();
  const rowsAt = (at: number): readonly Row[] => {
    const first = newItem(members, SERVICE, timeAt(at), valuesAt(at), idAt(at));
    const second = { ...first, version: 2, updatedAt: changed };
    return [insertion(agreed, second), keeping(members, insertion(agreed, first).Item, { ended: changed })];
  };
  const items = ROWS[store] / 2;
  const calls = Array.from({ length: Math.ceil(count / items) }, (_, at) => at * items);
  await mapConcurrently(TOGETHER, calls, async (from) => {
    const numbers = Array.from({ length: Math.min(items, count - from) }, (_, at) => from + at);
    const rows = numbers.flatMap(rowsAt);
    await (store === 'embedded' ? transacted(rows) : written(rows));
  });
}

const transacted = (rows: readonly Row[]) =>
  dynamoDb().send(
    new TransactWriteItemsCommand({
      TransactItems: rows.map(({ TableName, Item }) => ({ Put: { TableName, Item } })),
    }),
  );

/** @throws Error if DynamoDB Local leaves a row */
async function written(rows: readonly Row[]): Promise<void> {
  const byTable = Map.groupBy(rows, ({ TableName }) => TableName ?? '');
  const RequestItems = Object.fromEntries(
    [...byTable].map(([name, all]) => [name, all.map(({ Item }) => ({ PutRequest: { Item } }))]),
  );
  const { UnprocessedItems = {} } = await dynamoDb().send(new BatchWriteItemCommand({ RequestItems }));
  if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB Local has left rows');
}

import {
  DeleteItemCommand,
  GetItemCommand,
  paginateQuery,
  type TransactWriteItem,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { HAS_SUBSCRIPTIONS } from '../../../service/about.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { DELIVERIES_TABLE } from '../../../shared/events/webhooks/deliveries.ts';
import { WAITING_TABLE } from '../../../shared/events/webhooks/waiting-table.ts';
import { BINARIES } from '../../../shared/files/binaries/key.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import { checkConstraints } from '../../../shared/store/constraints/check-constraints.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { fromAttributes, keyAttribute, number, text } from '../../../shared/store/form/attributes.ts';
import {
  CHANGES_TABLE,
  EVENT,
  historyKey,
  IMAGE,
  partitionOf,
} from '../../../shared/store/form/log-table.ts';
import { CREATED, IMPORTED, UPDATED, VERSION } from '../../../shared/store/form/table.ts';
import { VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { failureOf } from '../../../shared/store/write/conflict.ts';
import {
  compare,
  conditionExpression,
  readExpression,
  updateExpression,
} from '../../../shared/store/write/expression.ts';
import { insert } from '../../../shared/store/write/transaction.ts';
import { newWriteToken } from '../../../shared/store/write/write-requests.ts';
import { objectKeys } from '../objects.ts';
import { removeRows } from '../rows.ts';
import { purge } from './versions.ts';

/**
 * Erases an item: its attributes, and every version of its bytes. It also erases the bytes of an item that was deleted
 * before.
 */
export async function eraseItem(resource: Resource, id: number | string): Promise<void> {
  const TableName = config.tableName(resource.name);
  const Key = keyAttribute(descriptionOf(resource), id);
  for (;;) {
    const { Item } = await dynamoDb().send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    const keys = objectKeys(resource, Item ?? Key);
    if (!Item) {
      for (const key of keys) await purge(key, (one) => one === key);
      await purge(`${BINARIES}${resource.name}/${id}/`, () => true);
      return;
    }
    // The bytes go while the item names them, so a killed run finds them again.
    for (const key of keys) await purge(key, (one) => one === key);
    // The row of a unique value is a digest of it.
    const before = fromAttributes(descriptionOf(resource), Item);
    const { parts } = await checkConstraints(resource, [{ before }]);
    await removeBlank(TableName, Key, Item, parts);
  }
}

/** Erases what the service keeps of an item: its versions and changes, or what it knows and sends for a subscription. */
export async function eraseHistory(resource: Resource, id: number | string): Promise<void> {
  if (resource.name === 'subscriptions') {
    for (const table of [DELIVERIES_TABLE, WAITING_TABLE]) await removeRows(table, number(Number(id)));
    return;
  }
  if (resource.history) await removeRows(VERSIONS_TABLE, historyKey(resource, id));
  await eraseChanges(resource, id);
}

/**
 * Erases the content of the rows of the log with changes of an item. The rows stay, so that readers find no gap. The row
 * of the removal by `eraseItem` keeps its content, because it has no values.
 */
async function eraseChanges(resource: Resource, id: number | string): Promise<void> {
  // Without subscriptions, the log has only resources with history.
  if (!resource.history && !HAS_SUBSCRIPTIONS) return;
  const TableName = config.tableName(CHANGES_TABLE.name);
  const { key, sort } = CHANGES_TABLE;
  const isInPartition = compare(key, '=', text(partitionOf(resource, id)));
  const query = { TableName, ConsistentRead: true, ...readExpression({ key: isInPartition }) };
  const { name } = descriptionOf(resource).identifier;
  for await (const { Items = [] } of paginateQuery({ client: dynamoDb() }, query))
    for (const row of Items) {
      const image = row[IMAGE]?.M;
      const { N, S } = image?.[name] ?? {};
      if ((N ?? S) !== String(id) || image?.[IMPORTED]) continue;
      await dynamoDb().send(
        new UpdateItemCommand({
          TableName,
          Key: { [key]: row[key] ?? text(''), [sort]: row[sort] ?? number(0) },
          ...updateExpression({ remove: [EVENT, IMAGE] }),
        }),
      );
    }
}

/**
 * Replaces the item by one without values, then removes it. The event of the removal therefore carries no values. Does
 * nothing if another request changed the item since it was read. `parts`: the writes that release its unique values.
 */
async function removeBlank(
  TableName: string,
  Key: Attributes,
  item: Attributes,
  parts: readonly TransactWriteItem[],
): Promise<void> {
  const version = number(Number(item[VERSION]?.N) + 1);
  const now = number(Date.now());
  const blank = {
    ...Key,
    [VERSION]: version,
    [IMPORTED]: version,
    [CREATED]: item[CREATED] ?? now,
    [UPDATED]: now,
  };
  try {
    const isSame = conditionExpression(compare(VERSION, '=', item[VERSION] ?? number(0)));
    const put = { TableName, Item: blank, ...isSame };
    if ((await insert(put, newWriteToken(), parts)) !== 'written') return;
    const isBlank = conditionExpression(compare(VERSION, '=', version));
    await dynamoDb().send(new DeleteItemCommand({ TableName, Key, ...isBlank }));
  } catch (error) {
    if (!failureOf(error)) throw error;
  }
}

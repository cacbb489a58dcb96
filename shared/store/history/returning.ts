import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { CONCURRENCY, mapConcurrently } from '../../concurrency/map-concurrently.ts';
import { clearedReferencesOf } from '../../resource/description/references.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { historyKey } from '../form/log-table.ts';
import { missingOf, type TableReference } from '../items/references.ts';
import { compare, readExpression } from '../write/expression.ts';
import { isShown, REMOVED_FROM, VERSIONS_TABLE } from './versions-table.ts';

/** Returns the row of the newest version that has ended. @throws Unavailable if DynamoDB does not respond */
export async function lastRow(resource: Pick<Resource, 'name'>, id: number): Promise<Attributes | undefined> {
  const query = new QueryCommand({
    TableName: config.tableName(VERSIONS_TABLE.name),
    ...readExpression({ key: compare(VERSIONS_TABLE.key, '=', historyKey(resource, id)) }),
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: 1,
  });
  return (await orUnavailable(dynamoDb().send(query))).Items?.[0];
}

/**
 * Returns the identifiers of those items that do not exist, and that no restoration brings back.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function goneOf(to: TableReference, ids: readonly number[]): Promise<number[]> {
  const missing = await missingOf(to, ids);
  const rows = await mapConcurrently(CONCURRENCY.items, missing, (id) => lastRow({ name: to.resource }, id));
  return missing.filter((_, at) => {
    const row = rows[at];
    return !row?.[REMOVED_FROM] || !isShown(row);
  });
}

/**
 * The fields of a removed item whose references the service would have cleared, if the item had existed meanwhile.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function goneReferences(resource: Resource, { values }: Item): Promise<string[]> {
  const gone = clearedReferencesOf(resource).map(async ({ field, to }) => {
    const id = values[field];
    return typeof id === 'number' && (await goneOf(to, [id])).length > 0 ? [field] : [];
  });
  return (await Promise.all(gone)).flat();
}

import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { CHANGES_TABLE, historyKey, itemKey, LOGGED } from '../../../shared/store/form/log-table.ts';
import { REMOVED_FROM, VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { readKeys } from '../../../shared/store/items/read-items.ts';
import { compare, readExpression } from '../../../shared/store/write/expression.ts';

/** What the service knows of the versions of an item beside the item itself. */
export interface KnownVersions {
  /** The last version that clients can know, or the number of the removal after it; 0: none. */
  readonly last: number;
  /** The last kept version; 0: none. */
  readonly kept: number;
  /** True if the list of removed items has the last kept version. */
  readonly isListed: boolean;
}

const NONE: KnownVersions = { last: 0, kept: 0, isListed: false };

/** Reads what the log and the table of versions know of an item. A resource without history knows nothing. */
export async function knownVersions(resource: Resource, id: number | string): Promise<KnownVersions> {
  if (!resource.history) return NONE;
  const { name, key, sort } = VERSIONS_TABLE;
  const [[logged], { Items = [] }] = await Promise.all([
    readKeys(CHANGES_TABLE.name, [itemKey(resource, id)]),
    dynamoDb().send(
      new QueryCommand({
        TableName: config.tableName(name),
        ...readExpression({ key: compare(key, '=', historyKey(resource, id)), only: [sort, REMOVED_FROM] }),
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: 1,
      }),
    ),
  ]);
  const [row] = Items;
  const kept = Number(row?.[sort]?.N ?? 0);
  // A kept version has ended: by the next one, or by a removal, which has a number of its own.
  const last = Math.max(Number(logged?.[LOGGED]?.N ?? 0), kept > 0 ? kept + 1 : 0);
  return { last, kept, isListed: row?.[REMOVED_FROM] !== undefined };
}

import { QueryCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { ownerOf } from '../../resource/access/owner.ts';
import type { Calls } from '../../resource/actions/action.ts';
import { found, type Outcome } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import { pageOf } from '../../resource/lists/document-page.ts';
import type { Resource } from '../../resource/resource.ts';
import { number } from '../form/attributes.ts';
import { attributeExists, compare, readExpression, updateExpression } from '../write/expression.ts';
import {
  CLEAR_FROM,
  isShown,
  REMOVED_AT,
  REMOVED_FROM,
  REMOVED_INDEX,
  removedKey,
  rowKey,
  VERSIONS_TABLE,
  versionOf,
} from './versions-table.ts';

/** The position of a page: the removal before it, as its time, the identifier and the version. */
const POSITION = {
  name: 'position',
  matches: /^([1-9]\d{0,15})-([1-9]\d{0,15})-([1-9]\d{0,15})$/,
  is: 'that of a link',
};

/**
 * Returns the list of removed items, the last removed one first.
 *
 * @throws Unavailable if DynamoDB does not respond
 *
 * Source: Specification 16.10; Amazon DynamoDB API Reference, Query.
 */
export async function removedOf(resource: Resource, input: Calls['removed']): Promise<Outcome> {
  const { caller, query, sight, basePath } = input;
  const page = pageOf(query, POSITION);
  if (page.kind !== 'page') return page;
  const { limit, position: [, time, id, last] = [] } = page;
  const list = removedKey(resource, ownerOf(resource, caller));
  const startAt = (time: number, id: string, version: number) => ({
    ...rowKey(resource, id, version),
    [REMOVED_FROM]: list,
    [REMOVED_AT]: number(time),
  });
  const { Items = [], LastEvaluatedKey } = await orUnavailable(
    dynamoDb().send(
      new QueryCommand({
        TableName: config.tableName(VERSIONS_TABLE.name),
        IndexName: REMOVED_INDEX.name,
        ...readExpression({ key: compare(REMOVED_FROM, '=', list) }),
        ScanIndexForward: false,
        Limit: limit + 1,
        ...(time && id && last ? { ExclusiveStartKey: startAt(Number(time), id, Number(last)) } : {}),
      }),
    ),
  );
  const kept = Items.filter(isShown);
  const shown = kept.slice(0, limit).flatMap((row) => {
    const { item, removal } = versionOf(resource, row);
    return removal ? [{ item, removal }] : [];
  });
  const path = `/${resource.name}`;
  const end = shown.at(-1);
  const continues = kept.length > limit || (LastEvaluatedKey && kept.length === Items.length);
  const next =
    end && `${path}/removed?limit=${limit}&position=${end.removal.at}-${end.item.id}-${end.item.version}`;
  return found({
    kind: 'document',
    name: 'removed',
    members: { limit },
    entries: shown.map(({ item, removal }) => ({
      item,
      facts: {
        version: item.version,
        href: `${basePath}${path}/${item.id}/versions/${item.version}`,
        change: 'removed',
        time: new Date(removal.at).toISOString(),
        ...(sight.authors && removal.by !== undefined ? { by: removal.by } : {}),
      },
    })),
    links: [
      { rel: 'self', href: `${path}/removed` },
      { rel: 'collection', href: path },
      ...(continues && next ? [{ rel: 'next', href: next }] : []),
    ],
  });
}

/**
 * Returns the part of the transaction of a restoration that takes an item out of the list. It fails if another
 * restoration has done so, or if the worker has begun to clear the references to the item. `last`: its last version.
 */
export const unlist = (resource: Resource, last: Pick<Item, 'id' | 'version'>): TransactWriteItem => ({
  Update: {
    TableName: config.tableName(VERSIONS_TABLE.name),
    Key: rowKey(resource, last.id, last.version),
    ...updateExpression({ remove: [REMOVED_FROM, CLEAR_FROM] }, attributeExists(REMOVED_FROM)),
  },
});

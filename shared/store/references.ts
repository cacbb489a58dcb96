import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../aws/clients.ts';
import { config } from '../aws/config.ts';
import { orUnavailable } from '../aws/faults.ts';
import { Decimal } from '../json/decimal.ts';
import type { Companion } from './items/items.ts';

/** Another resource's table, as far as a neighbour needs it: its name and the name of its integer key. */
export interface TableReference {
  readonly resource: string;
  readonly key: string;
}

const existing = ({ resource, key }: TableReference, id: number) => ({
  TableName: config.tableName(resource),
  Key: { [key]: { N: String(id) } },
  ConditionExpression: 'attribute_exists(#id)',
  ExpressionAttributeNames: { '#id': key },
});

/** A condition for a transaction: the neighbour's item exists. */
export const existenceCheck = (neighbour: TableReference, id: number): Companion => ({
  ConditionCheck: existing(neighbour, id),
});

/** A change for a transaction: the neighbour's item exists, and an internal count of it grows by so much. */
export const counterUpdate = (
  neighbour: TableReference,
  id: number,
  count: string,
  by: number,
): Companion => {
  const { ExpressionAttributeNames, ...update } = existing(neighbour, id);
  return {
    Update: {
      ...update,
      UpdateExpression: 'ADD #count :by',
      ExpressionAttributeNames: { ...ExpressionAttributeNames, '#count': `_${count}` },
      ExpressionAttributeValues: { ':by': { N: String(by) } },
    },
  };
};

/**
 * One number of a neighbour's item: null when the item has none, undefined when there is no such item.
 * @throws Unavailable when DynamoDB does not answer.
 */
export async function readNumber(
  { resource, key }: TableReference,
  id: number,
  field: string,
): Promise<Decimal | null | undefined> {
  const { Item: attributes } = await orUnavailable(
    dynamoDb().send(
      new GetItemCommand({
        TableName: config.tableName(resource),
        Key: { [key]: { N: String(id) } },
        // Paths that overlap are refused, so the key is not named twice.
        ...(field === key
          ? { ProjectionExpression: '#key', ExpressionAttributeNames: { '#key': key } }
          : {
              ProjectionExpression: '#key, #field',
              ExpressionAttributeNames: { '#key': key, '#field': field },
            }),
        ConsistentRead: true,
      }),
    ),
  );
  if (!attributes) return undefined;
  const digits = attributes[field]?.N;
  return digits === undefined ? null : (Decimal.parse(digits) ?? null);
}

/** Whether a neighbour's item exists. @throws Unavailable when DynamoDB does not answer. */
export const exists = async (neighbour: TableReference, id: number): Promise<boolean> =>
  (await readNumber(neighbour, id, neighbour.key)) !== undefined;

import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../aws/clients.ts';
import { config } from '../aws/config.ts';
import { orUnavailable } from '../aws/faults.ts';
import { Decimal } from '../json/decimal.ts';
import type { Companion } from './items/items.ts';

/** A reference to another resource's table: the name of the resource and of its integer key. */
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

/** A condition for a transaction: the referenced item exists. */
export const existenceCheck = (neighbour: TableReference, id: number): Companion => ({
  ConditionCheck: existing(neighbour, id),
});

/** A change for a transaction: adds `by` to an internal count of the referenced item, which must exist. */
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
 * Reads one number of a referenced item. null: the item has no such number. undefined: the item does not exist.
 * @throws Unavailable if DynamoDB does not respond.
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
        // DynamoDB refuses a projection that names the key twice.
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

/** True if the referenced item exists. @throws Unavailable if DynamoDB does not respond. */
export const exists = async (neighbour: TableReference, id: number): Promise<boolean> =>
  (await readNumber(neighbour, id, neighbour.key)) !== undefined;

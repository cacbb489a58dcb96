import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { Decimal } from '../../json/decimal.ts';
import { number } from '../form/attributes.ts';
import { readExpression } from '../write/expression.ts';
import { readKeys } from './read-items.ts';

/** A reference to another resource's table: the name of the resource and of its integer key. */
export interface TableReference {
  readonly resource: string;
  readonly key: string;
}

const placeOf = ({ resource, key }: TableReference, id: number) => ({
  TableName: config.tableName(resource),
  Key: { [key]: number(id) },
});

/**
 * Reads one number of a referenced item. null: the item has no such number. undefined: the item does not exist.
 * @throws Unavailable if DynamoDB does not respond.
 */
export async function readNumber(
  reference: TableReference,
  id: number,
  field: string,
): Promise<Decimal | null | undefined> {
  const read = new GetItemCommand({
    ...placeOf(reference, id),
    ...readExpression({ only: [reference.key, field] }),
    ConsistentRead: true,
  });
  const { Item: attributes } = await orUnavailable(dynamoDb().send(read));
  if (!attributes) return undefined;
  const digits = attributes[field]?.N;
  return digits === undefined ? null : (Decimal.parse(digits) ?? null);
}

/** Returns the identifiers of those items that do not exist. @throws Unavailable if DynamoDB does not respond. */
export async function missingOf(
  { resource, key }: TableReference,
  ids: readonly number[],
): Promise<number[]> {
  const wanted = [...new Set(ids)];
  const rows = await readKeys(
    resource,
    wanted.map((id) => ({ [key]: number(id) })),
  );
  const existing = new Set(rows.map((row) => Number(row[key]?.N)));
  return wanted.filter((id) => !existing.has(id));
}

/** True if the referenced item exists. @throws Unavailable if DynamoDB does not respond. */
export const exists = async (reference: TableReference, id: number): Promise<boolean> =>
  (await readNumber(reference, id, reference.key)) !== undefined;

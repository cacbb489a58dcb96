import { paginateScan } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import type { Attributes } from '../form/stored-value.ts';
import { CONSTRAINT } from '../form/table.ts';

/** True if a row is an item. The others hold constraints. */
export const isItem = (row: Attributes): boolean => row[CONSTRAINT] === undefined;

/** Yields all items of a table, of all owners, without the rows of constraints, page by page, each as last written. */
export async function* itemRows(TableName: string): AsyncGenerator<Attributes, undefined> {
  const scan = { TableName, ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: dynamoDb() }, scan)) yield* Items.filter(isItem);
}

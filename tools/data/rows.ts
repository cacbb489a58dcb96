import { paginateScan } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import type { Attributes } from '../../shared/store/items/stored-value.ts';
import { CONSTRAINT } from '../../shared/store/items/table.ts';

/** True if a row is an item. The others hold constraints: an import makes them again. */
export const isItem = (row: Attributes): boolean => row[CONSTRAINT] === undefined;

/** Yields all items of a table, without the rows of constraints, page by page, each as last written. */
export async function* rows(TableName: string): AsyncGenerator<Attributes> {
  for await (const { Items = [] } of paginateScan(
    { client: dynamoDb() },
    { TableName, ConsistentRead: true },
  ))
    yield* Items.filter(isItem);
}

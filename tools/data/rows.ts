import { DeleteItemCommand, GetItemCommand, paginateQuery, paginateScan } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import { keyAttribute } from '../../shared/store/items/attributes.ts';
import type { Attributes } from '../../shared/store/items/stored-value.ts';
import { CONSTRAINT } from '../../shared/store/items/table.ts';
import { compare, readExpression } from '../../shared/store/write/expression.ts';

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

/** The attributes of an item as last written; undefined if it does not exist. */
export async function itemWith(resource: Resource, id: number | string): Promise<Attributes | undefined> {
  const TableName = config.tableName(resource.name);
  const Key = keyAttribute(descriptionOf(resource), id);
  return (await dynamoDb().send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item;
}

/** Removes all rows of a partition of one of the service's own tables. */
export async function removeRows(
  { name, key, sort }: { readonly name: string; readonly key: string; readonly sort: string },
  partition: Attributes[string],
): Promise<void> {
  const TableName = config.tableName(name);
  const isInPartition = readExpression({ key: compare(key, '=', partition), only: [key, sort] });
  const query = { TableName, ConsistentRead: true, ...isInPartition };
  for await (const { Items = [] } of paginateQuery({ client: dynamoDb() }, query))
    for (const Key of Items) await dynamoDb().send(new DeleteItemCommand({ TableName, Key }));
}

import { DeleteItemCommand, GetItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { keyAttribute } from '../../shared/store/form/attributes.ts';
import { compare, readExpression } from '../../shared/store/write/expression.ts';

/** Returns the attributes of an item as last written; undefined if it does not exist. */
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

import { paginateQuery } from '@aws-sdk/client-dynamodb';
import { registry } from '../../../service/registry.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import { identifierOf } from '../../../shared/store/form/attributes.ts';
import { indexFor, tableOf } from '../../../shared/store/form/table.ts';
import { imageIn, VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { itemRows } from '../../../shared/store/items/read-items.ts';
import { compare, readExpression } from '../../../shared/store/write/expression.ts';
import { itemWith } from '../rows.ts';

/** An item to erase, by its resource and its identifier. */
export interface Erased {
  readonly resource: string;
  readonly id: number | string;
}

/**
 * Returns the items of other resources that belong to an item: those whose lists it partitions, such as the orders of a
 * customer, and removed ones that still have versions. The index of such a list has every item, about a second after
 * its last write.
 */
export async function belongings({ resource: name, id }: Erased): Promise<Erased[]> {
  const found: Erased[] = [];
  for (const resource of registry) {
    for (const { to, field } of Object.values(resource.relations)) {
      const isPartition = resource.table?.partitions?.includes(field);
      if (to.name !== name || !isPartition) continue;
      found.push(...(await itemsWith(resource, field, id)), ...(await removedWith(resource, field, id)));
    }
  }
  return found;
}

async function itemsWith(resource: Resource, field: string, id: number | string): Promise<Erased[]> {
  const description = descriptionOf(resource);
  const { name: key } = description.identifier;
  const query = {
    TableName: config.tableName(resource.name),
    IndexName: indexFor(tableOf(resource), field, key)?.name,
    ...readExpression({ key: compare(field, '=', { N: String(id) }), only: [key] }),
  };
  const found: Erased[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamoDb() }, query))
    found.push(...Items.map((item) => ({ resource: resource.name, id: identifierOf(description, item) })));
  return found;
}

/** Returns the removed items with a version that belongs to an item. No index has the versions by their values. */
async function removedWith(resource: Resource, field: string, id: number | string): Promise<Erased[]> {
  if (!resource.history) return [];
  const description = descriptionOf(resource);
  const found = new Map<number | string, Erased>();
  for await (const row of itemRows(config.tableName(VERSIONS_TABLE.name))) {
    const image = imageIn(row);
    if (!row[VERSIONS_TABLE.key]?.S?.startsWith(`/${resource.name}/`) || image[field]?.N !== String(id))
      continue;
    const removed = identifierOf(description, image);
    if (found.has(removed) || (await itemWith(resource, removed))) continue;
    found.set(removed, { resource: resource.name, id: removed });
  }
  return [...found.values()];
}

import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { registry } from '../../../service/registry.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { descriptionOf } from '../../../shared/resource/description/described.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { identifierOf } from '../../../shared/store/items/attributes.ts';
import type { Attributes } from '../../../shared/store/items/stored-value.ts';
import { indexFor, tableOf } from '../../../shared/store/items/table.ts';
import { compare, readExpression } from '../../../shared/store/write/expression.ts';

/** An item to erase, by its resource and its identifier. */
export interface Erased {
  readonly resource: string;
  readonly id: number | string;
}

/**
 * The items of other resources that belong to an item: those whose lists it partitions, such as the orders of a
 * customer. The index of such a list has every item, about a second after its last write.
 */
export async function belongings({ resource: name, id }: Erased): Promise<Erased[]> {
  const found: Erased[] = [];
  for (const resource of registry) {
    for (const { to, field } of Object.values(resource.relations)) {
      const isPartition = resource.table?.partitions?.includes(field);
      if (to.name !== name || !isPartition) continue;
      found.push(...(await itemsWith(resource, field, id)));
    }
  }
  return found;
}

async function itemsWith(resource: Resource, field: string, id: number | string): Promise<Erased[]> {
  const description = descriptionOf(resource);
  const { name: key } = description.identifier;
  const found: Erased[] = [];
  let ExclusiveStartKey: Attributes | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamoDb().send(
      new QueryCommand({
        TableName: config.tableName(resource.name),
        IndexName: indexFor(tableOf(resource), field, key)?.name,
        ...readExpression({ key: compare(field, '=', { N: String(id) }), only: [key] }),
        ExclusiveStartKey,
      }),
    );
    found.push(...Items.map((item) => ({ resource: resource.name, id: identifierOf(description, item) })));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return found;
}

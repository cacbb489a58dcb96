import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { type Promised, refuseUnreadable } from '../../infra/stored.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config, DEFAULT_SHARDS } from '../../shared/aws/config.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { formOf, type Inventory, newInventory } from '../../shared/store/inventory/inventory.ts';
import { agree, inventoryOf, replaceInventory } from '../../shared/store/inventory/stored-inventory.ts';
import { tableOf } from '../../shared/store/items/table.ts';

/**
 * Makes the inventories of tables agree with this release. `created`: the resources with a new table.
 * @throws Error with a sentence for each fault, if this release cannot read stored items
 */
export async function agreeWithTables(
  registry: readonly Resource[],
  created: ReadonlySet<string>,
): Promise<void> {
  const stored = new Map<string, Pick<Promised, 'version' | 'fields'>>();
  for (const resource of registry) {
    const inventory = await inventoryOf(resource);
    if (inventory)
      stored.set(resource.name, { version: inventory.complete.version, fields: inventory.fields });
    else if (!created.has(resource.name) && (await hasItems(resource)))
      await replaceInventory(resource, undefined, unknown(resource));
  }
  refuseUnreadable(registry, (name) => stored.get(name));
  for (const resource of registry) await agree(resource);
}

/** The inventory of a table with items of a release before inventories: only the list by identifier has all of them. */
function unknown(resource: Resource): Inventory {
  const { form, fields } = formOf(resource);
  const [byIdentifier] = tableOf(resource).indexes;
  const complete = { ...form, version: 1, indexes: byIdentifier ? [byIdentifier.name] : [], unique: [] };
  return { ...newInventory({ form, fields, shards: DEFAULT_SHARDS }), complete };
}

async function hasItems({ name }: Resource): Promise<boolean> {
  const scan = new ScanCommand({ TableName: config.tableName(name), Limit: 1 });
  return ((await dynamoDb().send(scan)).Items ?? []).length > 0;
}

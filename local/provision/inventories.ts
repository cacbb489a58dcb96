import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { refuseUnreadable, type StoredShape } from '../../infra/stored.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config, DEFAULT_SHARDS } from '../../shared/aws/config.ts';
import { kindsOf } from '../../shared/resource/description/attribute.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { formOf, type Inventory, newInventory } from '../../shared/store/form/inventory.ts';
import { tableOf } from '../../shared/store/form/table.ts';
import { agree, readInventory, replaceInventory } from '../../shared/store/write/stored-inventory.ts';

/**
 * Makes the inventories of tables agree with this release. `created`: the resources with a new table. Returns a sentence
 * for each attribute of items that no field shows: people who rename a field may forget `was`.
 *
 * @throws Error with a sentence for each fault, if this release cannot read stored items
 */
export async function agreeWithTables(
  registry: readonly Resource[],
  created: ReadonlySet<string>,
): Promise<string[]> {
  const stored = new Map<string, StoredShape>();
  for (const resource of registry) {
    const inventory = await readInventory(resource);
    if (inventory) stored.set(resource.name, { ...inventory, version: inventory.complete.version });
    else if (!created.has(resource.name) && (await hasItems(resource)))
      await replaceInventory(resource, undefined, unknown(resource));
  }
  refuseUnreadable(registry, (name) => stored.get(name));
  for (const resource of registry) await agree(resource);
  return registry.flatMap((resource) => unshown(resource, stored.get(resource.name)));
}

const unshown = ({ name, description }: Resource, stored: StoredShape | undefined): string[] => {
  const shown = description ? kindsOf(description) : {};
  return Object.entries(stored?.fields ?? {})
    .filter(([attribute]) => !(attribute in shown))
    .map(([attribute, kind]) => {
      const remedy =
        kind === 'binary'
          ? 'A binary field cannot have another name'
          : `If another field replaces it, say was: '${attribute}' there`;
      return `Items of ${name} have '${attribute}', and no field shows it. ${remedy}.`;
    });
};

/** The inventory of a table with items of a release before inventories: only the list by identifier has all of them. */
function unknown(resource: Resource): Inventory {
  const form = formOf(resource);
  const [byIdentifier] = tableOf(resource).indexes;
  const complete = { ...form.form, version: 1, indexes: byIdentifier ? [byIdentifier.name] : [], unique: [] };
  return { ...newInventory({ ...form, shards: DEFAULT_SHARDS }), complete };
}

async function hasItems({ name }: Resource): Promise<boolean> {
  const scan = new ScanCommand({ TableName: config.tableName(name), Limit: 1 });
  return ((await dynamoDb().send(scan)).Items ?? []).length > 0;
}

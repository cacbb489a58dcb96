import type { Resource } from '../../shared/resource/resource.ts';
import { formOf, type Inventory } from '../../shared/store/form/inventory.ts';
import { readInventory } from '../../shared/store/write/stored-inventory.ts';

/** Prints what the items of each table have, and what they lack. Returns the names of the resources that need a backfill. */
export async function state(
  resources: readonly Resource[],
  report: (line: string) => void,
): Promise<readonly string[]> {
  const found = await Promise.all(resources.map((one) => readInventory(one)));
  return resources.flatMap((resource, at) => {
    const inventory = found[at];
    const lacks = inventory ? lackOf(resource, inventory) : [];
    report(`${resource.name}: ${inventory ? describe(inventory) : 'no inventory: no item was written'}`);
    for (const one of lacks) report(`  lacks ${one}`);
    return lacks.length > 0 ? [resource.name] : [];
  });
}

const describe = ({ complete, latest, shards }: Inventory): string =>
  `items of version ${[...new Set([complete.version, latest])].join(' to ')}, ${shards} partitions, ` +
  `${complete.indexes.length} complete indexes`;

/** Returns what this release writes and not all items have. */
function lackOf(resource: Resource, { complete }: Inventory): string[] {
  const { form } = formOf(resource);
  return [
    ...(complete.version < form.version ? [`version ${form.version}`] : []),
    ...form.indexes.filter((name) => !complete.indexes.includes(name)).map((name) => `keys of ${name}`),
    ...form.unique
      .filter((name) => !complete.unique.includes(name))
      .map((name) => (name.startsWith('at most') ? name : `unique ${name}`)),
  ];
}

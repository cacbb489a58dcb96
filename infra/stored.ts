import { readFileSync } from 'node:fs';
import type { Resource } from '../shared/resource/resource.ts';

/** What deployed tables hold: the sortable fields of each resource whose index holds every item. */
export type Released = Readonly<Record<string, { readonly sortable: readonly string[] }>>;

const RELEASED = JSON.parse(
  readFileSync(new URL('../docs/stored.released.json', import.meta.url), 'utf8'),
) as Released;

/**
 * The orders that no complete index serves, as `members.email`. A field became sortable after the table had items, so
 * the index holds only the items written since. A resource without an entry has a new table with complete indexes.
 *
 * Source: Amazon DynamoDB Developer Guide, "Take advantage of sparse indexes".
 * @throws Error if an entry names a field that is not sortable any more: its keys would be stale if it came back
 */
export function incompleteOrders(
  registry: readonly Pick<Resource, 'name' | 'sortable'>[],
  released: Released = RELEASED,
): string[] {
  return registry.flatMap(({ name, sortable }) => {
    const complete = released[name]?.sortable ?? sortable;
    const gone = complete.filter((field) => !sortable.includes(field));
    if (gone.length > 0) {
      throw new Error(
        `docs/stored.released.json says that ${name} is sortable by ${gone.join(', ')}, but its definition does not: ` +
          'delete the entry, because new items get no sort key for it',
      );
    }
    return sortable.filter((field) => !complete.includes(field)).map((field) => `${name}.${field}`);
  });
}

/** The environment variable that makes functions sort these lists by reading; nothing if every index is complete. */
export function ordersVariable(
  registry: readonly Pick<Resource, 'name' | 'sortable'>[],
): Record<string, string> {
  const orders = incompleteOrders(registry);
  return orders.length === 0 ? {} : { ORDERS_BY_READING: orders.join(' ') };
}

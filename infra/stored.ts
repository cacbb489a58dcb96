import { readFileSync } from 'node:fs';
import { attributeOf, earlierFormOf } from '../shared/resource/description/fields.ts';
import type { Resource } from '../shared/resource/resource.ts';

/**
 * What deployed tables hold. `sortable`: the attributes of a resource whose index holds every item. `schema`: every
 * item has at least this version of the description.
 */
export type Released = Readonly<
  Record<string, { readonly sortable: readonly string[]; readonly schema: number }>
>;

type Ordered = Pick<Resource, 'name' | 'sortable' | 'description'>;

const RELEASED = JSON.parse(
  readFileSync(new URL('../docs/stored.released.json', import.meta.url), 'utf8'),
) as Released;

/**
 * The orders that no complete index serves, as `members.email`. A field became sortable after the table had items, so
 * the index holds only the items written since. If items have an earlier form of the field, the index has keys of both
 * forms. A resource without an entry has a new table with complete indexes.
 *
 * Source: Amazon DynamoDB Developer Guide, "Take advantage of sparse indexes".
 * @throws Error if an entry names a field that is not sortable any more: its keys would be stale if it came back
 */
export function incompleteOrders(registry: readonly Ordered[], released: Released = RELEASED): string[] {
  return registry.flatMap(({ name, sortable, description }) => {
    const fields = description?.fields ?? {};
    const attributes = sortable.map((field) => attributeOf({ fields }, field));
    const { sortable: complete, schema } = released[name] ?? { sortable: attributes, schema: Infinity };
    const gone = complete.filter((attribute) => !attributes.includes(attribute));
    if (gone.length > 0) {
      throw new Error(
        `docs/stored.released.json says that ${name} is sortable by ${gone.join(', ')}, but its definition does not: ` +
          'delete the entry, because new items get no sort key for it',
      );
    }
    const isComplete = (field: string) =>
      complete.includes(attributeOf({ fields }, field)) &&
      schema >= (earlierFormOf(fields[field])?.before ?? 0);
    return sortable.filter((field) => !isComplete(field)).map((field) => `${name}.${field}`);
  });
}

/** The environment variable that makes functions sort these lists by reading; nothing if every index is complete. */
export function ordersVariable(registry: readonly Ordered[]): Record<string, string> {
  const orders = incompleteOrders(registry);
  return orders.length === 0 ? {} : { ORDERS_BY_READING: orders.join(' ') };
}

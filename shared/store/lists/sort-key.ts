import { type Description, type Field, isOpenName } from '../../resource/description/description.ts';
import type { Item } from '../../resource/item.ts';
import { kindOf } from '../../resource/kinds/kinds.ts';
import { propertyOf } from '../../resource/lists/filter.ts';
import type { SortKey } from '../../resource/lists/page.ts';
import { composedKey } from '../form/sort-key.ts';

/** True if a field has texts only. */
const isText = (field: Field | undefined): boolean =>
  field !== undefined && field.kind !== 'any' && kindOf(field).attribute === 'text';

/**
 * Returns the bytes that sort an item in a sort order, in the direction of its last key. For one key they are the bytes
 * of the index, so a walk can continue when an index takes over.
 */
export function sortKeyOf(description: Description, sortOrder: readonly SortKey[], item: Item): Uint8Array {
  const { identifier, fields } = description;
  const last = sortOrder.at(-1)?.descending;
  const keys = sortOrder.filter(({ field }) => field !== identifier.name);
  const parts = keys.map(({ field, descending }) => ({
    value: propertyOf(description, item, field),
    isText: Object.hasOwn(fields, field) && isText(fields[field]),
    reversed: descending !== last,
  }));
  return composedKey(parts, item.id);
}

/**
 * Returns the keys of the items of a list that is sorted by reading. `unknown`: the undeclared properties in its order
 * that no item has that got a key.
 */
export function keysOf(description: Description, sortOrder: readonly SortKey[]) {
  const unknown = new Set(sortOrder.flatMap(({ field }) => (isOpenName(description, field) ? [field] : [])));
  const keyOf = (item: Item) => {
    for (const name of unknown) if (Object.hasOwn(item.values, name)) unknown.delete(name);
    return { key: sortKeyOf(description, sortOrder, item), id: item.id };
  };
  return { keyOf, unknown };
}

import type { Action } from '../shared/resource/actions/action.ts';
import { foundItem, listed, missing } from '../shared/resource/actions/outcome.ts';
import { capitalize } from '../shared/resource/description/fields.ts';
import { matches, propertyOf } from '../shared/resource/lists/filter.ts';
import type { Resource } from '../shared/resource/resource.ts';
import type { Route } from '../shared/resource/route.ts';
import type { OnItem } from '../shared/resource/styles/action-endpoints.ts';
import { relatedItem, relatedList } from '../shared/resource/styles/nested.ts';
import { missingItem } from '../shared/store/actions/item-actions.ts';
import { itemsOf } from '../shared/store/items/items.ts';
import { readNumber } from '../shared/store/items/references.ts';
import { singularOf } from './definition.ts';

/** A path of a resource below the items of another one, such as `/orders/{id}/customer`. */
export interface Below {
  /** The resource whose items have the reference. */
  readonly table: string;
  readonly routes: (resource: Resource) => Route[];
}

/** The reference of the other items: `key` is the name of their identifier, `field` that of the reference. */
interface Referring {
  readonly key?: string;
  readonly field: string;
}

/**
 * Returns the item to which an item of another resource refers, at `/{from}/{id}/{singular}`. `from`: the name of the
 * other resource, because its file imports this one.
 */
export const itemOf = (from: string, { key = 'id', field }: Referring): Below => ({
  table: from,
  routes: (resource) =>
    relatedItem(
      `/${from}/{id}/${singular(resource)}`,
      { resource: from, field },
      readReferred(resource, { resource: from, key }, field),
    ),
});

/**
 * The same item as a list of one, at `/{from}/{id}/{plural}`. The list has the identifier of an item that is gone.
 */
export const listOf = (from: string, { key = 'id', field }: Referring): Below => ({
  table: from,
  routes: (resource) =>
    relatedList(
      `/${from}/{id}/${resource.name}`,
      { resource: from, field },
      listReferred(resource, { resource: from, key }, field),
    ),
});

interface Table {
  readonly resource: string;
  readonly key: string;
}

const singular = ({ name, description }: Resource): string => description?.singular ?? name;

/**
 * Reads the related item. Missing if the other item does not exist, has no reference, or refers to a removed item. The
 * outcome leads to the versions of a removed one.
 */
function readReferred(resource: Resource, from: Table, field: string): OnItem {
  const other = singularOf(from.resource);
  const own = singular(resource);
  return async ({ caller, id }) => {
    const referred = await readNumber(from, id, field);
    if (referred === undefined) return missing(`There is no ${other} ${id}`);
    if (referred === null) return missing(`${capitalize(other)} ${id} has no ${own}`);
    const referredId = referred.toNumber();
    const item = await itemsOf(resource, caller).get(referredId);
    return item
      ? foundItem(item, `/${resource.name}/${item.id}`)
      : missingItem(resource, { caller, id: referredId }, `The ${own} of this ${other} was deleted`);
  };
}

/** Lists the related item. An item that is gone has no property but its identifier. */
function listReferred(resource: Resource, from: Table, field: string): Action<'listBelow'> {
  const { description } = resource;
  if (!description) throw new Error(`${resource.name} has no items`);
  return async ({ caller, id: otherId, page: { limit, offset, filters, count } }) => {
    const referred = await readNumber(from, otherId, field);
    if (referred === undefined) return missing(`There is no ${singularOf(from.resource)} ${otherId}`);
    if (referred === null) return listed({ items: [], ...(count ? { total: 0 } : {}) });
    const id = referred.toNumber();
    const item = await itemsOf(resource, caller).get(id);
    const shown = (name: string) =>
      item ? propertyOf(description, item, name) : name === description.identifier.name ? id : undefined;
    const isChosen = filters.every((filter) => matches(filter, shown(filter.field)));
    const all = isChosen ? [item ?? { gone: id }] : [];
    const total = count ? { total: all.length } : {};
    return listed({ items: all.slice(offset, offset + limit), ...total });
  };
}

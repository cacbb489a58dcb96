import type { Action } from '../../shared/resource/actions/action.ts';
import { listed, missing } from '../../shared/resource/actions/outcome.ts';
import { matches, propertyOf } from '../../shared/resource/lists/filter.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { readNumber } from '../../shared/store/references.ts';
import { description } from './fields.ts';

const ORDERS = { resource: 'orders', key: 'orderId' };

/** Lists the product of an order. The list has the identifier of a deleted product. */
export function productOfOrder(products: Resource): Action<'listBelow'> {
  return async ({ caller, id: orderId, page: { limit, offset, filters, count } }) => {
    const productId = await readNumber(ORDERS, orderId, 'productId');
    if (!productId) return missing(`There is no order ${orderId}`);
    const id = productId.toNumber();
    const product = await itemsOf(products, caller).get(id);
    // An item that is gone has no property but its identifier.
    const shown = (field: string) =>
      product ? propertyOf(description, product, field) : field === 'id' ? id : undefined;
    const isChosen = filters.every((filter) => matches(filter, shown(filter.field)));
    const all = isChosen ? [product ?? { gone: id }] : [];
    const total = count ? { total: all.length } : {};
    return listed({ items: all.slice(offset, offset + limit), ...total });
  };
}

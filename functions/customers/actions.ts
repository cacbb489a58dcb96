import { foundItem, missing } from '../../shared/resource/actions/outcome.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { OnItem } from '../../shared/resource/styles/named-action.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { readNumber } from '../../shared/store/references.ts';

const ORDERS = { resource: 'orders', key: 'orderId' };

/** Reads the customer of an order. Missing if the order does not exist, has no customer, or has a deleted one. */
export function customerOfOrder(customers: Resource): OnItem {
  return async ({ caller, id }) => {
    const customerId = await readNumber(ORDERS, id, 'customerId');
    if (customerId === undefined) return missing(`There is no order ${id}`);
    if (customerId === null) return missing(`Order ${id} has no customer`);
    const customer = await itemsOf(customers, caller).get(customerId.toNumber());
    return customer
      ? foundItem(customer, `/customers/${customer.id}`)
      : missing('The customer of this order was deleted');
  };
}

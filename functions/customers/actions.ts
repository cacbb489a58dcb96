import type { Action } from '../../shared/resource/action.ts';
import { foundItem, missing } from '../../shared/resource/outcome.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { Items } from '../../shared/store/items.ts';
import { numberOf } from '../../shared/store/neighbour.ts';

const ORDERS = { resource: 'orders', key: 'orderId' };

/** The customer that an order belongs to; missing when there is no such order, or its customer is gone. */
export function customerOfOrder(customers: Resource): Action {
  const items = new Items(customers);
  return async ({ parameters }) => {
    const customerId = await numberOf(ORDERS, parameters.id as number, 'customerId');
    if (customerId === undefined) return missing(`There is no order ${parameters.id}`);
    if (customerId === null) return missing(`Order ${parameters.id} has no customer`);
    const customer = await items.get(customerId.toNumber());
    return customer ? foundItem(customer, `/customers/${customer.id}`) : missing('The customer is gone');
  };
}

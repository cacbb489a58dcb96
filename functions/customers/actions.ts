import type { Action } from '../../shared/resource/actions/action.ts';
import { done, foundItem, missing, refused } from '../../shared/resource/actions/outcome.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { answerWrites } from '../../shared/store/idempotency/answers.ts';
import { conflictOutcome, expectedVersion } from '../../shared/store/item-actions.ts';
import { Items } from '../../shared/store/items/items.ts';
import { readNumber } from '../../shared/store/references.ts';

const ORDERS = { resource: 'orders', key: 'orderId' };

/** The internal field with the number of a customer's orders that are paid or placed. */
export const ACTIVE_ORDERS = 'engaged';
/** The message when the service refuses to remove a customer. */
export const HAS_ACTIVE_ORDERS = 'Orders of this customer are paid or placed: complete or cancel them first';

/** Reads the customer of an order. Missing if the order does not exist, has no customer, or has a deleted one. */
export function customerOfOrder(customers: Resource): Action<'id'> {
  const items = new Items(customers);
  return async ({ id }) => {
    const customerId = await readNumber(ORDERS, id, 'customerId');
    if (customerId === undefined) return missing(`There is no order ${id}`);
    if (customerId === null) return missing(`Order ${id} has no customer`);
    const customer = await items.get(customerId.toNumber());
    return customer
      ? foundItem(customer, `/customers/${customer.id}`)
      : missing('The customer of this order was deleted');
  };
}

/** Removes a customer. Refuses if orders of this customer are paid or placed. Source: Specification 8.4. */
export function removal(customers: Resource): Action<'id'> {
  const items = new Items(customers);
  return async (input) => {
    const { id, idempotency, now } = input;
    const answers = idempotency && (await answerWrites(idempotency, done, now));
    const unused = ACTIVE_ORDERS;
    const version = expectedVersion(input);
    const result = await items.remove(id, { version, answers, unused });
    if (result.kind === 'removed') return done;
    if (result.kind !== 'used') return conflictOutcome(result);
    return refused('conflict', HAS_ACTIVE_ORDERS);
  };
}

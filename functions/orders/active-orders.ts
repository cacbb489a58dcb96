import type { JsonObject } from '../../shared/json/value.ts';
import type { Companion } from '../../shared/store/items/items.ts';
import { counterUpdate } from '../../shared/store/references.ts';

export const CUSTOMERS = { resource: 'customers', key: 'id' };

/** The internal field of a customer with the number of active orders. */
const ACTIVE_ORDERS = 'engaged';
const ACTIVE_STATES: readonly unknown[] = ['paid', 'placed'];

const customerOf = (values: JsonObject | undefined): number | undefined =>
  values && ACTIVE_STATES.includes(values.status) ? (values.customerId as number | undefined) : undefined;

/**
 * The updates of customers in the transaction that changes an order. They keep the number of paid or placed orders of
 * each customer, because the service refuses to remove a customer with such orders. `before` is undefined for a new
 * order, `after` for a removed one. If the customer was deleted, `writeSkippingMissing` leaves the update out.
 */
export const activeOrderUpdate = (
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Companion[] => activeOrderUpdates([{ before, after }]);

/** The same for several orders in one transaction, with one update for each customer. */
export function activeOrderUpdates(
  changes: readonly { readonly before?: JsonObject; readonly after?: JsonObject }[],
): Companion[] {
  const counts = new Map<number, number>();
  const count = (order: JsonObject | undefined, by: number) => {
    const customer = customerOf(order);
    if (customer !== undefined) counts.set(customer, (counts.get(customer) ?? 0) + by);
  };
  for (const { before, after } of changes) {
    count(before, -1);
    count(after, 1);
  }
  return [...counts].flatMap(([customer, by]) =>
    by === 0 ? [] : [counterUpdate(CUSTOMERS, customer, ACTIVE_ORDERS, by)],
  );
}

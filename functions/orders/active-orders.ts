import type { JsonObject } from '../../shared/json/value.ts';
import type { Companion } from '../../shared/store/items/items.ts';
import { counterUpdate } from '../../shared/store/references.ts';

export const CUSTOMERS = { resource: 'customers', key: 'id' };

/** The count that customers keep of their orders under way. */
const ACTIVE_ORDERS = 'engaged';
const UNDER_WAY: readonly unknown[] = ['paid', 'placed'];

const customerOf = (values: JsonObject | undefined): number | undefined =>
  values && UNDER_WAY.includes(values.status) ? (values.customerId as number | undefined) : undefined;

/**
 * What goes along with a change of an order, so that each customer knows how many of their orders are paid or placed:
 * one who has any cannot be removed. `undefined`: no order. A customer who is gone counts nothing any more, and never
 * comes back.
 */
export const activeOrderUpdate = (
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Companion[] => activeOrderUpdates([{ before, after }]);

/** The same for several orders at once: each customer's count changes once. */
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

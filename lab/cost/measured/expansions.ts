import type { Counter } from './count.ts';
import type { MeteredRequest } from './metered.ts';
import { idAt, itemsOf, orderValues, seed } from './seed.ts';

/** The number of the first item of each resource. Others have lower numbers. */
const FIRST = 1000;
const EXPANDED = 25;

/** Counts expansions. It removes the products, because the lists of the most expensive requests follow. */
export async function countExpansions(
  counter: Counter,
  count: (name: string, status: number, sent: MeteredRequest) => Promise<unknown>,
  orders: (query: Record<string, string[]>) => MeteredRequest,
): Promise<void> {
  await seed('customers', EXPANDED, (at) => ({ name: `Customer ${at}` }), FIRST);
  await seed('products', EXPANDED, (at) => ({ name: `Product ${at}` }), FIRST);
  const related = (at: number) => ({ ...orderValues(at), customerId: idAt(at), productId: idAt(at) });
  await seed('orders', EXPANDED, related, FIRST);
  await counter.finished();
  const latest = { limit: [String(EXPANDED)], sort: ['-orderId'] };
  await count('GET list, 25 orders, `expand=customer`', 200, orders({ ...latest, expand: ['customer'] }));
  await count('GET order, `expand=customer,products`', 200, {
    ...orders({ expand: ['customer,products'] }),
    template: '/orders/{id}',
    parameters: { id: String(idAt(FIRST)) },
  });
  const products = itemsOf('products');
  for (let at = FIRST; at < FIRST + EXPANDED; at += 1) await products.remove(idAt(at));
  await counter.finished();
}

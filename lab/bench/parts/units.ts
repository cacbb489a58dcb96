/** Counts the units that DynamoDB bills for the pages of a list. */

import { measureCalls, send } from '../../cost/measured/metered.ts';
import { idAt, orderValues, seed } from '../../cost/measured/seed.ts';
import { table } from '../../table.ts';

const round = (value: number) => String(Math.round(value * 100) / 100);

function shown(calls: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(call, (counts.get(call) ?? 0) + 1);
  return [...counts].map(([call, count]) => (count === 1 ? call : `${count} × ${call}`)).join(', ') || 'none';
}

/** The customers of the orders. */
const CUSTOMERS = 25;

const valuesOf = (at: number) => ({
  ...orderValues(at),
  status: Math.floor(at / 7) % 40 === 0 ? 'paid' : 'created',
  customerId: idAt(at % CUSTOMERS),
});

/** Capacity units of a page of 25 items: at several depths, filtered, sorted by reading and expanded. */
async function perPage(sizes: readonly number[]): Promise<string> {
  await seed('customers', CUSTOMERS, (at) => ({ name: `Customer ${at}` }));
  const ids = Array.from({ length: 25 }, (_, at) => String(idAt(at)));
  const rows: string[][] = [];
  let before = 0;
  for (const size of sizes) {
    await seed('orders', size - before, valuesOf, before);
    before = size;
    const page = (query: Record<string, string[]>) =>
      send({ resource: 'orders', template: '/orders', query: { limit: ['25'], ...query } });
    const show = async (name: string, query: Record<string, string[]>) => {
      const { seen: used, body, statusCode } = await page(query);
      const shownItems = (JSON.parse(body) as { items?: unknown[] }).items?.length;
      rows.push([
        String(size),
        name,
        shownItems === undefined ? String(statusCode) : `${statusCode}, ${shownItems} items`,
        shown(used.calls),
        round(used.read),
      ]);
      return body;
    };
    await show('offset 0', {});
    await show('offset 0, sort=-orderValue', { sort: ['-orderValue'] });
    const deep = await show(`offset ${Math.min(size - 100, 1000)}`, {
      offset: [String(Math.min(size - 100, 1000))],
    });
    const { links } = JSON.parse(deep) as { links: { rel: string; href: string }[] };
    const next = new URL(links.find(({ rel }) => rel === 'next')?.href ?? '', 'http://local').searchParams;
    await show('the page after it, by cursor', {
      offset: [next.get('offset') ?? ''],
      after: [next.get('after') ?? ''],
    });
    await show('minCost=50000', { minCost: ['50000'] });
    await show('productId=7, by an index', { productId: ['7'] });
    await show('status=paid (one of 40), by reading', { status: ['paid'] });
    await show('sort=updatedAt, by reading', { sort: ['updatedAt'] });
    await show('expand=customer', { expand: ['customer'] });
    await show('id= with 25 identifiers', { id: ids });
  }
  return table(['orders', 'page of 25', 'answer', 'operations', 'read units'], rows);
}

/** Measures all capacity units on new engines in a temporary folder. */
export const units = (sizes: readonly number[]): Promise<string> => measureCalls(() => perPage(sizes));

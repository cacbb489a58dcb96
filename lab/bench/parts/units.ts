import { registry } from '../../../functions/registry.ts';
import { Decimal } from '../../../shared/json/decimal.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { Items } from '../../../shared/store/items/items.ts';
import { table } from '../table.ts';
import { metered, type Sent, send } from './metered.ts';

const resourceOf = (name: string) => registry.find((one) => one.name === name) as Resource;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const round = (value: number) => String(Math.round(value * 100) / 100);

function shown(calls: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(call, (counts.get(call) ?? 0) + 1);
  return [...counts].map(([call, count]) => (count === 1 ? call : `${count} × ${call}`)).join(', ') || 'none';
}

/** Operations and capacity units of each kind of request, on the embedded engines. */
async function perRequest(): Promise<string> {
  const member = await send({
    resource: 'members',
    method: 'POST',
    template: '/members',
    headers: JSON_TYPE,
    body: '{"name":"Ada","age":36}',
  });
  const { id } = JSON.parse(member.body) as { id: number };
  const customer = await send({
    resource: 'customers',
    method: 'POST',
    template: '/customers',
    headers: JSON_TYPE,
    body: '{"name":"Acme"}',
  });
  const customerId = (JSON.parse(customer.body) as { id: number }).id;
  const item = { resource: 'members', template: '/members/{id}', parameters: { id: String(id) } };
  const file = { resource: 'files', template: '/files/{filename}', parameters: { filename: 'bench.bin' } };
  const keyed = {
    resource: 'members',
    method: 'POST',
    template: '/members',
    headers: { ...JSON_TYPE, 'Idempotency-Key': 'bench' },
    body: '{"name":"Ada","age":36}',
  };
  const requests: readonly (readonly [string, Sent])[] = [
    [
      'POST /members',
      {
        resource: 'members',
        method: 'POST',
        template: '/members',
        headers: JSON_TYPE,
        body: '{"name":"Ada","age":36}',
      },
    ],
    ['POST /members, Idempotency-Key', keyed],
    ['POST /members, replayed', keyed],
    ['GET /members/{id}', item],
    ['GET /members/{id}, If-None-Match (304)', { ...item, headers: { 'If-None-Match': '"1.2-json"' } }],
    ['PUT /members/{id}', { ...item, method: 'PUT', headers: JSON_TYPE, body: '{"name":"Ada","age":37}' }],
    [
      'PUT /members/{id}, If-Match',
      { ...item, method: 'PUT', headers: { ...JSON_TYPE, 'If-Match': '*' }, body: '{"name":"Ada","age":37}' },
    ],
    ['PATCH /members/{id}, one field', { ...item, method: 'PATCH', headers: MERGE, body: '{"age":38}' }],
    ['PATCH /members/{id}, no change', { ...item, method: 'PATCH', headers: MERGE, body: '{"age":38}' }],
    [
      'PATCH /members/{id}, Idempotency-Key',
      { ...item, method: 'PATCH', headers: { ...MERGE, 'Idempotency-Key': 'bench' }, body: '{"age":39}' },
    ],
    ['405', { resource: 'customers', method: 'POST', template: '/customers/{id}', parameters: { id: '1' } }],
    ['406', { ...item, headers: { Accept: 'image/png' } }],
    ['415', { ...item, method: 'PATCH', headers: JSON_TYPE, body: '{}' }],
    ['400, malformed', { ...item, method: 'PUT', headers: JSON_TYPE, body: '{' }],
    ['DELETE /members/{id}', { ...item, method: 'DELETE' }],
    [
      'POST /orders with a value',
      {
        resource: 'orders',
        method: 'POST',
        template: '/orders',
        headers: JSON_TYPE,
        body: '{"productId":1,"orderValue":9.9}',
      },
    ],
    [
      'POST /customers/{id}/orders',
      {
        resource: 'orders',
        method: 'POST',
        template: '/customers/{id}/orders',
        parameters: { id: String(customerId) },
        headers: JSON_TYPE,
        body: '{"productId":1,"orderValue":9.9}',
      },
    ],
    ['PUT /files/{filename}', { ...file, method: 'PUT', body: 'bytes' }],
    ['GET /files/{filename}', file],
    ['GET /files/{filename}, Range', { ...file, headers: { Range: 'bytes=0-1' } }],
    ['DELETE /files/{filename}', { ...file, method: 'DELETE' }],
  ];
  const rows: string[][] = [];
  for (const [name, sent] of requests) {
    const { statusCode, seen: used } = await send(sent);
    rows.push([name, String(statusCode), shown(used.calls), round(used.read), round(used.write)]);
  }
  return table(['request', 'status', 'operations', 'read units', 'write units'], rows);
}

/** The customers of the orders. Their identifiers are 1 to this. */
const CUSTOMERS = 25;

/** Capacity units of a page of 25 items: at several depths, filtered, sorted by reading and expanded. */
async function perPage(sizes: readonly number[]): Promise<string> {
  const orders = resourceOf('orders');
  const items = new Items(orders);
  const customers = new Items(resourceOf('customers'));
  for (let id = 1; id <= CUSTOMERS; id += 1) {
    const values = { name: `Customer ${id}` };
    await customers.insert({ id, version: 1, createdAt: id, updatedAt: id, values, internal: {} });
  }
  const ids: string[] = [];
  const rows: string[][] = [];
  let size = 0;
  for (const wanted of sizes) {
    for (; size < wanted; size += 1) {
      const now = Date.UTC(2026, 5, 1) + size;
      const id = (now - Date.UTC(2026, 0, 1)) * 4096 + (size % 4096);
      const orderValue = Decimal.parse(`${(size * 7919) % 100_000}.${size % 100}`) as Decimal;
      const status = Math.floor(size / 7) % 40 === 0 ? 'paid' : 'created';
      const customerId = 1 + (size % CUSTOMERS);
      const values = { productId: size % 50, quantity: 1 + (size % 9), orderValue, status, customerId };
      if (ids.length < 25) ids.push(String(id));
      await items.insert({ id, version: 1, createdAt: now, updatedAt: now, values, internal: {} });
    }
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
export const units = (sizes: readonly number[]): Promise<{ requests: string; pages: string }> =>
  metered(async () => ({ requests: await perRequest(), pages: await perPage(sizes) }));

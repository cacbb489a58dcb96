import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Client, clientOf } from '../../support/client/client.ts';
import { run } from '../../support/service/service.ts';

const ORDERS = ['orders.orderValue', 'orders.quantity', 'customers.name', 'files.size', 'files.createdAt'];
const VALUES = [10, 9.9, 0.1, 0, 100, 99.99, 9.9, 1e-9, 999999999999999, 12.5];
const NAMES = ['b', 'a', '', 'Ä', 'B', 'aa', '😀', 'a', 'é'];

/** Every page of a list: first along next, then back along prev. */
async function walk(client: Client, first: string): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (const rel of ['next', 'prev']) {
    let href: string | undefined = rel === 'next' ? first : (pages.at(-1) as { self: string }).self;
    while (href !== undefined) {
      const body = (await client('GET', href)).json();
      pages.push({ self: href, items: body.items });
      href = body.links.find((link) => link.rel === rel)?.href;
    }
  }
  return pages;
}

/** The lists in every order and from several positions. */
async function listsOf(client: Client, customer: string): Promise<unknown> {
  const queries = [`${customer}/orders?sort=orderValue`, `${customer}/orders?sort=-orderValue`];
  queries.push(`${customer}/orders?sort=quantity`, '/orders?sort=orderValue', '/orders?minCost=9.9');
  queries.push('/customers?sort=name', '/customers?sort=-name', '/files?sort=-size', '/files?sort=createdAt');
  queries.push(`${customer}/orders?minCost=0.1&sort=-quantity`);
  const lists: unknown[] = [];
  for (const query of queries) {
    lists.push(await walk(client, `${query}&limit=3`));
    for (const more of ['limit=0', 'offset=4&limit=2', 'offset=100', 'offset=7']) {
      const { items, links } = (await client('GET', `${query}&${more}`)).json();
      lists.push({ items, links });
    }
    const counted = await client('GET', query, { headers: { Prefer: 'count=exact' } });
    lists.push(counted.json().total);
  }
  return lists;
}

// Specification 4.5, 4.7, 4.9, 13.2
test('a list that is sorted by reading shows the same pages as one that is sorted by its index', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'resource-api-reading-'));
  try {
    const indexed = await run({ directory });
    const client = clientOf(indexed.url ?? '');
    for (const name of NAMES) await client('POST', '/customers', { json: name ? { name } : { other: 1 } });
    const customer = (await client('POST', '/customers', { json: { name: 'c' } })).headers.location ?? '';
    for (const [at, orderValue] of VALUES.entries()) {
      const json = { productId: 1, orderValue, quantity: 1 + (at % 3) };
      await client('POST', `${customer}/orders`, { json });
      await client('PUT', `/files/file-${(at * 7) % 10}`, { body: 'x'.repeat((at * 3) % 7) });
    }
    const before = await listsOf(client, customer);
    await indexed.stop();

    const environment = { ORDERS_BY_READING: ORDERS.join(' ') };
    const reading = await run({ directory, environment });
    expect(await listsOf(clientOf(reading.url ?? ''), customer)).toEqual(before);
    await reading.stop();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}, 60_000);

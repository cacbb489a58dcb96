import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { ended, operationOf } from '../../support/client/operation.ts';
import { create, get, send, underTest } from '../../support/service/under-test.ts';
import { all, items, LENIENT, post, put } from './requests.ts';

// Specification 9.3 to 9.6: a transaction has 4 MB. The engine refuses more, as DynamoDB does.
underTest();

/** Bytes of the most that one request may send. */
const MOST_SENT = 900_000;
/** Bytes that an order has beside its note. */
const REST = 100;

/** Creates orders with notes of these bytes below a new customer. Returns the path of their list, and their numbers. */
async function ordersOf(sizes: readonly number[]): Promise<{ path: string; ids: number[] }> {
  const customer = await create('/customers', { name: 'large' });
  const path = `${customer.path}/orders`;
  const ids: number[] = [];
  for (let left = sizes; left.length > 0; ) {
    let bytes = 0;
    const end = left.findIndex((size) => {
      bytes += size;
      return bytes > MOST_SENT;
    });
    const count = end < 0 ? left.length : Math.max(end, 1);
    const orders = left.slice(0, count).map((size) => ({
      productId: 1,
      orderValue: 1,
      note: 'x'.repeat(Math.max(size - REST, 0)),
    }));
    const made = await post(path, orders);
    const list = made.status === 202 ? await all(path) : items(made);
    expect(made.status).toBe(201);
    ids.push(...list.map(({ orderId }) => orderId));
    left = left.slice(count);
  }
  return { path, ids };
}

const several = (count: number, size: number): number[] => Array.from({ length: count }, () => size);
const LIMIT = 256 * 1024;

/** Sizes around the limits of a transaction: 100 parts and 4 MB, and half of them for a removal with its version. */
const MIXES: Readonly<Record<string, readonly number[]>> = {
  '8 as large as an item can be': several(8, LIMIT),
  '50 of 45 KB': several(50, 45_000),
  '16 of 250 KB': several(16, 250_000),
  '2 large ones among 60 small ones': [...several(30, 1000), LIMIT, ...several(28, 1000), LIMIT],
};

/** The progress of an operation after its end; undefined for a request that was done at once. */
async function progressOf(answer: Answer): Promise<{ done: number; failed: number } | undefined> {
  if (answer.status !== 202) {
    expect([200, 201, 204, 207]).toContain(answer.status);
    return undefined;
  }
  const operation = operationOf(await ended(answer));
  expect([operation.status, operation.error]).toEqual(['Succeeded', undefined]);
  return operation.progress as { done: number; failed: number };
}

test.each(Object.entries(MIXES))('a list is removed with its items: %s', async (_, sizes) => {
  const { path } = await ordersOf(sizes);
  const progress = await progressOf(await send('DELETE', path));
  if (progress) expect(progress).toMatchObject({ done: sizes.length, failed: 0 });
  expect(await all(path)).toEqual([]);
});

const WAYS = {
  'at once': {},
  leniently: LENIENT,
  'as an operation': { Prefer: 'respond-async' },
  'leniently as an operation': { Prefer: 'respond-async, handling=lenient' },
};

describe.each(Object.entries(MIXES).slice(-2))('orders: %s', (_, sizes) => {
  test.each(Object.entries(WAYS))('are replaced by small ones %s', async (_way, headers) => {
    const { path, ids } = await ordersOf(sizes);
    const sent = ids.map((orderId) => ({ orderId, productId: 2, orderValue: 2 }));
    const progress = await progressOf(await put(path, sent, headers));
    if (progress) expect(progress).toMatchObject({ done: sizes.length, failed: 0 });
    const stored = await all(path);
    expect(stored).toHaveLength(sizes.length);
    expect(stored.filter(({ productId, note }) => productId !== 2 || note !== undefined)).toEqual([]);
  });
});

test('a removed item of a large list comes back by its kept version', async () => {
  const { path, ids } = await ordersOf(several(9, LIMIT));
  await progressOf(await send('DELETE', path));
  const [id] = ids;
  expect((await send('POST', `/orders/${id}/versions/1/restore`)).status).toBe(201);
  expect((await get(`/orders/${id}`)).json()).toMatchObject({ productId: 1 });
  expect((await send('DELETE', `/orders/${id}`)).status).toBe(204);
});

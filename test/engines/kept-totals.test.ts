import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { append, type Committed } from '../../functions/events/append.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { number, text } from '../../shared/store/form/attributes.ts';
import { formOf } from '../../shared/store/form/inventory.ts';
import { partsOfItem } from '../../shared/store/form/totals-rows.ts';
import { keptGroups } from '../../shared/store/lists/kept-totals.ts';
import { inventoryOf, replaceInventory } from '../../shared/store/write/stored-inventory.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { attached, type Call, resourceOf } from './attached.ts';

/** Loses some responses of writes, as a network does. The SDK then repeats a write that had its effect. */
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const next = randomNumbers(SEED);
let isLossy = false;
attached(async (call, pass) => {
  const answer = await pass(...call);
  if (isLossy && isWrite(call[0]) && next() < 0.05)
    throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  return answer;
});
const isWrite = (call: Call): boolean => JSON.stringify(call.headers).includes('TransactWriteItems');

const orders: Resource = {
  ...resourceOf('orders'),
  keptTotals: [{ by: ['status', 'customerId'], sum: ['orderValue', 'quantity'] }],
};
const HISTORY = { days: 30 };
const ITEMS = 60;
const STATES = ['created', 'paid', 'placed'];

/** Random changes of items, each item in order. */
function changesOf(count: number): {
  readonly all: readonly Committed[];
  readonly last: ReadonlyMap<number, Attributes>;
} {
  const last = new Map<number, Attributes>();
  const versions = new Map<number, number>();
  const all = Array.from({ length: count }, (): Committed => {
    const id = 1 + Math.floor(next() * ITEMS);
    const version = (versions.get(id) ?? 0) + 1;
    versions.set(id, version);
    const isRemoval = last.has(id) && next() < 0.2;
    const image: Attributes = {
      orderId: number(id),
      status: text(STATES[Math.floor(next() * 3)] ?? ''),
      ...(next() < 0.2 ? {} : { customerId: number(1 + Math.floor(next() * 3)) }),
      orderValue: { N: (Math.floor(next() * 10_000) / 100).toFixed(2) },
      quantity: number(Math.floor(next() * 5)),
    };
    if (isRemoval) last.delete(id);
    else last.set(id, image);
    return {
      resource: { name: 'orders', keptTotals: orders.keptTotals, history: HISTORY },
      id,
      version,
      before: undefined,
      time: version,
      event: '{}',
      image,
      adds: isRemoval ? [] : partsOfItem(orders, image),
    };
  });
  return { all, last };
}

/** The totals of items by SQLite, in hundredths. */
function judged(items: Iterable<Attributes>) {
  const judge = new DatabaseSync(':memory:');
  judge.exec('CREATE TABLE orders (status, customer, cents INTEGER, quantity INTEGER)');
  const insert = judge.prepare('INSERT INTO orders VALUES (?, ?, ?, ?)');
  for (const { status, customerId, orderValue, quantity } of items)
    insert.run(
      status?.S ?? null,
      customerId?.N ?? null,
      Math.round(Number(orderValue?.N) * 100),
      Number(quantity?.N),
    );
  const rows = judge
    .prepare(
      'SELECT status, customer, COUNT(*) AS count, SUM(cents) AS cents, SUM(quantity) AS quantity FROM orders GROUP BY 1, 2',
    )
    .all();
  judge.close();
  return rows.map((row) => ({ ...row }));
}

async function kept() {
  const found = await keptGroups(orders, { by: ['status'], sum: ['orderValue', 'quantity'], filters: [] });
  if (!found) throw new Error('The service keeps no such totals');
  const rows = new Map<string, { count: number; cents: number; quantity: number }>();
  // Each partition of the log has a part of a group.
  for (const { values, count, sum } of found.groups) {
    const row = { ...values, count: 0, cents: 0, quantity: 0, ...rows.get(JSON.stringify(values)) };
    rows.set(JSON.stringify(values), {
      count: row.count + count,
      cents: row.cents + Math.round(Number(sum.get('orderValue')?.text) * 100),
      quantity: row.quantity + Number(sum.get('quantity')?.text),
    });
  }
  return [...rows].map(([group, row]) => {
    const { status, customerId } = JSON.parse(group);
    return { status, customer: customerId === null ? null : String(customerId), ...row };
  });
}

const sorted = (rows: readonly object[]) =>
  rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();

// Specification 4.30
test(`totals are those of SQLite after repeated and late records and lost responses (SEED=${SEED})`, async () => {
  isLossy = true;
  const { all, last } = changesOf(800);
  for (let at = 0; at < all.length; ) {
    const end = Math.min(all.length, at + 1 + Math.floor(next() * 60));
    // A batch repeats with others, also at the same time, and an old one comes again after later changes.
    const begin = Math.max(0, at - Math.floor(next() * 80));
    await append(all.slice(at, end));
    await Promise.all([append(all.slice(begin, end)), append(all.slice(begin, at))]);
    at = end;
  }
  isLossy = false;
  // As long as a backfill has not counted the items, no answer uses the totals.
  await expect(kept()).rejects.toThrow('The service keeps no such totals');
  const before = await inventoryOf(orders);
  if (!before) throw new Error('The table has no inventory');
  const unique = formOf(orders).form.unique;
  await replaceInventory(orders, before, { ...before, complete: { ...before.complete, unique } });
  const expected = judged(last.values());
  expect(expected.length).toBeGreaterThan(5);
  expect(sorted(await kept())).toEqual(sorted(expected));
}, 60_000);

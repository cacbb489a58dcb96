import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Body, Client } from '../../test/support/client/client.ts';
import type { Check } from '../checks.ts';
import type { Expected, Ledger } from './ledger.ts';

/** The states in which an operation ends. */
export const FINAL = ['Succeeded', 'Failed', 'Canceled'];
/** Ms within which all operations must have ended. */
const PATIENCE_MS = 60_000;

const pathOf: Readonly<Record<string, (row: Body) => string>> = {
  '/members': ({ id }) => `/members/${id}`,
  '/customers': ({ id }) => `/customers/${id}`,
  '/products': ({ id }) => `/products/${id}`,
  '/orders': ({ orderId }) => `/orders/${orderId}`,
  '/files': ({ filename }) => `/files/${filename}`,
};

/** Checks that the service has what it acknowledged, once, and nothing else. The service had no items before. */
export async function audit(client: Client, ledger: Ledger, check: Check): Promise<void> {
  await check('every operation has ended', () => ended(client));
  for (const [collection, pathIn] of Object.entries(pathOf)) {
    await check(`${collection} has each acknowledged write once, and no other item`, async () => {
      const expected = [...ledger.items].filter(([path]) => path.startsWith(`${collection}/`));
      const present = expected.filter(([, values]) => values !== 'removed');
      assert.ok(present.length > 0, 'no client wrote');
      const rows = new Map((await walk(client, collection)).map((row) => [pathIn(row), row]));
      assert.deepEqual([...rows.keys()].sort(), present.map(([path]) => path).sort());
      for (const [path, values] of present) if (values !== 'removed') compare(path, rows.get(path), values);
    });
  }
}

function compare(path: string, row: Body | undefined, values: Expected): void {
  for (const [name, value] of Object.entries(values))
    assert.equal(row?.[name] ?? null, value, `${path}: ${name}`);
}

async function ended(client: Client): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; ; await pause(500)) {
    const pending = (await walk(client, '/operations')).filter(
      ({ status }) => !FINAL.includes(String(status)),
    );
    if (pending.length === 0) return;
    assert.ok(Date.now() < until, `${pending.length} operations have not ended`);
  }
}

/** All rows of a list. The rows of different pages are different. */
export async function walk(client: Client, collection: string): Promise<Body[]> {
  const rows: Body[] = [];
  for (
    let path: string | undefined =
      `${collection}?limit=1000&sort=${collection === '/files' ? 'filename' : 'id'}`;
    path !== undefined;
  ) {
    const answer = await client('GET', path);
    assert.equal(answer.status, 200, answer.text);
    rows.push(...answer.json().items);
    path = answer.json().links.find(({ rel }) => rel === 'next')?.href;
  }
  return rows;
}

/** Measures how soon a reader of `/changes` sees a change. */

import assert from 'node:assert/strict';
import { type Client, clientOf } from '../../../test/support/client/client.ts';
import type { Limit } from '../limits.ts';
import { npmStart } from './process.ts';

const CHANGES = 20;
/** The longest time in seconds between the response to a write and the page with its change. */
const MOST_S = 2;

/** The longest time in seconds from the response to a write until a waiting reader has its change, with `npm start`. */
export async function follow(): Promise<Limit> {
  const server = await npmStart('--empty');
  try {
    const client = clientOf(server.url);
    let next = linkOf(await client('GET', '/changes?resource=members'));
    let longest = 0;
    for (let at = 0; at < CHANGES; at += 1) {
      const reader = client('GET', next, { headers: { Prefer: 'wait=20' } }).then((page) => ({
        page,
        time: performance.now(),
      }));
      assert.equal((await client('POST', '/members', { json: { name: `Ada ${at}` } })).status, 201);
      const written = performance.now();
      const { page, time } = await reader;
      assert.equal(page.json().items.length, 1);
      longest = Math.max(longest, time - written);
      next = linkOf(page);
    }
    return { what: 'npm start: seconds until a reader sees a change', value: longest / 1000, most: MOST_S };
  } finally {
    await server.stop();
  }
}

const linkOf = (page: Awaited<ReturnType<Client>>): string =>
  String(page.json().links.find(({ rel }) => rel === 'next')?.href);

/** Measures the memory of `npm start` during many requests. */

import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { clientOf } from '../../../test/support/client/client.ts';
import type { Limit } from '../limits.ts';
import { load } from './load.ts';
import { type MeasuredServer, npmStart } from './process.ts';

/** The largest resident memory in MB after all requests. */
const MAXIMUM_MB = 200;
const ROUNDS = 5;
/** Requests of each round. All rounds together send 50,000. */
const ITEMS = 8700;
const LISTS = 1200;
const PAGES = 90;
const FILES = 5;

const MEMBER = { name: 'Ada Byron', age: 36 };

/** Resident memory of `npm start` in MB a second after 50,000 requests: items, lists, pages and files of 4 MiB. */
async function afterAll(server: MeasuredServer): Promise<number> {
  const { url } = server;
  const file = `${url}/files/four-mebibytes`;
  const body = randomBytes(4 * 1024 * 1024);
  const client = clientOf(url);
  const members = `${url}/members`;
  let item = '';
  for (let at = 0; at < 25; at += 1)
    item = (await client('POST', '/members', { json: MEMBER })).headers.location ?? '';
  for (let round = 0; round < ROUNDS; round += 1) {
    await load({ url: url + item }, { amount: ITEMS });
    await load({ url: `${members}?limit=25` }, { amount: LISTS });
    await load({ url: members, headers: { Accept: 'text/html' } }, { amount: PAGES });
    for (let at = 0; at < FILES; at += 1) {
      await (await fetch(file, { method: 'PUT', body })).arrayBuffer();
      await (await fetch(file)).arrayBuffer();
    }
  }
  // The server collects a large body some milliseconds after its response.
  await setTimeout(1000);
  return server.resident();
}

/** The memory of `npm start` after 50,000 requests. */
export async function memory(): Promise<Limit> {
  const server = await npmStart();
  try {
    const value = await afterAll(server);
    return { what: 'npm start: resident MB after 50,000 requests', value, most: MAXIMUM_MB };
  } finally {
    await server.stop();
  }
}

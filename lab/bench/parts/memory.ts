/** Measures the memory of `npm start` during many requests. */

import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { clientOf } from '../../../test/support/client/client.ts';
import { table } from '../../table.ts';
import type { Limit } from '../limits.ts';
import { load } from '../servers/load.ts';
import { npmStart, type Running } from '../servers/process.ts';

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
async function afterAll(server: Running, put: () => Promise<unknown>, get: () => Promise<unknown>) {
  const { url } = server;
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
      await put();
      await get();
    }
  }
  // The server collects a large body some milliseconds after its response.
  await setTimeout(1000);
  return server.resident();
}

/** Memory of `npm start` after 50,000 requests, and the memory that stays after requests with files of 4 MiB. */
export async function memory(): Promise<{ text: string; limits: readonly Limit[] }> {
  const server = await npmStart();
  try {
    const file = `${server.url}/files/four-mebibytes`;
    const bytes = randomBytes(4 * 1024 * 1024);
    const put = async () => (await fetch(file, { method: 'PUT', body: bytes })).arrayBuffer();
    const get = async () => (await fetch(file)).arrayBuffer();
    const resident = await afterAll(server, put, get);
    const grown = async (transfer: () => Promise<ArrayBuffer>) => {
      for (let at = 0; at < 3; at += 1) await transfer();
      const before = await server.heap();
      for (let at = 0; at < 20; at += 1) await transfer();
      return (await server.heap()) - before;
    };
    const kilobytes = (value: number) => (value / 1024).toFixed(0);
    return {
      text: table(
        ['what', 'value'],
        [
          ['resident memory a second after 50,000 requests, MB', resident.toFixed(0)],
          ['growth of heap and buffers after 20 more PUTs of 4 MiB, KB', kilobytes(await grown(put))],
          ['growth of heap and buffers after 20 more GETs of 4 MiB, KB', kilobytes(await grown(get))],
        ],
      ),
      limits: [{ what: 'npm start: resident MB after 50,000 requests', value: resident, most: MAXIMUM_MB }],
    };
  } finally {
    await server.stop();
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { receiving } from '../delivery/received.ts';
import { type Client, clientOf } from '../support/client/client.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { data } from './tool.ts';

let place: Awaited<ReturnType<typeof temporary>>;
let directory: string;
let service: Run;
let send: Client;

/** Texts that only the erased customer has. */
const SECRET = 'Zebulon Quartermaine';

let customer: string;
let orders: readonly string[];
let removed: string;
let other: string;
let operation: string;

const KEYED = { headers: { 'Idempotency-Key': '"erase-1"' }, json: { name: SECRET } };
const numberOf = (path: string) => path.split('/').at(-1) as string;

async function created(path: string, json: unknown): Promise<string> {
  const { status, headers, text } = await send('POST', path, { json });
  if (status !== 201) throw new Error(text);
  return headers.location as string;
}

/** Creates an item by an operation, waits for its end, and returns the path of the operation. */
async function deferred(path: string, json: unknown): Promise<string> {
  const { headers } = await send('POST', path, { headers: { Prefer: 'respond-async' }, json });
  const started = headers.location as string;
  for (;;) {
    const { status } = (await send('GET', started, { headers: { Prefer: 'wait=1' } })).json();
    if (status === undefined || status === 'Succeeded') return started;
  }
}

beforeAll(async () => {
  place = await temporary();
  directory = join(place.directory, 'data');
  service = await run({ directory });
  if (service.url === undefined) throw new Error(service.output());
  send = clientOf(service.url);
  const { status, headers } = await send('POST', '/customers', KEYED);
  expect(status).toBe(201);
  customer = headers.location as string;
  const photo = { headers: { 'Content-Type': 'image/png' }, body: Buffer.from(SECRET) };
  expect((await send('PUT', `${customer}?fields=photo`, photo)).status).toBe(201);
  expect((await send('PUT', customer, { json: { name: 'Zed', nick: SECRET } })).status).toBe(200);
  orders = await Promise.all(
    [1, 2].map((productId) => created(`${customer}/orders`, { productId, note: SECRET })),
  );
  operation = await deferred(`${customer}/orders`, { productId: 3, note: SECRET });
  removed = await created(`${customer}/orders`, { productId: 1, note: SECRET });
  expect((await send('DELETE', removed)).status).toBe(204);
  other = await created('/customers', { name: 'Other' });
  await created(`${other}/orders`, { productId: 1 });
}, 60_000);

afterAll(async () => {
  await service.stop();
  await place.remove();
});

/** Runs the command and returns its output. */
async function erased(...more: string[]): Promise<string> {
  const args = ['erase', join(place.directory, 'erased'), 'customers', numberOf(customer), ...more];
  const { code, output } = await data(directory, args);
  expect({ code, output }).toMatchObject({ code: 0 });
  return output;
}

test('an erasure without --confirm names the items and changes nothing', async () => {
  const output = await erased();
  expect(output).toMatch(/^Would erase /);
  for (const path of [customer, ...orders, removed]) expect(output).toContain(path.slice(1));
  expect(output).not.toContain(other.slice(1));
  expect((await send('GET', customer)).text).toContain(SECRET);
});

test('an erasure that kill -9 ends continues, and removes the customer with its orders and bytes', async () => {
  const args = ['erase', join(place.directory, 'erased'), 'customers', numberOf(customer), '--confirm'];
  for (const killAfter of [400, 600, 800]) await data(directory, args, { killAfter });
  const output = await erased('--confirm');
  expect(output).toMatch(/^Erased customers\/\d+, (?:orders\/\d+, ){4}\d+ recorded answers, \d operations/);
  for (const copy of ['point-in-time recovery', 'streams', 'archive', 'consumers', 'backups'])
    expect(output).toMatch(new RegExp(`Not reached: .*${copy}.*, until `));
  for (const path of atLeastOne(
    [customer, ...orders, removed].flatMap((one) => [one, `${one}/versions`, `${one}/versions/1`]),
  ))
    expect((await send('GET', path)).status).toBe(404);
  for (const path of [`${customer}?fields=photo`, operation])
    expect((await send('GET', path)).status).toBe(404);
  expect((await send('GET', '/orders')).json().items).toHaveLength(1);
  expect((await send('GET', '/orders/removed')).json().items).toEqual([]);
  expect((await send('GET', other)).status).toBe(200);
  const changes = await send('GET', '/changes');
  expect(changes.text).not.toContain(SECRET);
  expect(changes.json().items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ subject: customer, type: 'customer.removed' }),
      expect.objectContaining({ subject: other }),
    ]),
  );

  const copy = join(place.directory, 'copy');
  expect(await data(directory, ['export', copy, '--history'])).toMatchObject({ code: 0 });
  for (const name of ['customers', 'orders', 'customers.versions', 'orders.versions'])
    expect(readFileSync(join(copy, `${name}.jsonl`), 'utf8')).not.toContain(SECRET);
}, 60_000);

test('a repeated request has no second effect, and its recorded answer shows nothing of the customer', async () => {
  const { status, text, headers } = await send('POST', '/customers', KEYED);
  expect({ status, text }).toEqual({ status: 204, text: '' });
  expect(headers.location).toBeUndefined();
  expect((await send('GET', '/customers')).json().items).toHaveLength(1);
});

test('the events of the removal carry no values, and the erasure makes no other event', async () => {
  const stream = receiving(directory);
  for (const path of [customer, ...orders]) {
    const removal = await stream.until(({ type, subject }) => subject === path && type.endsWith('.removed'));
    expect(JSON.stringify(removal)).not.toContain(SECRET);
    const last = stream.events.filter(({ subject }) => subject === path);
    expect(last.filter(({ data: shown }) => !JSON.stringify(shown).includes(SECRET))).toEqual([removal]);
  }
  await stream.stop();
});

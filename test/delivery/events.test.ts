import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, clientOf } from '../support/client/client.ts';
import { type Event, serviceWithEvents } from './received.ts';

/** The requests over HTTP and exactly the events that result from them. */
let started: Awaited<ReturnType<typeof serviceWithEvents>>;
let send: Client;

beforeAll(async () => {
  started = await serviceWithEvents(['--empty']);
  send = clientOf(started.service.url as string);
}, 40_000);

afterAll(() => started.stop());

const created = async (path: string, json: unknown) => {
  const answer = await send('POST', path, { json });
  expect(answer.status).toBe(201);
  return answer.headers.location as string;
};

/** The delay between the changes of two tables. The service reads real streams twice a second. */
const OTHERS_MS = process.env.AWS_ENDPOINT_URL_DYNAMODB ? 1500 : 300;

/** The events since the last call, up to the event of a customer that this function creates. */
let seen = 0;
async function since(): Promise<readonly Event[]> {
  const end = await created('/customers', { name: 'end' });
  await started.stream.until(({ subject }) => subject === end);
  // The service reads each table separately: wait for the last changes of the other tables.
  await new Promise((later) => setTimeout(later, OTHERS_MS));
  const events = started.stream.events.slice(seen).filter(({ subject }) => subject !== end);
  seen = started.stream.events.length;
  return events;
}

const of = (events: readonly Event[], subject: string) =>
  events.filter((one) => one.subject === subject).map(({ type }) => type);

test('creation, change and removal have one event each, and a refused request has none', async () => {
  const path = await created('/customers', { name: 'Acme', rate: 0.1 });
  const shown = (await send('GET', path)).json();
  const { headers } = await send('GET', path);
  const changes = [
    send('PUT', path, { json: { name: 'Acme 2' }, headers: { 'If-Match': '"99.1-json"' } }),
    send('PUT', '/customers/404404', { json: { name: 'none' } }),
    send('PATCH', path, {
      json: [{ op: 'test', path: '/name', value: 'x' }],
      headers: { 'Content-Type': 'application/json-patch+json' },
    }),
    send('POST', '/customers', { json: { email: 5 } }),
  ];
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([412, 404, 409, 400]);
  expect(
    (await send('PUT', path, { json: { name: 'B' }, headers: { 'If-Match': headers.etag } })).status,
  ).toBe(200);
  expect((await send('DELETE', path)).status).toBe(204);
  const events = await since();
  expect(of(events, path)).toEqual(['customer.created', 'customer.changed', 'customer.removed']);
  expect(events).toHaveLength(3);
  const { links, ...members } = shown;
  expect(links).toBeDefined();
  expect(events[0]).toEqual({
    specversion: '1.0',
    id: expect.stringMatching(/^[0-9a-f-]{32,36}$/),
    source: '/customers',
    type: 'customer.created',
    subject: path,
    time: shown.createdAt,
    sequence: '0000000001',
    datacontenttype: 'application/json',
    data: members,
  });
});

test("the transition of an order has an event, and its customer's count has none", async () => {
  const customer = await created('/customers', { name: 'Acme' });
  const order = await created(`${customer}/orders`, { productId: 1, orderValue: 5 });
  for (const move of ['pay', 'place', 'complete'])
    expect((await send('POST', `${order}/${move}`)).status).toBe(200);
  expect((await send('POST', `${order}/cancel`)).status).toBe(409);
  expect((await send('POST', `${order}/complete`)).status).toBe(200);
  const events = await since();
  expect(of(events, order)).toEqual(['order.created', 'order.paid', 'order.placed', 'order.completed']);
  expect(of(events, customer)).toEqual(['customer.created']);
  expect(events.filter(({ subject }) => subject === order).map(({ data }) => data.status)).toEqual([
    'created',
    'paid',
    'placed',
    'completed',
  ]);
});

test('products with images and files have their events', async () => {
  const product = await created('/products', { name: 'Mug' });
  const image = { body: 'bytes', headers: { 'Content-Type': 'image/png' } };
  for (const method of ['PUT', 'PUT', 'DELETE'])
    await send(method, `${product}?fields=productImage`, method === 'PUT' ? image : {});
  await send('PUT', '/files/a%20b.txt', { body: 'one' });
  await send('PUT', '/files/a%20b.txt', { body: 'two' });
  await send('DELETE', '/files/a%20b.txt');
  await send('PUT', '/files/a%20b.txt', { body: 'three' });
  const events = await since();
  const changed = 'product.changed';
  expect(of(events, product)).toEqual(['product.created', changed, changed, changed]);
  expect(of(events, '/files/a%20b.txt')).toEqual([
    'file.created',
    'file.changed',
    'file.removed',
    'file.created',
  ]);
  const sequences = events.filter(({ source }) => source === '/files').map(({ sequence }) => sequence);
  expect(sequences).toEqual([...sequences].sort());
  expect(new Set(sequences).size).toBe(4);
});

test('a repeated request has its event once', async () => {
  const headers = { 'Idempotency-Key': 'k1' };
  const [one, two] = [
    await send('POST', '/members', { json: { name: 'Ada' }, headers }),
    await send('POST', '/members', { json: { name: 'Ada' }, headers }),
  ];
  expect(two.headers.location).toBe(one.headers.location);
  expect(await since()).toHaveLength(1);
});

test('among concurrent conditional writes, only the winner has an event', async () => {
  const path = await created('/members', { name: 'Ada' });
  const { headers } = await send('GET', path);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      send('PUT', path, { json: { name: `n${n}` }, headers: { 'If-Match': headers.etag } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(of(await since(), path)).toEqual(['member.created', 'member.changed']);
});

test('many writers get an event for each version once, in order per subject', async () => {
  const paths = await Promise.all(Array.from({ length: 6 }, (_, n) => created('/members', { age: n })));
  await Promise.all(
    Array.from({ length: 120 }, (_, n) => send('PUT', paths[n % 6] as string, { json: { age: n + 100 } })),
  );
  for (const path of paths)
    await started.stream.until((one) => one.subject === path && one.sequence === '0000000021');
  const events = await since();
  for (const path of paths) {
    const sequences = events.filter(({ subject }) => subject === path).map(({ sequence }) => sequence);
    expect(sequences).toEqual(Array.from({ length: 21 }, (_, n) => String(n + 1).padStart(10, '0')));
  }
  expect(new Set(started.stream.events.map(({ id }) => id)).size).toBe(started.stream.events.length);
});

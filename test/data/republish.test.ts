import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Event, serviceWithEvents } from '../delivery/received.ts';
import { clientOf } from '../support/client/client.ts';
import { data } from './tool.ts';

let started: Awaited<ReturnType<typeof serviceWithEvents>>;

beforeAll(async () => {
  started = await serviceWithEvents(['--empty']);
}, 40_000);

afterAll(() => started.stop(), 20_000);

async function created(path: string, json: object): Promise<string> {
  const { status, headers } = await clientOf(started.service.url as string)('POST', path, { json });
  expect(status).toBe(201);
  return headers.location as string;
}

/** The events of a subject and of a type, after at least so many arrived. */
async function eventsOf(path: string, type: string, count: number): Promise<readonly Event[]> {
  const fits = (one: Event) => one.subject === path && one.type === type;
  await started.stream.until(() => started.stream.events.filter(fits).length >= count);
  return started.stream.events.filter(fits);
}

// docs/operations.md, "late-events"
test('publishes the event of the present version again, with the same id, type and data', async () => {
  const send = clientOf(started.service.url as string);
  const customer = await created('/customers', { name: 'Acme' });
  const productId = Number((await created('/products', { name: 'Mug', price: 3 })).split('/').at(-1));
  const order = await created(`${customer}/orders`, { productId, quantity: 2 });
  expect((await send('POST', `${order}/pay`)).status).toBe(200);
  await eventsOf(order, 'order.paid', 1);
  const { code, output } = await data(started.directory, ['republish', 'orders']);
  expect({ code, output }).toEqual({ code: 0, output: 'orders: 1 events\n' });
  const [first, again] = await eventsOf(order, 'order.paid', 2);
  expect(again).toEqual(first);
  await data(started.directory, ['republish', 'customers', String(customer.split('/').at(-1))]);
  const [creation, repeated] = await eventsOf(customer, 'customer.created', 2);
  expect(repeated).toEqual(creation);
}, 60_000);

// Specification 11.14
test('of a deployment needs the key of the hashes of callers', async () => {
  expect(await data(started.directory, ['republish', 'orders', '--environment', 'worker.json'])).toEqual({
    code: 2,
    output: expect.stringContaining('republish needs AUDIT_KEY'),
  });
}, 20_000);

test('names an item that does not exist, whose removal has no event any more', async () => {
  expect(await data(started.directory, ['republish', 'members', '404404'])).toEqual({
    code: 1,
    output: expect.stringContaining('members 404404 does not exist'),
  });
  expect((await data(started.directory, ['republish', 'operations'])).code).toBe(2);
}, 30_000);

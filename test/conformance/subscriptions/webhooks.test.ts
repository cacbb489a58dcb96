import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type Body, type Client, clientOf } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { eventually } from '../../support/eventually.ts';
import { run, temporary } from '../../support/service/service.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** One attempt each second for three seconds, and a second for a response. */
const SHORT = { WEBHOOK_PAUSES: '1', WEBHOOK_SECONDS: '3', WEBHOOK_PATIENCE_SECONDS: '1' };

let receiver: Receiver;
let send: Client;
let output: () => string;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  const place = await temporary();
  const service = await run({
    directory: join(place.directory, 'data'),
    args: ['--empty'],
    environment: SHORT,
  });
  output = service.output;
  send = clientOf(service.url ?? '');
  ends.push(receiver.stop, () => service.stop(), place.remove);
}, 40_000);
afterAll(async () => {
  for (const end of ends) await end();
});

interface Subscribed extends Body {
  readonly secret: string;
  readonly status: string;
  readonly reason?: string;
}

/** Creates a subscription whose receiver is at this path. */
async function subscribe(path: string, more: object = {}): Promise<Subscribed> {
  const json = { url: receiver.url + path, types: ['product.*'], ...more };
  const made = await send('POST', '/subscriptions', { json });
  expect(made.status).toBe(201);
  return made.json() as Subscribed;
}

const pathOf = ({ id }: Pick<Body, 'id'>): string => `/subscriptions/${id}`;
const read = async (one: Body) => (await send('GET', pathOf(one))).json() as Subscribed;
const deliveriesOf = async (one: Body) => (await send('GET', `${pathOf(one)}/deliveries`)).json().items;
const change = async (name: string): Promise<Body> =>
  (await send('POST', '/products', { json: { name } })).json();
const remove = (one: Body) => send('DELETE', pathOf(one));

/** Waits for this number of requests at a path, and returns them. */
const arrived = (path: string, count = 1) =>
  eventually(async () => {
    expect(receiver.at(path).length).toBeGreaterThanOrEqual(count);
    return receiver.at(path);
  });

// Specification 18.1, 18.3, 18.7
test('each change arrives as a CloudEvent that the library of Standard Webhooks verifies', async () => {
  const one = await subscribe('/204/verified');
  const product = await change('Mug');
  const [first] = await arrived('/204/verified');
  const headers = first?.headers as Record<string, string>;
  expect(new Webhook(one.secret).verify(first?.body ?? '', headers)).toMatchObject({
    specversion: '1.0',
    id: headers['webhook-id'],
    source: '/products',
    type: 'product.created',
    subject: `/products/${product.id}`,
    data: { id: product.id, name: 'Mug' },
  });
  expect(headers['content-type']).toMatch(/^application\/cloudevents\+json/);
  expect(() => new Webhook(`whsec_${btoa('another')}`).verify(first?.body ?? '', headers)).toThrow();
  await eventually(async () => expect(await read(one)).toHaveProperty('lastSuccess'));
  await remove(one);
});

// Specification 18.3
test('only the response to the creation has the secret', async () => {
  const json = { url: `${receiver.url}/204/secret`, types: ['subscription.*', 'product.*'] };
  expectProblem(await send('POST', '/subscriptions', { json }), 400);
  const request = { json: { ...json, types: ['*'] }, headers: { 'Idempotency-Key': '"secret-1"' } };
  const made = await send('POST', '/subscriptions', request);
  const one = made.json() as Subscribed;
  expect(Buffer.from(one.secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
  expect(made.headers['cache-control']).toBe('no-store');
  // RFC 9110 §8.7: the content is not what GET of the subscription returns.
  expect(made.headers['content-location']).toBeUndefined();
  expect((await send('POST', '/subscriptions', request)).text).toBe(made.text);
  await change('Secret');
  await arrived('/204/secret');
  const path = pathOf(one);
  for (const accept of ['application/json', 'application/xml', 'text/html', 'text/csv'])
    for (const at of [path, '/subscriptions', `${path}/deliveries`, `${path}/edit`])
      expect((await send('GET', at, { headers: { Accept: accept } })).text).not.toContain(one.secret);
  const patch = { json: { active: false }, headers: { 'Content-Type': 'application/merge-patch+json' } };
  const patched = await send('PATCH', path, patch);
  expect(patched.json()).toMatchObject({ active: false, status: 'paused' });
  expect(patched.text).not.toContain('whsec_');
  expect(output()).not.toContain('whsec_');
  expect(JSON.stringify(receiver.at('/204/secret'))).not.toContain('whsec_');
  await remove(one);
});

// Specification 18.2
test('types and a collection select events, and a pattern without events gets 400', async () => {
  const chosen = [
    await subscribe('/204/one-type', { types: ['product.removed'] }),
    await subscribe('/204/all', { types: ['*'], resource: 'customers' }),
    await subscribe('/204/paused', { active: false }),
  ];
  const product = await change('Typed');
  await send('DELETE', `/products/${product.id}`);
  const customer = (await send('POST', '/customers', { json: { name: 'Ada' } })).json();
  expect((await arrived('/204/one-type'))[0]?.event).toMatchObject({
    type: 'product.removed',
    subject: `/products/${product.id}`,
  });
  expect((await arrived('/204/all'))[0]?.event).toMatchObject({ subject: `/customers/${customer.id}` });
  expect(receiver.at('/204/one-type').map(({ event }) => event.type)).toEqual(['product.removed']);
  expect(receiver.at('/204/paused')).toEqual([]);
  for (const wrong of [
    { types: ['prodct.*'] },
    { types: ['product.updated'] },
    { types: ['order.paid', 'order.payed'] },
    { types: ['operation.changed'] },
    { types: [] },
    { types: ['product*'] },
    { types: ['order.*'], resource: 'customers' },
    { types: ['*'], resource: 'nothing' },
  ]) {
    const json = { url: `${receiver.url}/204`, ...wrong };
    expectProblem(await send('POST', '/subscriptions', { json }), 400, 'validation-error');
  }
  const unknown = { url: `${receiver.url}/204`, types: ['*', 'order.*'], resource: 'nothing' };
  expect((await send('POST', '/subscriptions', { json: unknown })).json().errors).toEqual([
    { pointer: '/resource', detail: 'has no events' },
  ]);
  const types = ['order.created', 'order.changed', 'order.removed', 'order.paid', 'operation.failed'];
  chosen.push(await subscribe('/204/each-type', { types }));
  for (const one of chosen) await remove(one);
});

// Specification 18.8, 18.10
test('an event is sent again with the same id until the receiver takes it', async () => {
  const one = await subscribe('/fails/2');
  await change('Again');
  const all = await arrived('/fails/2', 3);
  expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const list = await eventually(async () => {
    const found = await deliveriesOf(one);
    expect(found).toHaveLength(3);
    return found;
  });
  expect(list).toMatchObject([
    { outcome: 'delivered', status: 204, type: 'product.created' },
    { outcome: 'failed', status: 500, attempt: 2, next: expect.any(String) },
    { outcome: 'failed', status: 500, attempt: 1, next: expect.any(String), duration: expect.any(Number) },
  ]);
  expect(list[0]).not.toHaveProperty('next');
  const page = (await send('GET', `${pathOf(one)}/deliveries?limit=2`)).json();
  expect(page.items).toEqual(list.slice(0, 2));
  const next = page.links.find(({ rel }) => rel === 'next')?.href ?? '';
  expect((await send('GET', next)).json().items).toEqual(list.slice(2));
  const { href, ...entry } = list[1] as Body & { href: string };
  expect((await send('GET', href)).json()).toMatchObject(entry);
  expectProblem(await send('GET', `${pathOf(one)}/deliveries/5`), 404);
  for (const query of ['limit=x', 'after=9007199254740992'])
    expectProblem(await send('GET', `${pathOf(one)}/deliveries?${query}`), 400);
  for (const after of [0, 1])
    expect((await send('GET', `${pathOf(one)}/deliveries?after=${after}`)).json().items).toEqual([]);
  await remove(one);
});

// Specification 18.10
test('a page of large deliveries ends early, and continues at next', async () => {
  const one = await subscribe('/204/large');
  const note = 'x'.repeat(200_000);
  for (let at = 0; at < 8; at += 1) await send('POST', '/products', { json: { name: `Large ${at}`, note } });
  await arrived('/204/large', 8);
  await eventually(async () => {
    const seen: unknown[] = [];
    for (let next: string | undefined = `${pathOf(one)}/deliveries`; next; ) {
      const { items, links } = (await send('GET', next)).json();
      seen.push(...items.map(({ n }) => n));
      next = links.find(({ rel }) => rel === 'next')?.href;
    }
    expect(new Set(seen).size).toBe(8);
    expect(seen).toHaveLength(8);
  });
  await remove(one);
});

// Specification 18.4, 18.8
test('a receiver that fails for too long is suspended with the reason, and a client resumes it', async () => {
  const one = await subscribe('/500/forever');
  await change('Lost');
  const suspended = await eventually(async () => {
    const found = await read(one);
    expect(found.status).toBe('suspended');
    return found;
  });
  expect(suspended).toMatchObject({
    active: false,
    // On a busy machine, the receiver needs longer than the second that it has.
    reason: expect.stringMatching(/The receiver (responded with 500|did not respond within 1 s)/),
  });
  const [last] = await deliveriesOf(one);
  expect(last).not.toHaveProperty('next');
  const patch = { json: { active: true }, headers: { 'Content-Type': 'application/merge-patch+json' } };
  const resumed = (await send('PATCH', pathOf(one), patch)).json();
  expect(resumed).toMatchObject({ active: true, status: 'active' });
  expect(resumed).not.toHaveProperty('reason');
  await remove(one);
});

// Specification 18.8
test('410 suspends at once, and a redirect is a failure that leads nowhere', async () => {
  const [gone, moved] = [await subscribe('/410/gone'), await subscribe('/302/moved')];
  await change('Gone');
  await eventually(async () => expect(await read(gone)).toMatchObject({ status: 'suspended' }));
  expect(receiver.at('/410/gone')).toHaveLength(1);
  await eventually(async () =>
    expect((await deliveriesOf(moved))[0]).toMatchObject({ outcome: 'failed', status: 302 }),
  );
  expect(receiver.at('/moved')).toEqual([]);
  for (const one of [gone, moved]) await remove(one);
});

// Specification 18.9
test('a slow receiver gets one event at a time, and no other receiver waits for it', async () => {
  const [slow, quick] = [await subscribe('/silent'), await subscribe('/204/quick')];
  for (let at = 0; at < 60; at += 1) await change(`Slow ${at}`);
  await arrived('/204/quick', 60);
  // The quick receiver has all events before the slow one, whose first batches arrive before it is known as slow.
  expect(receiver.at('/silent').length).toBeLessThan(60);
  const late = await eventually(async () => {
    const [found] = await deliveriesOf(slow);
    expect(found).toMatchObject({ outcome: 'failed', reason: 'The receiver did not respond within 1 s' });
    return found;
  });
  expect(late).not.toHaveProperty('status');
  expect((await read(quick)).status).toBe('active');
  for (const one of [slow, quick]) await remove(one);
}, 40_000);

// Specification 18.11
test('a client sends a test, and repeats a delivery, also while the subscription is paused', async () => {
  const one = await subscribe('/204/repeat');
  await change('Once');
  await arrived('/204/repeat');
  const patch = { json: { active: false }, headers: { 'Content-Type': 'application/merge-patch+json' } };
  await send('PATCH', pathOf(one), patch);
  const [entry] = (await eventually(async () => {
    const found = await deliveriesOf(one);
    expect(found).toHaveLength(1);
    return found;
  })) as readonly (Body & { href: string })[];
  expect((await send('POST', `${entry?.href}/repeat`)).status).toBe(204);
  const [first, second] = await arrived('/204/repeat', 2);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect((await send('POST', `${pathOf(one)}/test`)).status).toBe(204);
  expect((await arrived('/204/repeat', 3))[2]?.event).toMatchObject({ type: 'ping', subject: pathOf(one) });
  expectProblem(await send('POST', '/subscriptions/5/test'), 404);
  expectProblem(await send('POST', `${pathOf(one)}/deliveries/5/repeat`), 404);
  await remove(one);
});

// Specification 18.8
test('the removal of a subscription ends its attempts', async () => {
  const one = await subscribe('/500/removed');
  await change('Removed');
  await arrived('/500/removed');
  expect((await remove(one)).status).toBe(204);
  expectProblem(await send('GET', `${pathOf(one)}/deliveries`), 404);
  const before = receiver.at('/500/removed').length;
  const other = await subscribe('/fails/2/after-removal');
  await change('Later');
  await arrived('/fails/2/after-removal', 3);
  expect(receiver.at('/500/removed').length - before).toBeLessThanOrEqual(1);
  await remove(other);
});

// Specification 18.6
describe('a URL that the service does not use', () => {
  test.each([
    'http://receiver.example/',
    'ftp://receiver.example/',
    'https://user:password@receiver.example/',
    'https://receiver.example/#part',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0.0.0.0/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'https://[64:ff9b::a00:1]/',
    'receiver.example',
  ])('gets 400: %s', async (url) => {
    const answer = await send('POST', '/subscriptions', { json: { url, types: ['*'] } });
    expectProblem(answer, 400);
    expect(answer.json().errors).toContainEqual(expect.objectContaining({ pointer: '/url' }));
  });
});

// Specification 18.3
test('no list compares the secret', async () => {
  for (const query of ['secret=a', 'secret.prefix=whsec_', 'sort=secret'])
    expectProblem(
      await send('GET', `/subscriptions?${query}`, { headers: { Prefer: 'handling=strict' } }),
      400,
    );
});

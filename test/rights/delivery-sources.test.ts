import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '../conformance/subscriptions/receiver.ts';
import type { Client } from '../support/client/client.ts';
import { expectProblem } from '../support/client/problem.ts';
import { eventually } from '../support/eventually.ts';
import { clientAs } from '../support/service/closed.ts';
import { type Supervised, supervised } from './supervised.ts';

const SCOPES = 'subscriptions:read subscriptions:write';

let receiver: Receiver;
let service: Supervised;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await supervised('owned');
}, 40_000);
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

/** The entries of the list of deliveries, by the types of their events. */
async function entriesOf(client: Client, path: string): Promise<ReadonlyMap<string, string>> {
  const { items } = (await client('GET', `${path}/deliveries`)).json() as unknown as {
    readonly items: readonly { readonly type: string; readonly href: string }[];
  };
  return new Map(items.map(({ type, href }) => [type, href]));
}

// Specification 18.10, 18.11
test('a token without the scope of a source neither sees nor repeats its deliveries', async () => {
  const whole = await clientAs(
    service,
    'ada',
    `${SCOPES} products:read products:write customers:read customers:write`,
  );
  const json = { url: `${receiver.url}/204`, types: ['product.*', 'customer.*'] };
  const path = String((await whole('POST', '/subscriptions', { json })).headers.location);
  for (const collection of ['/products', '/customers'])
    expect((await whole('POST', collection, { json: { name: 'Secret' } })).status).toBe(201);
  expect((await whole('POST', `${path}/test`)).status).toBe(204);
  const all = await eventually(async () => {
    const entries = await entriesOf(whole, path);
    expect([...entries.keys()].sort()).toEqual(['customer.created', 'ping', 'product.created']);
    return entries;
  });
  const customer = String(all.get('customer.created'));

  // `all:write` does not read.
  for (const scopes of [
    `${SCOPES} products:read`,
    `${SCOPES} products:read customers:write`,
    `subscriptions:read products:read all:write`,
  ]) {
    const narrow = await clientAs(service, 'ada', scopes);
    expect([...(await entriesOf(narrow, path)).keys()].sort()).toEqual(['ping', 'product.created']);
    for (const [method, at] of [
      ['GET', customer],
      ['POST', `${customer}/repeat`],
    ] as const) {
      const refused = await narrow(method, at);
      expectProblem(refused, 403);
      expect(refused.json().detail).toContain('customers:read');
      for (const part of ['Secret', 'customer.created']) expect(refused.text).not.toContain(part);
    }
    for (const type of ['ping', 'product.created'])
      expect((await narrow('GET', String(all.get(type)))).status).toBe(200);
    expect((await narrow('POST', `${all.get('product.created')}/repeat`)).status).toBe(204);
  }
  await eventually(async () => expect(receiver.at('/204')).toHaveLength(6));
  const types = receiver.at('/204').map(({ event }) => event.type);
  expect(types.filter((one) => one === 'customer.created')).toHaveLength(1);

  const none = await clientAs(service, 'ada', SCOPES);
  expect([...(await entriesOf(none, path)).keys()]).toEqual(['ping']);
  const other = await clientAs(service, 'bob', `${SCOPES} customers:read`);
  expectProblem(await other('GET', customer), 404);
  expectProblem(await other('POST', `${customer}/repeat`), 404);
}, 60_000);

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '../conformance/subscriptions/receiver.ts';
import type { Client } from '../support/client/client.ts';
import { expectProblem } from '../support/client/problem.ts';
import { eventually } from '../support/eventually.ts';
import { clientAs } from '../support/service/closed.ts';
import { type Supervised, supervised } from './supervised.ts';

const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const SCOPES = 'subscriptions:read subscriptions:write products:read products:write';
const MANAGER = 'subscriptions:manage';
/** A manager may use these, and nothing else that needs a scope. */
const MANAGED = [
  'DELETE /subscriptions/{id}',
  'GET /subscriptions',
  'GET /subscriptions/{id}',
  'GET /subscriptions/{id}/deliveries',
  'GET /subscriptions/{id}/deliveries/{n}',
  'PATCH /subscriptions/{id}',
];

interface Listed {
  readonly items: readonly { readonly id: number; readonly createdBy?: string }[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

let receiver: Receiver;
let service: Supervised;
let ada: Client;
let bob: Client;
let manager: Client;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await supervised('owned');
  ada = await clientAs(service, 'ada', SCOPES);
  bob = await clientAs(service, 'bob', SCOPES);
  manager = await clientAs(service, 'bob', MANAGER);
}, 40_000);
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const subscribe = async (client: Client, path: string) => {
  const json = { url: receiver.url + path, types: ['product.*'] };
  return String((await client('POST', '/subscriptions', { json })).headers.location);
};
const patch = (client: Client, path: string, json: object) => client('PATCH', path, { json, headers: MERGE });
const listOf = async (client: Client, query = '') =>
  (await client('GET', `/subscriptions${query}`)).json() as unknown as Listed;

// Specification 18.15
test('a manager sees the subscriptions of all owners and their deliveries, page by page, and no secret', async () => {
  const made = [
    await subscribe(ada, '/204/a'),
    await subscribe(bob, '/204/b'),
    await subscribe(ada, '/204/c'),
  ];
  const ids = made.map((path) => Number(path.replace(/.*\//, '')));
  expect((await ada('POST', '/products', { json: { name: 'Mug' } })).status).toBe(201);
  const whole = await eventually(async () => {
    const found = await manager('GET', '/subscriptions');
    expect(found.text.match(/"lastSuccess"/g)).toHaveLength(3);
    return found;
  });
  const { items } = whole.json() as unknown as Listed;
  expect(items.map(({ id, createdBy }) => [id, createdBy])).toEqual(
    ids.map((id, at) => [id, at === 1 ? 'bob' : 'ada']),
  );
  const pages: number[] = [];
  let query: string | undefined = '?limit=1';
  while (query !== undefined) {
    const page: Listed = await listOf(manager, query);
    expect(page.items.length).toBeLessThanOrEqual(1);
    pages.push(...page.items.map(({ id }) => id));
    query = page.links.find(({ rel }) => rel === 'next')?.href.replace('/subscriptions', '');
  }
  expect(pages).toEqual(ids);
  const idsOf = async (text: string) => (await listOf(manager, text)).items.map(({ id }) => id);
  expect(await idsOf('?createdBy=bob')).toEqual([ids[1]]);
  expect(await idsOf('?sort=-id')).toEqual([...ids].reverse());
  expect(await idsOf('?status=suspended')).toEqual([]);
  expect(
    (await manager('GET', '/subscriptions?createdBy=ada', { headers: { Prefer: 'count=exact' } })).json(),
  ).toMatchObject({ total: 2 });

  const deliveries = await manager('GET', `${made[1]}/deliveries`);
  expect(deliveries.json().items).toMatchObject([{ type: 'product.created', outcome: 'delivered' }]);
  const href = String(deliveries.json().items[0]?.href);
  const one = await manager('GET', href);
  expect(one.json()).toMatchObject({ type: 'product.created', status: 204 });
  const item = await manager('GET', made[0] as string);
  expect(item.json()).toMatchObject({ createdBy: 'ada', status: 'active' });
  for (const { text } of [whole, deliveries, one, item]) {
    expect(text).not.toContain('whsec_');
    expect(text).not.toContain('Mug');
  }
  // An owner sees neither the author nor the others, and `all:read` is not the scope of managers.
  const reader = await clientAs(service, 'ada', 'all:read all:write');
  expect((await listOf(reader)).items.map((found) => [found.id, found.createdBy])).toEqual(
    [ids[0], ids[2]].map((id) => [id, undefined]),
  );
  expectProblem(await reader('GET', made[1] as string), 404);
});

// Specification 18.15
test('a manager suspends, resumes and removes, and owners end no suspension of theirs', async () => {
  const path = await subscribe(ada, '/204/managed');
  expect((await ada('POST', '/products', { json: { name: 'Before' } })).status).toBe(201);
  const sent = await eventually(async () => {
    const { items } = (await ada('GET', `${path}/deliveries`)).json();
    expect(items).toMatchObject([{ outcome: 'delivered' }]);
    return items[0] as unknown as { readonly n: number };
  });
  const suspended = await patch(manager, path, { active: false, reason: 'A token is lost' });
  expect(suspended.json()).toMatchObject({
    status: 'suspended',
    reason: 'A token is lost',
    suspendedBy: 'operators',
    createdBy: 'ada',
  });
  expect(suspended.text).not.toContain('whsec_');
  const refused = await patch(ada, path, { active: true });
  expectProblem(refused, 409, 'conflict');
  expect(refused.json().detail).toContain('A token is lost');
  for (const below of ['test', `deliveries/${sent.n}/repeat`])
    expectProblem(await ada('POST', `${path}/${below}`), 409, 'conflict');
  expect((await ada('POST', '/products', { json: { name: 'While suspended' } })).status).toBe(201);
  expect((await patch(manager, path, { reason: 'It is found' })).json()).toMatchObject({
    reason: 'It is found',
    suspendedBy: 'operators',
  });
  const resumed = (await patch(manager, path, { active: true })).json();
  expect(resumed).toMatchObject({ status: 'active' });
  for (const name of ['reason', 'suspendedBy']) expect(resumed).not.toHaveProperty(name);
  expect((await ada('POST', '/products', { json: { name: 'Resumed' } })).status).toBe(201);
  await eventually(async () =>
    expect(receiver.at('/204/managed').map(({ event }) => event.data?.name)).toEqual(['Before', 'Resumed']),
  );

  // A manager ends no pause of the owner, but can suspend what is paused.
  expect((await patch(ada, path, { active: false })).json()).toMatchObject({ status: 'paused' });
  expectProblem(await patch(manager, path, { active: true }), 409, 'conflict');
  expect((await patch(manager, path, { active: false, reason: 'Closed' })).json()).toMatchObject({
    status: 'suspended',
    reason: 'Closed',
    suspendedBy: 'operators',
  });
  // Its end is the pause again.
  expect((await patch(manager, path, { active: true })).json()).toMatchObject({ status: 'paused' });
  await patch(ada, path, { active: true });
  await patch(manager, path, { active: false });
  const key = { ...MERGE, 'Idempotency-Key': 'resume-once' };
  const first = await manager('PATCH', path, { json: { active: true }, headers: key });
  const again = await manager('PATCH', path, { json: { active: true }, headers: key });
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  expectProblem(await patch(manager, path, { reason: 'of an active one' }), 409, 'conflict');

  for (const change of [
    { url: `${receiver.url}/204/elsewhere` },
    { types: ['product.created'] },
    { resource: 'products' },
    { active: false, url: `${receiver.url}/204/elsewhere` },
  ]) {
    const forbidden = await patch(manager, path, change);
    expectProblem(forbidden, 403);
    expect(forbidden.json().detail).toContain('active and reason');
  }
  expect((await ada('GET', path)).json()).toMatchObject({
    status: 'active',
    url: `${receiver.url}/204/managed`,
  });
  // Owners do not give a reason.
  expectProblem(await patch(ada, path, { active: false, reason: 'mine' }), 403);
  expectProblem(await patch(manager, `${path}0`, { active: false }), 404);

  expect((await manager('DELETE', path)).status).toBe(204);
  expectProblem(await ada('GET', path), 404);
  expectProblem(await manager('DELETE', path), 404);
});

// Specification 18.15
test('a token with the scopes of owner and manager changes its own subscription as its owner', async () => {
  const both = await clientAs(service, 'bob', `${SCOPES} ${MANAGER}`);
  const [own, other] = [await subscribe(both, '/204/own'), await subscribe(ada, '/204/other')];
  const elsewhere = { url: `${receiver.url}/204/moved` };
  expect((await patch(both, own, elsewhere)).json()).toMatchObject(elsewhere);
  expectProblem(await patch(both, other, elsewhere), 403);
  // The reason is for the suspensions of others.
  expectProblem(await patch(both, own, { active: false, reason: 'mine' }), 403);
  const json = { url: receiver.url, types: ['product.*'], reason: 'mine' };
  expectProblem(await both('POST', '/subscriptions', { json }), 403);
  // It is a pause, which the owner ends.
  const paused = (await patch(both, own, { active: false })).json();
  expect(paused).toMatchObject({ status: 'paused' });
  expect(paused).not.toHaveProperty('suspendedBy');
  expect((await patch(bob, own, { active: true })).json()).toMatchObject({ status: 'active' });
  expect((await ada('POST', '/products', { json: { name: 'Moved' } })).status).toBe(201);
  await eventually(async () => expect(receiver.at('/204/moved')).toHaveLength(1));
});

// Specification 18.15
test('every other operation refuses a manager', async () => {
  const path = await subscribe(ada, '/500/closed');
  const [, , id = ''] = path.split('/');
  const { paths } = JSON.parse((await service.send('GET', '/openapi.json')).text) as {
    readonly paths: Readonly<
      Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>
    >;
  };
  const guarded = Object.entries(paths).flatMap(([at, operations]) =>
    Object.entries(operations).flatMap(([method, { security = [] }]) => {
      const needed = security.flatMap((one) => Object.values(one) as readonly string[][]).flat();
      return needed.length === 0 ? [] : [{ method: method.toUpperCase(), at, needed }];
    }),
  );
  expect(guarded.length).toBeGreaterThan(30);
  const named = guarded.filter(({ method, needed }) => method !== 'HEAD' && needed.includes(MANAGER));
  expect(named.map(({ method, at }) => `${method} ${at}`).sort()).toEqual(MANAGED);
  const closed = guarded.filter(({ needed }) => !needed.includes(MANAGER));
  expect(closed.length).toBeGreaterThan(30);
  for (const { method, at } of closed) {
    const target = at.replace('{id}', id).replace(/\{\w+\}/g, '1');
    const { status, text } = await manager(
      method,
      target,
      method === 'GET' || method === 'HEAD' ? {} : { json: {} },
    );
    expect([method, at, status]).toEqual([method, at, 403]);
    expect(text).not.toContain('whsec_');
  }
});

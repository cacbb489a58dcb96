import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { eventually } from '../../support/eventually.ts';
import { type Closed, clientAs, closed, closedAlone } from '../../support/service/closed.ts';
import { withOwners } from '../../support/service/owned.ts';
import { withFixture } from '../../support/service/with-fixture.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const SCOPES = 'subscriptions:read subscriptions:write';
const MERGE = { 'Content-Type': 'application/merge-patch+json' };

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

const arrived = (path: string, count: number) =>
  eventually(async () => {
    expect(receiver.at(path)).toHaveLength(count);
    return receiver.at(path).map(({ event }) => event);
  });

describe('subscriptions of a service that requires tokens', () => {
  let service: Closed;
  beforeAll(async () => {
    service = await closed(withFixture('guarded'));
  }, 40_000);

  // Specification 18.5
  test('need the scope of each resource whose events match, and belong to their creator', async () => {
    const ada = await clientAs(service, 'ada', `${SCOPES} orders:read employees:read`);
    const json = { url: `${receiver.url}/204`, types: ['order.*'] };
    const made = await ada('POST', '/subscriptions', { json });
    expect(made.status).toBe(201);
    const path = made.headers.location as string;
    for (const types of [['*'], ['customer.*'], ['order.*', 'member.created']])
      expectProblem(await ada('POST', '/subscriptions', { json: { ...json, types } }), 403);
    const wider = { json: { types: ['customer.*'] }, headers: MERGE };
    expectProblem(await ada('PATCH', path, wider), 403);
    // A token with fewer scopes does not lead the events to another place, also not with a selection that it may have.
    const narrow = await clientAs(service, 'ada', `${SCOPES} employees:read`);
    const elsewhere = { url: `${receiver.url}/204/elsewhere` };
    for (const change of [elsewhere, { ...elsewhere, types: ['employee.*'] }]) {
      const refused = await narrow('PATCH', path, { json: change, headers: MERGE });
      expectProblem(refused, 403);
      expect(refused.json().detail).toContain('orders:read');
    }
    expect((await ada('PATCH', path, { json: elsewhere, headers: MERGE })).status).toBe(200);
    // Neither a pause nor a removal needs these scopes, and a resumption does.
    const [paused, active] = [false, true].map((one) => ({ json: { active: one }, headers: MERGE }));
    expect((await narrow('PATCH', path, paused)).status).toBe(200);
    expectProblem(await narrow('PATCH', path, active), 403);
    expect((await ada('PATCH', path, active)).json()).toMatchObject({ status: 'active' });
    // The token with the scopes of both selections widens it.
    const later = await clientAs(service, 'ada', `${SCOPES} orders:read customers:read`);
    expect((await later('PATCH', path, wider)).status).toBe(200);
    const bob = await clientAs(service, 'bob', `${SCOPES} orders:read`);
    for (const at of [path, `${path}/deliveries`]) expectProblem(await bob('GET', at), 404);
    expectProblem(await bob('POST', `${path}/test`), 404);
    expectProblem(await bob('DELETE', path), 404);
    const reader = await clientAs(service, 'ada', 'subscriptions:read');
    expect((await reader('GET', `${path}/deliveries`)).status).toBe(200);
    expectProblem(await reader('POST', `${path}/test`), 403);
    expectProblem(await (await clientAs(service, 'ada', 'orders:read'))('GET', path), 403);
    expectProblem(await service.send('POST', '/subscriptions', { json }), 401);
  });

  // Specification 18.5
  test('get the fields that their creator may see', async () => {
    const writer = await clientAs(service, 'bob', 'employees:write salaries:write salaries:read');
    for (const [path, more] of [
      ['/204/few', ''],
      ['/204/all', ' salaries:read'],
    ]) {
      const client = await clientAs(service, 'ada', `${SCOPES} employees:read${more}`);
      const json = { url: receiver.url + path, types: ['employee.created'] };
      expect((await client('POST', '/subscriptions', { json })).status).toBe(201);
    }
    const json = { name: 'Ada', salary: 5000 };
    expect((await writer('POST', '/employees', { json })).status).toBe(201);
    const [few] = await arrived('/204/few', 1);
    const [all] = await arrived('/204/all', 1);
    expect(few?.data).toMatchObject({ name: 'Ada' });
    expect(few?.data).not.toHaveProperty('salary');
    expect(few).not.toHaveProperty('authid');
    expect(all?.data).toMatchObject({ name: 'Ada', salary: 5000, bonus: 500 });
  });
});

// Specification 18.5
test('a subscription gets the events of items and operations that its creator owns', async () => {
  const service = await withOwners();
  for (const name of ['ada', 'bob']) {
    const client = await clientAs(service, name, `${SCOPES} notebooks:read notebooks:write members:write`);
    const json = { url: `${receiver.url}/204/${name}`, types: ['notebook.*', 'operation.*'] };
    expect((await client('POST', '/subscriptions', { json })).status).toBe(201);
    expect((await client('POST', '/notebooks', { json: { title: name } })).status).toBe(201);
    const headers = { Prefer: 'respond-async' };
    expect((await client('POST', '/members', { json: { name }, headers })).status).toBe(202);
  }
  for (const name of ['ada', 'bob']) {
    const events = await arrived(`/204/${name}`, 2);
    expect(events.map(({ type }) => type).sort()).toEqual(['notebook.created', 'operation.succeeded']);
    expect(events.find(({ type }) => type === 'notebook.created')?.data).toMatchObject({ title: name });
  }
}, 60_000);

// Specification 18.6
test('the socket connects to no private address that a name leads to', async () => {
  const service = await closedAlone({ WEBHOOK_LOOPBACK: 'false' });
  try {
    const ada = await clientAs(service, 'ada', `${SCOPES} orders:read`);
    const json = { url: `${receiver.url}/204/private`, types: ['order.*'] };
    expectProblem(await ada('POST', '/subscriptions', { json }), 400);
    const { port } = new URL(receiver.url);
    const named = { ...json, url: `https://localhost:${port}/204/private` };
    const made = await ada('POST', '/subscriptions', { json: named });
    const path = made.headers.location as string;
    expect((await ada('POST', `${path}/test`)).status).toBe(204);
    const [entry] = await eventually(async () => {
      const { items } = (await ada('GET', `${path}/deliveries`)).json();
      expect(items).toHaveLength(1);
      return items;
    });
    expect(entry).toMatchObject({
      outcome: 'failed',
      reason: 'The host leads to an address that is not public',
    });
    expect(receiver.at('/204/private')).toEqual([]);
  } finally {
    await service.stop();
  }
}, 40_000);

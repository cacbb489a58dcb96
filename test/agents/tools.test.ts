// Specification 23.1 to 23.5.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { as, type Closed, closed } from '../support/service/closed.ts';
import { unique } from '../support/service/under-test.ts';

interface Shown {
  readonly id: number;
  readonly [name: string]: unknown;
}

/** The structured content of the results of all tools. */
interface Content {
  readonly resources: readonly { readonly name: string }[];
  readonly scopes: readonly string[];
  readonly missingScopes: readonly string[];
  readonly item: Shown;
  readonly items: readonly [Shown];
  readonly etag: string;
  readonly cursor: string;
  readonly confirm: string;
}

interface Result {
  readonly isError: boolean;
  readonly is: Content;
}

const SCOPES = 'customers:read customers:write orders:read orders:write changes:undo';
let service: Closed;
let agent: Client;

/** Connects an agent by the official client. `mode`: the handshake of older revisions, or the present one. */
async function connected(scope: string, mode: 'legacy' | 'auto' = 'auto', caller = 'ada'): Promise<Client> {
  const token = await service.issue(caller, scope);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
  return client;
}

async function call(name: string, given: Record<string, unknown>, by = agent): Promise<Result> {
  const { isError = false, structuredContent } = await by.callTool({ name, arguments: given });
  return { isError, is: JSON.parse(JSON.stringify(structuredContent)) };
}

const newCustomer = async () =>
  (
    await call('create', {
      resource: 'customers',
      item: { name: unique('Agent'), email: 'a@example.com', address: 'Street 1' },
    })
  ).is;

beforeAll(async () => {
  service = await closed();
  agent = await connected(SCOPES);
});

describe('the door', () => {
  test.each(['legacy', 'auto'] as const)('lists eight tools in at most 2,000 tokens (%s)', async (mode) => {
    const { tools } = await (await connected(SCOPES, mode)).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'describe',
      'find',
      'read',
      'create',
      'change',
      'act',
      'remove',
      'undo',
    ]);
    expect(JSON.stringify(tools).length / 3).toBeLessThanOrEqual(2000);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)).toEqual([
      'describe',
      'find',
      'read',
    ]);
    expect(tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name)).toEqual([
      'change',
      'act',
      'remove',
      'undo',
    ]);
  });

  test('refuses a request without a token, and names the metadata', async () => {
    const { status, headers } = await service.send('POST', '/mcp', { body: '{}' });
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('resource_metadata='),
    ]);
  });

  test('has no stream and no session', async () => {
    const token = await service.issue('ada', SCOPES);
    const answers = await Promise.all(
      ['GET', 'DELETE'].map((method) => service.send(method, '/mcp', { headers: as(token) })),
    );
    expect(answers.map(({ status }) => status)).toEqual([405, 405]);
  });
});

test('describe names the resources, and of one its fields, states, actions, filters and scopes', async () => {
  const { is: all } = await call('describe', {});
  expect(all.resources.map(({ name }) => name)).toContain('orders');
  const reader = await connected('orders:read');
  const { is } = await call('describe', { resource: 'orders' }, reader);
  expect(Object.keys(is)).toEqual(expect.arrayContaining(['fields', 'states', 'actions', 'filters']));
  expect([is.scopes, is.missingScopes]).toEqual([['orders:read'], expect.arrayContaining(['orders:write'])]);
  expect(await call('describe', { resource: 'nothing' })).toMatchObject({
    isError: true,
    is: { remedy: expect.stringContaining('orders') },
  });
});

test('an item is created once, found, read and changed with its entity tag', async () => {
  const name = unique('Agent');
  const given = {
    resource: 'customers',
    item: { name, email: 'a@example.com', address: 'Street 1' },
    once: unique('key'),
  };
  const [first, second] = [await call('create', given), await call('create', given)];
  expect(first).toMatchObject({ isError: false, is: { status: 201, item: { name } } });
  const { id } = first.is.item;
  expect(second.is.item.id).toBe(id);
  const found = await call('find', { resource: 'customers', filters: { name }, fields: 'id', limit: 1 });
  expect(found.is.items).toHaveLength(1);
  const { is } = await call('read', { resource: 'customers', id });
  const patch = { address: 'Street 2' };
  const change = { resource: 'customers', id, etag: is.etag, patch };
  expect(await call('change', change)).toMatchObject({ isError: false, is: { item: patch } });
  expect(await call('change', change)).toMatchObject({
    isError: true,
    is: { status: 412, remedy: expect.any(String), current: { etag: expect.any(String), item: patch } },
  });
  expect((await call('read', { resource: 'customers', id, version: 1 })).is.item).toMatchObject({
    address: 'Street 1',
  });
});

test('find follows a cursor, and refuses what the list does not know', async () => {
  await Promise.all([newCustomer(), newCustomer()]);
  const first = await call('find', { resource: 'customers', limit: 1 });
  const second = await call('find', { resource: 'customers', cursor: first.is.cursor });
  expect([first.is.items.length, second.is.items.length]).toEqual([1, 1]);
  expect(second.is.items[0].id).not.toBe(first.is.items[0].id);
  expect(await call('find', { resource: 'customers', filters: { bogus: 1 } })).toMatchObject({
    isError: true,
    is: {
      type: expect.stringContaining('validation-error'),
      errors: [{ parameter: 'bogus' }],
      remedy: expect.any(String),
    },
  });
});

test('a transition needs the entity tag', async () => {
  const customer = await newCustomer();
  const { is } = await call('create', {
    resource: `customers/${customer.item.id}/orders`,
    item: { productId: 1, orderValue: 5 },
  });
  expect(is).toMatchObject({ status: 201 });
  const pay = { resource: 'orders', id: Number(is.item.orderId), action: 'pay' };
  expect(await call('act', pay)).toMatchObject({
    isError: true,
    is: { remedy: expect.stringContaining('etag') },
  });
  expect(await call('act', { ...pay, etag: is.etag })).toMatchObject({ isError: false });
  expect((await call('read', { resource: 'orders', id: Number(is.item.orderId) })).is.item.status).toBe(
    'paid',
  );
});

test('a missing scope is named', async () => {
  const reader = await connected('customers:read');
  expect(await call('create', { resource: 'customers', item: {} }, reader)).toMatchObject({
    isError: true,
    is: { status: 403, detail: expect.stringContaining('customers:write'), remedy: expect.any(String) },
  });
});

test('a wrong token confirms no removal and no undo', async () => {
  const { item } = await newCustomer();
  const refusal = { isError: true, is: { remedy: expect.stringContaining('without confirm') } };
  expect(await call('remove', { resource: 'customers', id: item.id, confirm: 'x' })).toMatchObject(refusal);
  expect(await call('undo', { since: '2026-01-01T00:00:00Z', confirm: 'x' })).toMatchObject(refusal);
  expect(await call('read', { resource: 'customers', id: item.id })).toMatchObject({ isError: false });
});

test('remove and undo show a plan first, and act with its token', async () => {
  const since = new Date(Date.now() - 1).toISOString();
  const { item } = await newCustomer();
  const target = { resource: 'customers', id: item.id };
  const plan = await call('remove', target);
  expect(plan).toMatchObject({
    isError: false,
    is: { plan: { dryRun: true, total: 1, effects: [{ ...target, change: 'removed' }] } },
  });
  expect(await call('read', target)).toMatchObject({ isError: false });
  const { confirm } = plan.is;
  const bob = await connected(SCOPES, 'auto', 'bob');
  expect(await call('remove', { ...target, confirm }, bob)).toMatchObject({ isError: true });
  expect(await call('remove', { ...target, confirm })).toMatchObject({ isError: false, is: { status: 204 } });
  expect(await call('read', target)).toMatchObject({ isError: true });
  const undoing = await call('undo', { since });
  expect(undoing).toMatchObject({ isError: false, is: { plan: { dryRun: true, status: 202 } } });
  expect(await call('undo', { since, confirm: undoing.is.confirm })).toMatchObject({
    isError: false,
    is: { status: 202, location: expect.stringContaining('/operations/') },
  });
});

/** What matches a value with at least what an answer of the page shows. */
const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return expect.arrayContaining(value.map(shown));
  if (typeof value !== 'object' || value === null) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(one)])),
  );
};

test('the conversation of docs/agents.md is what the tools answer', async () => {
  const page = readFileSync('docs/agents.md', 'utf8').split('## A conversation')[1] ?? '';
  const { item } = (await call('create', { resource: 'customers', item: { name: 'Ada' } })).is;
  const order = { resource: `customers/${item.id}/orders`, item: { productId: 1, orderValue: 19.9 } };
  const oldest = (await call('create', order)).is.item.orderId;
  await call('create', order);
  const steps = [...page.matchAll(/^→ (\w+) +(.*)\n← (.*)$/gm)];
  expect(steps).toHaveLength(4);
  let confirm = '';
  for (const [, name = '', given = '', answer = ''] of steps) {
    const real = (text: string) =>
      JSON.parse(
        text
          .replaceAll('117262857160345', String(item.id))
          .replaceAll('117262857160401', String(oldest))
          .replaceAll('"eyJ…"', JSON.stringify(confirm))
          .replaceAll(', …', '')
          .replaceAll('…', ''),
      );
    const { isError, is } = await call(name, real(given));
    confirm = is.confirm ?? confirm;
    expect({ isError, is }).toEqual({ isError: false, is: shown(real(answer)) });
  }
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Conflict, client, Problem } from 'resource-api/client';
import { opened } from '../support/service/opened.ts';
import { newService, type Service, service } from '../support/service/service.ts';

type Shop = typeof import('../../functions/customers.ts') & typeof import('../../functions/orders.ts');

let started: Service;
const api = () => client<Shop>(started.url);

beforeAll(async () => {
  started = await service();
}, 40_000);
afterAll(() => started.stop());

const newOrder = async () => {
  const customer = await api().customers.create({ name: 'Acme' });
  return api().orders.create({ customerId: customer.id, productId: 1, orderValue: 43.5, quantity: 2 });
};

test('creates and reads items with the types of their fields', async () => {
  const order = await newOrder();
  const value: number | undefined = order.orderValue;
  expect(value).toBe(43.5);
  const read = await api().orders.get(order.id);
  expect(read).toMatchObject({ orderValue: 43.5, quantity: 2, status: 'created' });
  expect(read.etag).toBe(order.etag);
  expect(JSON.parse(JSON.stringify(read))).not.toHaveProperty('etag');
  await expect(api().orders.create({ quantity: 1 })).rejects.toMatchObject({
    status: 400,
    errors: [{ pointer: '/productId', detail: 'must be given' }],
  });
});

test('offers the transitions that the state allows', async () => {
  const order = await newOrder();
  expect(Object.keys(order.actions).sort()).toEqual(['cancel', 'pay']);
  const paid = await order.actions.pay?.();
  expect(paid?.status).toBe('paid');
  expect(paid?.actions.pay).toBeUndefined();
  expect(paid?.actions.place).toBeDefined();
});

test('throws a conflict with both versions if another client has changed the item', async () => {
  const order = await newOrder();
  const patched = await order.patch({ quantity: 3 });
  expect(patched.quantity).toBe(3);
  const refused = order.patch({ quantity: 4 });
  await expect(refused).rejects.toBeInstanceOf(Conflict);
  await expect(refused).rejects.toMatchObject({
    status: 412,
    mine: { quantity: 4 },
    theirs: { quantity: 3 },
    base: { quantity: 2 },
  });
});

test('changes an item of a list only if it is as the list showed it', async () => {
  const created = await newOrder();
  const query = { quantity: 2, customerId: created.customerId ?? 0, limit: 1 };
  const refused: unknown[] = [];
  for await (const order of api().orders.list(query)) {
    await created.patch({ orderValue: 7 });
    refused.push(await order.patch({ orderValue: 8 }).catch((error: unknown) => error));
  }
  expect(refused).toEqual([expect.any(Conflict)]);
  expect((await api().orders.get(created.id)).orderValue).toBe(7);
});

test('lists the items of all pages, with filters', async () => {
  const { customerId = 0 } = await newOrder();
  for (const quantity of [3, 4, 5])
    await api().orders.create({ customerId, productId: 1, orderValue: 1, quantity });
  const found: (number | undefined)[] = [];
  for await (const { quantity } of api().orders.list({
    customerId,
    'quantity.gte': 3,
    sort: 'quantity',
    limit: 1,
  }))
    found.push(quantity);
  expect(found).toEqual([3, 4, 5]);
});

test('imports many items as an operation, and removes one', async () => {
  const operation = await api().customers.import([{ name: 'one' }, { name: 'two' }]);
  expect(operation.href).toMatch(/^\/operations\/\d+$/);
  await operation.done();
  const names: (string | undefined)[] = [];
  for await (const { name } of api().customers.list({ 'name.prefix': 't' })) names.push(name);
  expect(names).toContain('two');
  const customer = await api().customers.create({ name: 'gone' });
  await customer.remove();
  await expect(api().customers.get(customer.id)).rejects.toMatchObject({ status: 404 });
});

test('repeats a creation whose response is lost, and the service has one item', async () => {
  let lost = 0;
  const unreliable: typeof fetch = async (...given) => {
    const response = await fetch(...given);
    if (lost++ === 0) throw new TypeError('the connection is lost');
    return response;
  };
  const name = 'only once';
  const { id } = await client<Shop>(started.url, { fetch: unreliable }).customers.create({ name });
  const found: number[] = [];
  for await (const one of api().customers.list({ name })) found.push(one.id);
  expect(found).toEqual([id]);
});

test('repeats a patch whose response is lost, and sees no conflict with itself', async () => {
  const { id } = await newOrder();
  let lost = 0;
  const unreliable: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init?.method === 'PATCH' && lost++ === 0) throw new TypeError('the connection is lost');
    return response;
  };
  const order = await client<Shop>(started.url, { fetch: unreliable }).orders.get(id);
  expect((await order.patch({ quantity: 9 })).quantity).toBe(9);
  expect(lost).toBe(2);
});

test('obeys Retry-After, sends a token, and says that no response came', async () => {
  const seen: (string | null)[] = [];
  const busy: typeof fetch = async (url, init) => {
    seen.push(new Headers(init?.headers).get('Authorization'));
    return seen.length < 3
      ? new Response('', { status: 503, headers: { 'Retry-After': '0' } })
      : fetch(url, init);
  };
  const { id } = await api().customers.create({ name: 'busy' });
  const token = async () => 'secret';
  expect((await client<Shop>(started.url, { fetch: busy, token }).customers.get(id)).name).toBe('busy');
  expect(seen).toEqual(['Bearer secret', 'Bearer secret', 'Bearer secret']);
  const dead: typeof fetch = async () => {
    throw new TypeError('no route');
  };
  const refused = client<Shop>(started.url, { fetch: dead }).customers.get(1);
  await expect(refused).rejects.toBeInstanceOf(Problem);
  await expect(refused).rejects.toMatchObject({ status: 0, message: 'no route' });
});

test('does not repeat a removal that may have had its effect', async () => {
  const { id } = await api().customers.create({ name: 'removed once' });
  let sent = 0;
  const unreliable: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init?.method !== 'DELETE' || sent++ > 0) return response;
    return new Response('{"title":"Unavailable"}', {
      status: 503,
      headers: { 'Retry-After': '0', 'Content-Type': 'application/problem+json' },
    });
  };
  const customer = await client<Shop>(started.url, { fetch: unreliable }).customers.get(id);
  await expect(customer.remove()).rejects.toMatchObject({ status: 503, message: 'Unavailable' });
  expect(sent).toBe(1);
});

test('throws a problem for a response of another program, which has no JSON', async () => {
  for (const status of [200, 502]) {
    const proxy: typeof fetch = async () =>
      new Response('<p>Sign in</p>', {
        status,
        headers: { 'Content-Type': 'text/html', 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' },
      });
    const refused = client<Shop>(started.url, { fetch: proxy }).customers.get(1);
    await expect(refused).rejects.toBeInstanceOf(Problem);
    await expect(refused).rejects.toMatchObject({ status });
  }
});

test('keeps its methods, and takes properties with their names as data', async () => {
  const json = '{"name":"odd","__proto__":{"href":"/evil"},"patch":1,"href":"/evil","etag":"\\"x\\""}';
  const answer = await started.client('POST', '/customers', {
    body: json,
    headers: { 'Content-Type': 'application/json' },
  });
  const customer = await api().customers.get(answer.json().id);
  expect([customer.href, customer.etag]).toEqual([answer.headers.location, answer.headers.etag]);
  expect((await customer.patch({ name: 'even' })).name).toBe('even');
  expect(Object.getPrototypeOf(customer)).toBe(Object.prototype);
});

test('calls actions of items and of the collection with their bodies', async () => {
  const { url } = await opened('custom-actions');
  const { invoices } = client<typeof import('../fixtures/custom-actions/invoices.ts')>(url);
  const made = await invoices.act('split', { amount: 7, parts: 2 });
  expect(made.amount).toBe(7);
  const reminded = await made.actions.remind?.({ text: 'Please pay', fee: 2.5 });
  expect(reminded).toMatchObject({ note: 'Please pay', reminders: 1 });
  await expect(invoices.act('split', { amount: 7, parts: 101 })).rejects.toMatchObject({ status: 409 });
}, 40_000);

test('calls actions without a body, alone and beside those with one, and selects fields', async () => {
  const { url } = await opened('ruled');
  type Ruled = typeof import('../fixtures/ruled/closed.ts') & typeof import('../fixtures/ruled/slips.ts');
  const { omegas, slips } = client<Ruled>(url);
  const made = await omegas.act('make');
  expect((await made.actions.rename?.())?.name).toBe('renamed');
  const slip = await slips.create({ name: 'a' });
  const folded = await slip.actions.fold?.();
  expect([folded?.name, folded?.actions.fold]).toEqual(['folded a', undefined]);
  const written = await folded?.actions.write?.({ text: 'b' });
  const names: unknown[] = [];
  for await (const one of slips.list({ name: 'b', fields: ['name'], sort: '-createdAt', limit: 1 })) {
    names.push([one.name, one.status]);
    await one.patch({ name: 'c' });
  }
  expect(names).toContainEqual(['b', undefined]);
  expect((await slips.get(written?.id ?? 0)).name).toBe('c');
}, 40_000);

test('follows the links of a service with a stage', async () => {
  const { url, stop } = await newService(['--stage', 'v1']);
  try {
    const { customers } = client<Shop>(url);
    const customer = await customers.create({ name: 'Acme' });
    expect((await customer.patch({ name: 'Ace' })).href).toBe(`/v1/customers/${customer.id}`);
    await (await customers.import([{ name: 'Blue Door' }])).done();
    const names: (string | undefined)[] = [];
    for await (const { name } of customers.list({ limit: 1, sort: 'name' })) names.push(name);
    expect(names).toEqual(['Ace', 'Blue Door']);
  } finally {
    await stop();
  }
}, 40_000);

test('reads the one document of a view, and the rows of all its pages', async () => {
  const views = client<typeof import('../../functions/add.ts')>(started.url);
  const { sum } = await views.add.one({ operand1: 0.1, operand2: 0.2 });
  const exact: number | undefined = sum;
  expect(exact).toBe(0.3);
  await expect(views.add.one({ operand1: 0.1, operand2: 1e40 })).rejects.toMatchObject({
    status: 400,
    errors: [{ parameter: 'operand2' }],
  });
  const { url } = await opened('lending');
  const found: number[] = [];
  const rows = client<typeof import('../fixtures/lending/numbers.ts')>(url).numbers.rows({
    below: 5,
    limit: 2,
  });
  for await (const { number } of rows) found.push(number);
  expect(found).toEqual([0, 1, 2, 3, 4]);
});

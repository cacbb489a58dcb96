import { describe, expect, test } from '@jest/globals';
import { MERGE_PATCH } from '../../../support/client/patches.ts';
import { expectProblem } from '../../../support/client/problem.ts';
import { atLeastOne } from '../../../support/expectations/at-least-one.ts';
import { create, get, send, underTest, unique } from '../../../support/service/under-test.ts';

underTest();

describe('PUT, PATCH and DELETE of an order', () => {
  test('change nothing else if PUT sends the result of GET', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const { path } = await create(`${customer.path}/orders`, { productId: 3, orderValue: 12.5, quantity: 4 });
    const before = (await get(path)).json();
    const answer = await send('PUT', path, { json: before });
    expect(answer.status).toBe(200);
    const { updatedAt: _, ...rest } = before;
    expect(answer.json()).toMatchObject(rest);
  });

  test('set a property that PUT leaves out to its default', async () => {
    const { path } = await create('/orders', { productId: 3, orderValue: 12.5, quantity: 4 });
    const answer = await send('PUT', path, { json: { productId: 5, orderValue: 1 } });
    expect(answer.json()).toMatchObject({ productId: 5, orderValue: 1, quantity: 1, status: 'created' });
    expectProblem(await send('PUT', path, { json: { quantity: 5 } }), 400, 'validation-error');
  });

  // Specification 2.6, 2.8
  test('remove the customer by null, also if the service computes the value', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const product = await create('/products', { name: unique('p'), price: 2 });
    const values = { productId: product.id, quantity: 3 };
    for (const [method, headers, json] of [
      ['PUT', {}, { ...values, customerId: null }],
      ['PATCH', MERGE_PATCH, { customerId: null, orderValue: null }],
    ] as const) {
      const { path } = await create(`${customer.path}/orders`, { ...values, orderValue: 1 });
      const answer = await send(method, path, { json, headers });
      expect([answer.status, answer.json().orderValue, answer.json().customerId]).toEqual([
        200,
        6,
        undefined,
      ]);
      expectProblem(await get(`${path}/customer`), 404);
    }
  });

  // Specification 2.18
  test('refuse an orderId that differs from the path with 400', async () => {
    const { path, id, etag } = await create('/orders', { productId: 3, orderValue: 12.5 });
    expectProblem(await send('PUT', path, { json: { orderId: id + 1, productId: 1, orderValue: 1 } }), 400);
    expect((await get(path)).headers.etag).toBe(etag);
  });

  test('get 204, then 404, and lists no longer show the order', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const { path } = await create(`${customer.path}/orders`, { productId: 3, orderValue: 12.5 });
    expect((await send('DELETE', path)).status).toBe(204);
    for (const below of ['', '/customer', '/products']) expectProblem(await get(`${path}${below}`), 404);
    expectProblem(await send('DELETE', path), 404);
    expect((await get(`${customer.path}/orders`)).json().items).toEqual([]);
  });

  // Specification 2.12
  test('add an undeclared property by merge patch', async () => {
    const { path } = await create('/orders', { productId: 3, orderValue: 12.5 });
    const answer = await send('PATCH', path, { json: { color: 'red', quantity: 9 }, headers: MERGE_PATCH });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ color: 'red', quantity: 9 });
  });
});

// Specification 2.3
describe('ids as decimal text', () => {
  test('name the customer, the product and the order, and come back as numbers', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const wanted = { productId: 7, orderValue: 1, customerId: customer.id };
    const texts = { ...wanted, productId: '7', customerId: String(customer.id) };
    const { path, id, answer } = await create('/orders', texts);
    expect(answer.json()).toMatchObject(wanted);
    expect((await create(`${customer.path}/orders`, texts)).answer.json()).toMatchObject(wanted);
    const put = await send('PUT', path, { json: { ...texts, orderId: String(id), productId: '8' } });
    expect([put.status, put.json().productId, put.json().orderId]).toEqual([200, 8, id]);
    const changes = { orderId: String(id), customerId: String(customer.id), productId: '9', orderValue: 1 };
    const patched = await send('PATCH', path, { json: changes, headers: MERGE_PATCH });
    expect([patched.status, patched.json().productId, patched.json().customerId]).toEqual([
      200,
      9,
      customer.id,
    ]);
    const operations = [
      { op: 'replace', path: '/productId', value: '10' },
      { op: 'replace', path: '/orderValue', value: 1 },
    ];
    const headers = { 'Content-Type': 'application/json-patch+json' };
    expect((await send('PATCH', path, { json: operations, headers })).json().productId).toBe(10);
  });

  test.each(['07', '+7', '7.0', ' 7', '', '9007199254740992', '-1'])(
    'get 400 if they are not canonical: %j',
    async (text) => {
      expectProblem(
        await send('POST', '/orders', { json: { productId: text, orderValue: 1 } }),
        400,
        'validation-error',
      );
      const { path, id } = await create('/orders', { productId: 3, orderValue: 1 });
      const json = { orderId: text.replace('7', String(id)), productId: 3, orderValue: 1 };
      expectProblem(await send('PUT', path, { json }), 400, 'validation-error');
    },
  );
});

// Specification 2.3
describe('an identifier in a form', () => {
  const edit = async (body: string) => {
    const { path } = await create('/orders', { productId: 1, orderValue: 1 });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return send('POST', `${path}/edit`, { headers, body });
  };

  test('counts in its canonical text, and comes back as a number', async () => {
    const answer = await edit('productId=115&orderValue=1');
    expect([answer.status, answer.json().productId]).toEqual([200, 115]);
  });

  test.each(['0115', '1e2', '115.0', '%2B115', '9007199254740992'])('gets 400 as %s', async (text) => {
    const answer = await edit(`productId=${text}`);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toMatchObject([{ pointer: '/productId' }]);
  });
});

// Specification 2.46, 2.51
test('responses without content name the fields that select them in Vary', async () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
  const { path } = await create('/orders', { productId: 1, orderValue: 1 });
  const seen = await send('POST', `${path}/edit`, { headers: form, body: 'quantity=2' });
  const removed = await send('DELETE', path);
  for (const [answer, status] of [
    [seen, 303],
    [removed, 204],
  ] as const)
    expect([answer.status, answer.headers.vary]).toEqual([status, 'Accept, Prefer, Origin']);
  const minimal = { Prefer: 'return=minimal' };
  const made = await send('POST', '/orders', { json: { productId: 1, orderValue: 1 }, headers: minimal });
  const slash = await send('GET', '/orders/');
  expect([made.status, slash.status]).toEqual([201, 308]);
  for (const { headers, text } of [seen, removed, made, slash]) {
    expect(text).toBe('');
    expect(headers).not.toHaveProperty('content-type');
  }
});

// Specification 2.7, 2.8, 2.16
test('a PUT does with each property what the description says of it', async () => {
  const { components } = (await get('/openapi.json')).json() as unknown as {
    components: { schemas: Record<string, { properties: Record<string, { description: string }> }> };
  };
  const customer = await create('/customers', { name: unique('c') });
  const { properties } = components.schemas.OrderInput ?? { properties: {} };
  const values = { productId: 1, quantity: 2, orderValue: 5, customerId: customer.id };
  expect(Object.keys(properties).sort()).toEqual(Object.keys(values).sort());
  for (const [name, { description }] of atLeastOne(Object.entries(properties))) {
    if (name === 'productId') continue;
    const { path } = await create('/orders', values);
    const put = async (json: object) => (await send('PUT', path, { json })).json()[name];
    const { [name as keyof typeof values]: value, ...others } = values;
    const isKept = description.includes('A PUT without it keeps it, and null removes it.');
    expect([name, (await put(others)) === value]).toEqual([name, isKept]);
    expect([name, (await put({ ...others, [name]: null })) === undefined]).toEqual([name, isKept]);
  }
});

import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };
const customer = () =>
  create('/customers', { name: unique('customer'), address: 'Quay 1', email: 'a@example.com' });

describe('/customers and /customers/{id}', () => {
  test('create, read, update, change and remove a customer', async () => {
    const one = await customer();
    expect(one.path).toBe(`/customers/${one.id}`);
    expect((await get(one.path)).json()).toEqual(one.answer.json());
    const put = await send('PUT', one.path, { json: { name: 'B', vatId: 'X1' } });
    expect(put.status).toBe(200);
    expect(put.json()).toMatchObject({ id: one.id, name: 'B', vatId: 'X1' });
    expect(put.json()).not.toHaveProperty('address');
    const patched = await send('PATCH', one.path, { json: { address: 'C' }, headers: MERGE_PATCH });
    expect(patched.json()).toMatchObject({ name: 'B', address: 'C', vatId: 'X1' });
    expect((await send('DELETE', one.path)).status).toBe(204);
    expectProblem(await get(one.path), 404);
    // Specification C.81, 1.2: PUT updates a customer only if it exists.
    expectProblem(await send('PUT', one.path, { json: { name: 'B' } }), 404);
    expectProblem(await send('DELETE', one.path), 404);
  });

  // Specification C.125, 1.8
  test('refuse POST on a customer with 405', async () => {
    const one = await customer();
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
    ]) {
      const answer = await send('POST', one.path, { body: 'name=x', headers: { 'Content-Type': type } });
      expectProblem(answer, 405);
    }
    expect((await get(one.path)).headers.etag).toBe(one.etag);
  });

  // Specification 8.4
  test('keep the orders of a deleted customer', async () => {
    const one = await customer();
    const order = await create(`${one.path}/orders`, { productId: 1, orderValue: 2 });
    expect((await send('DELETE', one.path)).status).toBe(204);
    expect((await get(order.path)).status).toBe(200);
    expectProblem(await get(`${order.path}/customer`), 404);
    expectProblem(await get(`${one.path}/orders`), 404);
  });

  test('link the orders of the customer', async () => {
    const one = await customer();
    const hrefs = one.answer.json().links.map(({ href }) => href);
    expect(hrefs).toContain(`${one.path}/orders`);
  });
});

describe('/customers/{id}/orders', () => {
  test("creates an order for the customer and lists only the customer's orders", async () => {
    const [one, two] = [await customer(), await customer()];
    const order = await create(`${one.path}/orders`, { productId: 1, orderValue: 2, quantity: 3 });
    expect(order.path).toBe(`/orders/${order.id}`);
    expect(order.answer.json()).toMatchObject({
      customerId: one.id,
      productId: 1,
      orderValue: 2,
      quantity: 3,
    });
    const elsewhere = await create(`${two.path}/orders`, { productId: 1, orderValue: 2 });
    const free = await create('/orders', { productId: 1, orderValue: 2 });
    const ids = (await get(`${one.path}/orders`)).json().items.map(({ orderId }) => orderId);
    expect(ids).toEqual([order.id]);
    expect(ids).not.toContain(elsewhere.id);
    expect(ids).not.toContain(free.id);
  });

  // Specification 1.13
  test('gets 404 for a missing customer before any other error', async () => {
    for (const path of ['/customers/1/orders', '/customers/x/orders', '/customers/9007199254740993/orders']) {
      expectProblem(await get(path), 404);
      expectProblem(await send('HEAD', path), 404);
      expectProblem(await send('POST', path, { json: { productId: 1, orderValue: 1 } }), 404);
      const conditional = { json: { productId: 1, orderValue: 1 }, headers: { 'If-Match': '"x"' } };
      expectProblem(await send('POST', path, conditional), 404);
      for (const body of ['{', '{}', '{"productId":"x"}']) {
        expectProblem(
          await send('POST', path, { body, headers: { 'Content-Type': 'application/json' } }),
          404,
        );
      }
      expectProblem(await get(`${path}?limit=x`), 404);
    }
  });

  // Specification 1.13
  test('gets 409 for a customerId that differs from the path', async () => {
    const [one, two] = [await customer(), await customer()];
    const path = `${one.path}/orders`;
    for (const customerId of [two.id, 1]) {
      expectProblem(
        await send('POST', path, { json: { productId: 1, orderValue: 1, customerId } }),
        409,
        'conflict',
      );
    }
    expect((await get(path)).json().items).toEqual([]);
    const answer = await send('POST', path, { json: { productId: 1, orderValue: 1, customerId: one.id } });
    expect(answer.status).toBe(201);
  });

  test("shows an order in the new customer's list after its customer has changed", async () => {
    const [one, two] = [await customer(), await customer()];
    const order = await create(`${one.path}/orders`, { productId: 1, orderValue: 1 });
    const moved = await send('PATCH', order.path, { json: { customerId: two.id }, headers: MERGE_PATCH });
    expect(moved.status).toBe(200);
    const ids = async ({ path }: { path: string }) =>
      (await get(`${path}/orders`)).json().items.map(({ orderId }) => orderId);
    expect([await ids(one), await ids(two)]).toEqual([[], [order.id]]);
    expect((await get(`${order.path}/customer`)).json().id).toBe(two.id);
    // Specification 2.9
    expectProblem(await send('PATCH', order.path, { json: { customerId: 1 }, headers: MERGE_PATCH }), 409);
  });

  // One transaction contains the order and the check of the customer.
  test('has no order of a customer who was deleted during its creation', async () => {
    const one = await customer();
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () =>
        send('POST', `${one.path}/orders`, { json: { productId: 1, orderValue: 1 } }),
      ),
      send('DELETE', one.path),
      ...Array.from({ length: 6 }, () =>
        send('POST', `${one.path}/orders`, { json: { productId: 1, orderValue: 1 } }),
      ),
    ]);
    for (const { status } of answers) expect([201, 204, 404, 409, 503]).toContain(status);
    expectProblem(await send('POST', `${one.path}/orders`, { json: { productId: 1, orderValue: 1 } }), 404);
  });
});

describe('navigation has one level', () => {
  // Specification 1.10
  test.each([
    ['/customers/1/orders/99/products', '/orders/99/products'],
    ['/customers/1/orders/99', '/orders/99'],
    ['/customers/1/orders/99/customer', '/orders/99/customer'],
  ])('%s gets 404 with a link to %s', async (path, href) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await send(method, path, method === 'GET' || method === 'HEAD' ? {} : { json: {} });
      expectProblem(answer, 404);
      if (method !== 'HEAD') expect(answer.json().links).toContainEqual(expect.objectContaining({ href }));
    }
  });

  test('a chained path that no GET can read gets 404 without a link', async () => {
    for (const method of ['GET', 'POST']) {
      const answer = await send(method, '/customers/1/orders/99/pay');
      expectProblem(answer, 404);
      expect(answer.json()).not.toHaveProperty('links');
    }
  });

  test.each([
    '/orders/1/customer/orders',
    '/members/1/orders',
    '/nothing',
    '/customers/1/products',
    '/products/1/orders/2/x/y',
  ])('%s gets 404', async (path) => expectProblem(await get(path), 404));
});

// Specification 1.13
test.each([
  ['an unknown media type', 'text/calendar', 'a,b'],
  ['no JSON', 'application/json', '{'],
  ['a body that is too large', 'application/json', `{"note":"${'x'.repeat(1_000_001)}"}`],
  ['a malformed form', 'application/x-www-form-urlencoded', '%zz'],
])('a missing customer gets 404 before %s is checked', async (_, type, body) => {
  expectProblem(await send('POST', '/customers/1/orders', { headers: { 'Content-Type': type }, body }), 404);
  const { path } = await create('/customers', { name: unique('c') });
  const { status } = await send('POST', `${path}/orders`, { headers: { 'Content-Type': type }, body });
  expect([400, 413, 415]).toContain(status);
});

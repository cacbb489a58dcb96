import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../support/problem.ts';
import { create, get, send, underTest, unique } from '../support/under-test.ts';

underTest();

const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };
const customer = () =>
  create('/customers', { name: unique('customer'), address: 'Quay 1', email: 'a@example.com' });

describe('/customers and /customers/{id}', () => {
  test('create, read, update if it exists, partial change, remove', async () => {
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
    // "update, if the customer exists": "PUT on a missing item → 404"
    expectProblem(await send('PUT', one.path, { json: { name: 'B' } }), 404);
    expectProblem(await send('DELETE', one.path), 404);
  });

  // "POST `/customers/{id}`: error" → 405
  test('POST on a customer → 405', async () => {
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

  // "Deleting a customer … 204 and their orders stay, `/orders/{id}/customer` then 404."
  test('deleted: the orders stay, without their customer', async () => {
    const one = await customer();
    const order = await create(`${one.path}/orders`, { productId: 1, orderValue: 2 });
    expect((await send('DELETE', one.path)).status).toBe(204);
    expect((await get(order.path)).status).toBe(200);
    expectProblem(await get(`${order.path}/customer`), 404);
    expectProblem(await get(`${one.path}/orders`), 404);
  });

  test('the customer links the orders', async () => {
    const one = await customer();
    const hrefs = one.answer.json().links.map(({ href }) => href);
    expect(hrefs).toContain(`${one.path}/orders`);
  });
});

describe('/customers/{id}/orders', () => {
  test('create an order for the customer; list only theirs', async () => {
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

  // "A missing customer under `/customers/{id}/orders` → 404 before anything else"
  test('a missing customer → 404 before anything else', async () => {
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

  // "a `customerId` in the body that differs from the path → 409"
  test('a customerId that differs from the path → 409', async () => {
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

  test('orders whose customer changes move between the lists', async () => {
    const [one, two] = [await customer(), await customer()];
    const order = await create(`${one.path}/orders`, { productId: 1, orderValue: 1 });
    const moved = await send('PATCH', order.path, { json: { customerId: two.id }, headers: MERGE_PATCH });
    // That the customer of an order may be changed is nowhere forbidden; refused with 409 the lists stay.
    const ids = async ({ path }: { path: string }) =>
      (await get(`${path}/orders`)).json().items.map(({ orderId }) => orderId);
    if (moved.status === 200) {
      expect([await ids(one), await ids(two)]).toEqual([[], [order.id]]);
      expect((await get(`${order.path}/customer`)).json().id).toBe(two.id);
      // "an unknown `customerId` → 409"
      expectProblem(await send('PATCH', order.path, { json: { customerId: 1 }, headers: MERGE_PATCH }), 409);
    } else {
      expectProblem(moved, 409);
      expect([await ids(one), await ids(two)]).toEqual([[order.id], []]);
    }
  });

  // One transaction or none: the customer is checked with the order.
  test('orders created while the customer is deleted have no customer they should not have', async () => {
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

describe('one level of navigation', () => {
  // "`/customers/1/orders/99/products` → 404 whose problem links `/orders/99/products`"
  test.each([
    ['/customers/1/orders/99/products', '/orders/99/products'],
    ['/customers/1/orders/99', '/orders/99'],
    ['/customers/1/orders/99/customer', '/orders/99/customer'],
  ])('%s → 404 whose problem links %s', async (path, href) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await send(method, path, method === 'GET' || method === 'HEAD' ? {} : { json: {} });
      expectProblem(answer, 404);
      if (method !== 'HEAD') expect(answer.json().links).toContainEqual(expect.objectContaining({ href }));
    }
  });

  test.each([
    '/orders/1/customer/orders',
    '/members/1/orders',
    '/nothing',
    '/customers/1/products',
    '/products/1/orders/2/x/y',
  ])('%s → 404', async (path) => expectProblem(await get(path), 404));
});

// "A missing customer under `/customers/{id}/orders` → 404 before anything else"
test.each([
  ['a media type nobody knows', 'text/csv', 'a,b'],
  ['no JSON', 'application/json', '{'],
  ['a body that is too large', 'application/json', `{"note":"${'x'.repeat(1_000_001)}"}`],
  ['a form that is none', 'application/x-www-form-urlencoded', '%zz'],
])('a missing customer is told before %s', async (_, type, body) => {
  expectProblem(await send('POST', '/customers/1/orders', { headers: { 'Content-Type': type }, body }), 404);
  const { path } = await create('/customers', { name: unique('c') });
  const { status } = await send('POST', `${path}/orders`, { headers: { 'Content-Type': type }, body });
  expect([400, 413, 415]).toContain(status);
});

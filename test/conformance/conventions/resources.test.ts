import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Resources and their properties. Source: Specification C.19 to C.35. */
underTest();

describe('collections, items and their identifiers', () => {
  // Specification C.19, C.21, C.22, C.26
  test.each([
    ['members', 'id'],
    ['customers', 'id'],
    ['orders', 'orderId'],
    ['products', 'id'],
  ])('%s have their items at /{id} with the identifier %s', async (name, identifier) => {
    const { path, answer } = await create(`/${name}`, { name: 'a', productId: 1, orderValue: 1 });
    const id = answer.json()[identifier];
    expect(path).toBe(`/${name}/${id}`);
    expect((await get(path)).json()[identifier]).toBe(id);
  });

  // Specification C.20
  test('files are at /files/{filename} and the client chooses the name', async () => {
    const name = unique('f');
    expect((await send('PUT', `/files/${name}`, { body: 'x' })).json().filename).toBe(name);
    const listed = (await get(`/files?filename.prefix=${name}`)).json().items.map(({ filename }) => filename);
    expect(listed).toContain(name);
  });

  // Specification C.23 to C.25, C.27
  test('related resources are one level below an item', async () => {
    const product = await create('/products', { name: 'p', price: 2 });
    const customer = await create('/customers', { name: 'c' });
    const order = await create(`${customer.path}/orders`, { productId: product.id, quantity: 3 });
    const orders = (await get(`${customer.path}/orders`)).json().items;
    expect(orders.map(({ orderId }) => orderId)).toEqual([order.id]);
    expect((await get(`${order.path}/customer`)).json()).toMatchObject({ id: customer.id, name: 'c' });
    const products = (await get(`${order.path}/products`)).json().items;
    expect(products.map(({ id }) => id)).toEqual([product.id]);
  });

  // Specification C.28, C.29
  test('deeper paths get 404 with a link to the right resource', async () => {
    const answer = await get('/customers/1/orders/99/products');
    expectProblem(answer, 404);
    expect(answer.json().links.map(({ href }) => href)).toEqual(['/orders/99/products']);
  });
});

describe('the JSON representation of an order', () => {
  // Specification C.30 to C.33
  test('has its four properties with their types', async () => {
    const { path } = await create('/orders', { productId: 7, quantity: 3, orderValue: 19.9 });
    const { text } = await get(path);
    const order = JSON.parse(text);
    for (const name of ['orderId', 'productId', 'quantity']) expect(Number.isInteger(order[name])).toBe(true);
    expect(order).toMatchObject({ productId: 7, quantity: 3, orderValue: 19.9 });
    expect(text).toContain('"orderValue":19.9,');
  });

  test.each([
    { productId: 'seven' },
    { productId: 7.5 },
    { productId: 7, quantity: 'two' },
    { productId: 7, quantity: 1.5 },
    { productId: 7, orderValue: '19.9' },
    { productId: 7, orderValue: true },
  ])('refuses values of other types: %j', async (values) => {
    expectProblem(await send('POST', '/orders', { json: { orderValue: 1, ...values } }), 400);
  });
});

// Specification C.34
test('a product has a binary image', async () => {
  const image = await get('/products/1?fields=productImage');
  expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png']);
  expect(image.bytes.subarray(1, 4).toString()).toBe('PNG');
});

// Specification C.35
test('every link of a representation leads to an existing resource', async () => {
  const customer = await create('/customers', { name: 'c' });
  const order = await create(`${customer.path}/orders`, { productId: 1 });
  for (const path of [customer.path, order.path, '/products/1', '/orders', '/']) {
    const { links } = (await get(path)).json();
    expect(links.length).toBeGreaterThan(0);
    // A template leads to a resource after its expansion.
    for (const { href, method, templated } of links)
      if (method === 'GET' && !templated)
        expect({ href, status: (await get(href)).status }).toEqual({ href, status: 200 });
  }
  const rels = (await get(order.path)).json().links.map(({ rel }) => rel);
  expect(rels).toEqual(expect.arrayContaining(['self', 'customer', 'products', 'collection']));
});

import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/problem.ts';
import { create, get, send, underTest, unique } from '../../support/under-test.ts';

/** Conventions, "Resources and their fields": each row and statement, quoted. */
underTest();

describe('collections, items and their identifiers', () => {
  // "Member | `/members` | `/members/{id}` | `{id}`", and so for customer, order and product
  test.each([
    ['members', 'id'],
    ['customers', 'id'],
    ['orders', 'orderId'],
    ['products', 'id'],
  ])('/%s/{id}: the identifier is %s', async (name, identifier) => {
    const { path, answer } = await create(`/${name}`, { name: 'a', productId: 1, orderValue: 1 });
    const id = answer.json()[identifier];
    expect(path).toBe(`/${name}/${id}`);
    expect((await get(path)).json()[identifier]).toBe(id);
  });

  // "File | `/files` | `/files/{filename}` | `{filename}`, chosen by the client"
  test('/files/{filename}', async () => {
    const name = unique('f');
    expect((await send('PUT', `/files/${name}`, { body: 'x' })).json().filename).toBe(name);
    const listed = (await get('/files?limit=1000')).json().items.map(({ filename }) => filename);
    expect(listed).toContain(name);
  });

  // "Customer's orders | `/customers/{id}/orders`"; "Order's customer | `/orders/{id}/customer`";
  // "Order's products | `/orders/{id}/products`"; "Relationships are shown by hierarchical paths."
  test('related resources lie one level below', async () => {
    const product = await create('/products', { name: 'p', price: 2 });
    const customer = await create('/customers', { name: 'c' });
    const order = await create(`${customer.path}/orders`, { productId: product.id, quantity: 3 });
    const orders = (await get(`${customer.path}/orders`)).json().items;
    expect(orders.map(({ orderId }) => orderId)).toEqual([order.id]);
    expect((await get(`${order.path}/customer`)).json()).toMatchObject({ id: customer.id, name: 'c' });
    const products = (await get(`${order.path}/products`)).json().items;
    expect(products.map(({ id }) => id)).toEqual([product.id]);
  });

  // "Navigation is kept to one level. Paths that chain several levels (customer, then order, then products) are avoided.
  // A client gets an order's products from the order, not through the customer."
  test('deeper paths lead nowhere, but say where to go', async () => {
    const answer = await get('/customers/1/orders/99/products');
    expectProblem(answer, 404);
    expect(answer.json().links.map(({ href }) => href)).toEqual(['/orders/99/products']);
  });
});

describe('"Order representation (JSON)"', () => {
  // "orderId | integer"; "orderValue | number (decimal)"; "productId | integer"; "quantity | integer"
  test('has its four fields with their types', async () => {
    const { path } = await create('/orders', { productId: 7, quantity: 3, orderValue: 19.9 });
    const { text } = await get(path);
    const order = JSON.parse(text);
    for (const name of ['orderId', 'productId', 'quantity']) expect(Number.isInteger(order[name])).toBe(true);
    expect(order).toMatchObject({ productId: 7, quantity: 3, orderValue: 19.9 });
    expect(text).toContain('"orderValue":19.9,');
  });

  test.each([
    { productId: '7' },
    { productId: 7.5 },
    { productId: 7, quantity: 'two' },
    { productId: 7, quantity: 1.5 },
    { productId: 7, orderValue: '19.9' },
    { productId: 7, orderValue: true },
  ])('other types are refused: %j', async (values) => {
    expectProblem(await send('POST', '/orders', { json: { orderValue: 1, ...values } }), 400);
  });
});

// "The product resource has a binary image, retrievable through the query parameter `fields=productImage`."
test('a product has an image', async () => {
  const image = await get('/products/1?fields=productImage');
  expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png']);
  expect(image.bytes.subarray(1, 4).toString()).toBe('PNG');
});

// "Representations may carry hypermedia links to related resources."
test('representations link to what is related, and each link leads there', async () => {
  const customer = await create('/customers', { name: 'c' });
  const order = await create(`${customer.path}/orders`, { productId: 1 });
  for (const path of [customer.path, order.path, '/products/1', '/orders', '/']) {
    const { links } = (await get(path)).json();
    expect(links.length).toBeGreaterThan(0);
    for (const { href, method } of links)
      if (method === 'GET') expect({ href, status: (await get(href)).status }).toEqual({ href, status: 200 });
  }
  const rels = (await get(order.path)).json().links.map(({ rel }) => rel);
  expect(rels).toEqual(expect.arrayContaining(['self', 'customer', 'products', 'collection']));
});

import { describe, expect, test } from '@jest/globals';
import { BROWSER, rowsOf, sectionsOf, unescaped } from '../../support/client/page.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** The lists on the page of an item. Source: Specification 6.3. */
underTest();

const ordersOf = async (path: string) => sectionsOf((await get(path, BROWSER)).text).get('Orders') ?? '';

describe('the page of a customer', () => {
  test('shows its five latest orders, newest first, with names, money and badges', async () => {
    const product = await create('/products', { name: unique('Cup') });
    const customer = await create('/customers', { name: 'Acme & Sons' });
    const other = await create('/customers', { name: 'Other' });
    await create(`${other.path}/orders`, { productId: product.id, orderValue: 99 });
    const orders = [];
    for (let value = 1; value <= 6; value += 1)
      orders.push(await create(`${customer.path}/orders`, { productId: product.id, orderValue: value }));
    const section = await ordersOf(customer.path);
    const [head, ...rows] = rowsOf(section);
    expect(head).toEqual(['Order', 'Value', 'Product', 'Quantity', 'Status', 'Created']);
    const links = [...section.matchAll(/<th><a href="\/orders\/(\d+)"/g)];
    expect(links.map(([, id]) => Number(id))).toEqual(
      orders
        .slice(1)
        .reverse()
        .map(({ id }) => id),
    );
    expect(rows[0]).toEqual([
      String(orders[5]?.id),
      '6.00 EUR',
      expect.stringMatching(/^Cup/),
      '1',
      'created',
      expect.stringMatching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/),
    ]);
    expect(section).toContain('<b class=waiting>created</b>');
    expect(section).toContain(`<a href=${product.path}>`);
    expect(section).toContain(`<a href="${orders[5]?.path}">`);
  });

  test('says how many orders there are, up to 100', async () => {
    const customer = await create('/customers', { name: 'Acme' });
    const add = (count: number) =>
      Promise.all(Array.from({ length: count }, () => create(`${customer.path}/orders`, { productId: 1 })));
    await add(3);
    expect(await ordersOf(customer.path)).toContain('>All orders of Acme</a> (3)');
    await add(4);
    expect(await ordersOf(customer.path)).toContain('>All orders of Acme</a> (7)');
    await add(94);
    expect(await ordersOf(customer.path)).toContain('>All orders of Acme</a> (more than 100)');
  });

  test('leads to all orders, and to the form for a new order of this customer', async () => {
    const customer = await create('/customers', { name: 'Acme & Sons' });
    const section = await ordersOf(customer.path);
    expect(section).toContain('There are no orders yet.');
    expect(section).toContain(
      `<a href="${customer.path}/orders?sort=-orderId">All orders of Acme &amp; Sons</a>`,
    );
    const form = `/orders/new?customerId=${customer.id}`;
    expect(section).toContain(`href="${form}">New order</a>`);
    expect((await get(form, BROWSER)).text).toContain(`value="${customer.id} Acme &amp; Sons"`);
  });

  test('shows the number of a product that is gone', async () => {
    const customer = await create('/customers', { name: 'Acme' });
    await create(`${customer.path}/orders`, { productId: 999_999, orderValue: 1 });
    expect(rowsOf(await ordersOf(customer.path))[1]?.[2]).toBe('999999 (gone)');
  });

  test('names the orders once: no other link of the page leads to them', async () => {
    const customer = await create('/customers', { name: 'Acme' });
    const { text } = await get(customer.path, BROWSER);
    expect(text.split(`href="${customer.path}/orders`)).toHaveLength(2);
  });

  test('has no order in other formats, and no list after a write', async () => {
    const customer = await create('/customers', { name: 'Acme' });
    await create(`${customer.path}/orders`, { productId: 1 });
    const json = (await get(customer.path)).json();
    expect(Object.keys(json)).toEqual(['id', 'name', 'createdAt', 'updatedAt', 'links']);
    const written = await send('PUT', customer.path, {
      headers: { Accept: 'text/html' },
      json: { name: 'B' },
    });
    expect(sectionsOf(written.text).size).toBe(0);
    expect(written.text).toContain(`href="${customer.path}/orders"`);
  });
});

// Specification 6.12
const browse = async (path: string) => unescaped((await get(path, BROWSER)).text);

test('the deletion of a customer counts its orders, with a link, and says that they stay', async () => {
  const { path, id } = await create('/customers', { name: unique('Acme') });
  expect(await browse(`${path}/delete`)).toContain('<li>No orders refer to it.</li>');
  const link = (text: string) => `<a href="/orders?customerId=${id}&sort=-orderId">${text}</a>`;
  await create(`${path}/orders`, { productId: 1 });
  expect(await browse(`${path}/delete`)).toContain(
    `<li>${link('1 order')} refers to it. It stays and loses the reference.</li>`,
  );
  const json = Array.from({ length: 101 }, () => ({ productId: 1, orderValue: 1 }));
  expect((await send('POST', `${path}/orders`, { json: json.slice(0, 50) })).status).toBe(201);
  expect(await browse(`${path}/delete`)).toContain(
    `${link('51 orders')} refer to it. They stay and lose the reference.`,
  );
  expect((await send('POST', `${path}/orders`, { json: json.slice(0, 50) })).status).toBe(201);
  expect(await browse(`${path}/delete`)).toContain(link('More than 100 orders'));
});

test('the deletion of a product counts its orders, which keep its number', async () => {
  const { path, id } = await create('/products', { name: unique('Mug'), price: 1 });
  await Promise.all([create('/orders', { productId: id }), create('/orders', { productId: id })]);
  expect(await browse(`${path}/delete`)).toContain(
    `<a href="/orders?productId=${id}&sort=-orderId">2 orders</a> refer to it. They stay and keep the number.`,
  );
});

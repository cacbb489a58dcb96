import { expect, test } from '@jest/globals';
import { BROWSER, unescaped } from '../../support/client/page.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** What refers to an item, on the page before its deletion. Source: Specification 6.12. */
underTest();

const browse = async (path: string) => unescaped((await get(path, BROWSER)).text);

test('the deletion of a customer counts its orders, with a link, and says that they stay', async () => {
  const { path, id } = await create('/customers', { name: unique('Acme') });
  expect(await browse(`${path}/delete`)).toContain('<li>No orders refer to it.</li>');
  const link = (text: string) => `<a href="/orders?customerId=${id}">${text}</a>`;
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
    `<a href="/orders?productId=${id}">2 orders</a> refer to it. They stay and keep the number.`,
  );
});

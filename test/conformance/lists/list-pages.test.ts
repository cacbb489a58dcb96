import { beforeAll, describe, expect, test } from '@jest/globals';
import { BROWSER, formsOf, headingOf, unescaped } from '../../support/client/page.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Lists for people. Source: Specification 2.37, 4.1, 4.12. */
underTest();

const browse = async (path: string) => (await get(path, BROWSER)).text;
const rangeOf = (page: string) => /<p class="range">([^<]*)</.exec(page)?.[1]?.trim();
const category = unique('c');

beforeAll(async () => {
  for (const [name, price] of [
    ['Cup', 14.5],
    ['Can', 0.125],
    ['Jug', 348],
  ])
    await create('/products', { name: `${name} ${category}`, category, price });
});

describe('the form above a list', () => {
  test('searches by the first letters of the title, and keeps the order', async () => {
    const page = await browse(`/products?category=${category}&sort=-price`);
    const form = formsOf(page).find(({ method }) => method === 'get');
    const sent = new URLSearchParams([...(form?.inputs ?? [])]);
    expect([sent.get('sort'), sent.get('category')]).toEqual(['-price', category]);
    sent.set('name.prefix', 'Ca');
    const found = await browse(`${form?.action}?${sent}`);
    expect(found).toContain(`>Can ${category}</a>`);
    expect(rangeOf(found)).toBe('1 of 1');
  });

  test('sets the number of rows, and shows the present one', async () => {
    const form = (page: string) => formsOf(page).find(({ method }) => method === 'get')?.inputs;
    expect(form(await browse('/products'))?.get('limit')).toBe('100');
    expect(form(await browse('/products?limit=7'))?.get('limit')).toBe('7');
  });

  test('offers the states of orders at once', async () => {
    const [, first = ''] = /<div class="row">([\s\S]*?)<\/div>/.exec(await browse('/orders')) ?? [];
    expect(first).toContain('<option>paid</option>');
  });

  test('says that nothing matches, and leads to the whole list', async () => {
    const page = await browse(`/products?name.prefix=${unique('none')}`);
    expect(page).toContain('No products match these filters.');
    expect(page).toContain('<a href="/products">Show all</a>');
  });
});

describe('a list', () => {
  test('says that it has no items yet, or no more items after an offset', async () => {
    const { path } = await create('/customers', { name: 'Acme' });
    expect(await browse(`${path}/orders`)).toContain('There are no orders yet.');
    expect(await browse(`${path}/orders?offset=1`)).toContain('There are no more orders.');
  });

  test('says which items it shows, and how many there are if it shows the last one', async () => {
    const path = `/products?category=${category}&limit=2`;
    const first = await browse(path);
    expect(rangeOf(first)).toBe('1–2, and more follow.');
    const next = unescaped(/<a rel="next" href="([^"]+)"/.exec(first)?.[1] ?? '');
    expect(rangeOf(await browse(next))).toBe('3 of 3');
    const counted = await get(path, { ...BROWSER, Prefer: 'count=exact' });
    expect(rangeOf(counted.text)).toBe('1–2 of 3');
    const link = unescaped(/<a href="([^"]+)">Count all</.exec(first)?.[1] ?? '');
    const byLink = await get(link, BROWSER);
    expect(rangeOf(byLink.text)).toBe('1–2 of 3');
    expect(byLink.headers['preference-applied']).toBeUndefined();
    // API clients say it with Prefer.
    expect((await get(link)).json().total).toBeUndefined();
  });

  test('shows money with two decimals and with every digit', async () => {
    const page = await browse(`/products?category=${category}&sort=price`);
    const prices = [...page.matchAll(/data-label="Price" class="number">([^<]*)</g)].map(([, one]) => one);
    expect(prices).toEqual(['0.125 EUR', '14.50 EUR', '348.00 EUR']);
  });

  test('has a column for each property that an item has', async () => {
    const kind = unique('c');
    await create('/products', { name: 'Cup', category: kind, color: 'red' });
    await create('/products', { name: 'Can', category: kind });
    const page = await browse(`/products?category=${kind}`);
    expect([...page.matchAll(/data-label="Color">([^<]*)</g)].map(([, one]) => one)).toEqual(['red', '']);
    expect(page).not.toContain('data-label="Size"');
  });

  test('shows an e-mail address as a link on the page of its item', async () => {
    const customer = await create('/customers', { name: 'Acme', email: 'a+b@acme.example' });
    expect(await browse(customer.path)).toContain('<a href="mailto:a%2Bb@acme.example">a+b@acme.example</a>');
  });

  test('shows the status of an order as a badge', async () => {
    const customer = await create('/customers', { name: 'Acme & Sons' });
    await create(`${customer.path}/orders`, { productId: 1 });
    const page = await browse(`${customer.path}/orders`);
    expect(page).toContain('<span class="badge waiting">created</span>');
    // An identifier of another item is no number to compare.
    expect(page).toContain('data-label="Quantity" class="number">');
    expect(page).toContain('data-label="Product">');
    expect(unescaped(headingOf(page))).toBe('Orders of Acme & Sons');
  });

  test('shows the size of a file with a unit', async () => {
    const name = `${unique('f')}.bin`;
    await send('PUT', `/files/${name}`, { body: 'x'.repeat(3160) });
    expect(await browse(`/files?filename.prefix=${name}`)).toContain('class="number">3.2 kB</td>');
  });
});

describe('a list of files', () => {
  test('shows a small image as a thumbnail, and no other file', async () => {
    const name = unique('f');
    const put = (ending: string, type: string, body: string) =>
      send('PUT', `/files/${name}.${ending}`, { body, headers: { 'Content-Type': type } });
    await put('png', 'image/png', 'small');
    await put('txt', 'text/plain', 'small');
    await put('gif', 'image/gif', 'x'.repeat(1_000_001));
    const page = await browse(`/files?filename.prefix=${name}`);
    expect(
      [...page.matchAll(/<img src="([^"]*)" alt="" width="64" height="48" loading="lazy"/g)].map(
        ([, src]) => src,
      ),
    ).toEqual([`/files/${name}.png`]);
  });
});

describe('a problem', () => {
  test('ends its explanation with a full stop, and lists the errors below', async () => {
    expect(await browse('/members?limit=-1')).toContain('Correct the named parameters.</p>');
    expect(await browse('/nothing')).toMatch(/<p>Nothing is at this path[^<]*\.<\/p>/);
  });

  test.each([
    ['/customers/1', 'Customers', '/customers'],
    ['/customers/1/orders', 'Customers', '/customers'],
    ['/members?limit=-1', 'Members', '/members'],
    ['/nothing', 'Home', '/'],
  ])('at %s leads back to %s', async (path, name, address) => {
    expect(await browse(path)).toContain(`<a class="button quiet" href="${address}">Back to ${name}</a>`);
  });

  test('of a customer with orders leads back to the customer', async () => {
    const customer = await create('/customers', { name: 'Acme' });
    await create(`${customer.path}/orders`, { productId: 1 });
    const refused = await send('POST', `${customer.path}/orders`, {
      headers: { ...BROWSER, 'Content-Type': 'application/json', 'If-Match': '"0"' },
      body: '{"productId":1}',
    });
    expect(refused.status).toBe(412);
    expect(refused.text).toContain(`<a class="button quiet" href="${customer.path}">`);
  });
});

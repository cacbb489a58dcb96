import { beforeAll, describe, expect, test } from '@jest/globals';
import { BROWSER, formsOf, headingOf, unescaped } from '../../support/client/page.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Lists for people. Source: Specification 2.37, 4.1, 4.12. */
underTest();

/** The page at a path, also if it has a shorter address. */
async function browse(path: string): Promise<string> {
  const { status, headers, text } = await get(path, BROWSER);
  return status === 303 ? (await get(headers.location as string, BROWSER)).text : text;
}
const rangeOf = (page: string) => /<p class="range">([^<·]*)[<·]/.exec(page)?.[1]?.trim();
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
  const inputsOf = (page: string) =>
    new URLSearchParams([...(formsOf(page).find(({ method }) => method === 'get')?.inputs ?? [])]);

  test('searches by the words of the title, and keeps the order and other filters', async () => {
    const sent = inputsOf(await browse(`/products?category=${category}&sort=-price`));
    expect([sent.get('sort'), sent.get('category')]).toEqual(['-price', category]);
    sent.set('name.words', `${category.slice(0, 6).toUpperCase()} can`);
    const found = await browse(`/products?${sent}`);
    expect(found).toContain(`>Can ${category}</a>`);
    expect(rangeOf(found)).toBe('1 of 1');
  });

  // Specification 4.26
  test('leads to an address with what is set alone', async () => {
    const sent = inputsOf(await browse('/products'));
    const all = await get(`/products?${sent}`, BROWSER);
    expect([all.status, all.headers.location]).toEqual([303, '/products']);
    sent.set('price.lte', '5');
    const some = await get(`/products?${sent}`, BROWSER);
    expect(some.headers).toMatchObject({ location: '/products?price.lte=5', 'cache-control': 'no-store' });
    expect((await get(`/products?${sent}`)).status).toBe(400);
  });

  test('sets the number of rows, and shows the present one', async () => {
    expect(inputsOf(await browse('/products')).get('limit')).toBe('');
    expect(inputsOf(await browse('/products?limit=7')).get('limit')).toBe('7');
  });

  test('sets the columns, and has numbers and times only if a person chooses them', async () => {
    const heads = (page: string) =>
      [...page.matchAll(/<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]*)/g)].map(([, head]) => head);
    const path = `/products?category=${category}`;
    expect(heads(await browse(path))).toEqual(['Name', 'Category', 'Price']);
    const chosen = await browse(`${path}&fields=price&fields=id&fields=createdAt`);
    expect(heads(chosen)).toEqual(['Name', 'Price', 'Number', 'Created']);
    expect(chosen).toContain(`>Can ${category}</a>`);
    expect(inputsOf(chosen).get('fields')).toBe('price,id,createdAt');
  });

  test('has a link for each state of orders', async () => {
    const page = await browse('/orders?status=paid&quantity.gte=1');
    const [states = ''] = /<nav class="states"[\s\S]*?<\/nav>/.exec(page) ?? [];
    expect(states).toContain('<a href="/orders?quantity.gte=1">All</a>');
    expect(states).toContain('<a href="/orders?quantity.gte=1&amp;status=paid" aria-current="true">Paid</a>');
  });

  test('shows each filter in effect, with a link that removes it', async () => {
    const page = await browse('/orders?quantity.gte=2&minCost=1&createdAt.lt=2030-01-01&status=paid');
    const [chips = ''] = /<ul class="links chips"[\s\S]*?<\/ul>/.exec(page) ?? [];
    const texts = [...chips.matchAll(/<\/span>([^<]*)<\/a>/g)].map(([, text]) => text);
    expect(texts).toEqual([
      'Quantity at least 2',
      'Value at least 1',
      'Created before 2030-01-01',
      'Status: paid',
    ]);
    expect(chips).toContain('href="/orders?quantity.gte=2&amp;createdAt.lt=2030-01-01&amp;status=paid"');
    expect(chips).toContain('<a href="/orders">Show all</a>');
  });

  test('says that nothing matches, and leads to the whole list', async () => {
    const page = await browse(`/products?name.prefix=${unique('none')}`);
    expect(page).toContain('No products match these filters.');
    expect(page).toContain('<li><a href="/products"><span class="hidden">Remove the filter </span>');
  });
});

describe('a list', () => {
  test('says that it has no items yet, or no more items after an offset', async () => {
    const { path } = await create('/customers', { name: 'Acme' });
    const empty = await browse(`${path}/orders`);
    expect(empty).toContain('There are no orders yet.');
    expect(empty).not.toContain('<nav class="states"');
    expect(await browse(`${path}/orders?status=paid`)).toContain('<nav class="states"');
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
    const prices = [...page.matchAll(/<td>([\d.]+ EUR)\s*</g)].map(([, one]) => one);
    expect(prices).toEqual(['0.125 EUR', '14.50 EUR', '348.00 EUR']);
  });

  test('has a column for each property that an item has', async () => {
    const kind = unique('c');
    await create('/products', { name: 'Cup', category: kind, color: 'red' });
    await create('/products', { name: 'Can', category: kind });
    const page = await browse(`/products?category=${kind}`);
    expect([...page.matchAll(/data-label=Color>([^<]*?)\s*</g)].map(([, one]) => one)).toEqual(['red', '']);
    expect(page).not.toContain('data-label=Size');
  });

  test('shows an e-mail address as a link on the page of its item', async () => {
    const customer = await create('/customers', { name: 'Acme', email: 'a+b@acme.example' });
    expect(await browse(customer.path)).toContain('<a href="mailto:a%2Bb@acme.example">a+b@acme.example</a>');
  });

  test('shows the status of an order as a badge', async () => {
    const customer = await create('/customers', { name: 'Acme & Sons' });
    await create(`${customer.path}/orders`, { productId: 1 });
    const page = await browse(`${customer.path}/orders`);
    expect(page).toContain('<b class=waiting>created</b>');
    // An identifier of another item is not a number to compare.
    expect(page).toContain('<table class="n2 n4 n6">');
    expect(page).toContain('data-label=Quantity>1<');
    expect(unescaped(headingOf(page))).toBe('Orders of Acme & Sons');
  });

  test('shows the size of a file with a unit', async () => {
    const name = `${unique('f')}.bin`;
    await send('PUT', `/files/${name}`, { body: 'x'.repeat(3160) });
    expect(await browse(`/files?filename.prefix=${name}`)).toContain('>3.2 kB<');
  });
});

/** Bytes of a page of 100 rows at most. People wait for them on a slow line. */
const MAXIMUM_BYTES = 32 * 1024;

// Specification 4.26
describe('the page of a list', () => {
  test('is small with 100 rows', async () => {
    const { id } = await create('/customers', { name: 'Blue Door Café' });
    for (let at = 0; at < 20; at += 1)
      await Promise.all(
        [1, 2, 3, 1, 2].map((productId) => create('/orders', { productId, customerId: id, quantity: 3 })),
      );
    const page = await browse(`/orders?customerId=${id}`);
    expect([...page.matchAll(/<tr><th>/g)]).toHaveLength(100);
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(MAXIMUM_BYTES);
  });

  // Specification 6.16
  test('has an error at the input of a filter that is not valid, and keeps the other filters', async () => {
    const kind = unique('kind');
    await create('/products', { name: 'Mug', category: kind, price: 5 });
    const address = `/products?category=${kind}&price.gte=cheap`;
    const { status, text } = await get(address, BROWSER);
    expect(status).toBe(400);
    expect(headingOf(text)).toBe('Products');
    expect(text).toMatch(/<details open>/);
    expect(text).toMatch(
      /<input name="price.gte" value="cheap" aria-invalid="true" autofocus aria-describedby="price.gte-found">/,
    );
    expect(text).toMatch(/<div id="price.gte-found"><p class="error">Must be a number[^<]*<\/p>/);
    expect(text).toContain('>Mug</a>');
    expect((await get(address)).json().errors).toEqual([expect.objectContaining({ parameter: 'price.gte' })]);
  });

  test('has the order of its address, and the navigation leads to the newest items', async () => {
    const kind = unique('kind');
    for (const name of ['one', 'two', 'three']) await create('/products', { name, category: kind });
    const names = async (query: string) =>
      [
        ...(await browse(`/products?category=${kind}${query}`)).matchAll(
          /<a href=\/products\/\d+>([^<]*)<\/a>/g,
        ),
      ].map(([, name]) => name);
    expect(await names('')).toEqual(['one', 'two', 'three']);
    const page = await browse(`/products?category=${kind}`);
    const [, sort = ''] = /<a href="\/products\?([^"]*)" aria-current="page">/.exec(page) ?? [];
    expect(await names(`&${sort}`)).toEqual(['three', 'two', 'one']);
    const first = await browse(`/products?category=${kind}&limit=2&${sort}`);
    const next = unescaped(/<a rel="next" href="([^"]+)"/.exec(first)?.[1] ?? '');
    expect(await browse(next)).toContain('>one</a>');
    expect(first).toContain('<option value="-id" selected>Newest first');
  });

  test('says that a filter by a range orders the list', async () => {
    expect(await browse(`/products?category=${category}&price.gte=1`)).toContain('1–2 of 2 by price ·');
  });

  test('has a link to the list as CSV in the order and with the filters of the page', async () => {
    const linkOf = async (query: string) => {
      const page = await browse(`/products?category=${category}${query}&limit=2`);
      return unescaped(/<a href="([^"]*)">CSV of 1,000 rows<\/a>/.exec(page)?.[1] ?? '');
    };
    const link = await linkOf('&sort=-id');
    for (const sort of ['', '&sort=-id', '&sort=name'])
      expect(await linkOf(sort)).toBe(`/products?category=${category}${sort}&limit=1000&%3Aformat=csv`);
    const { headers, text } = await get(link, BROWSER);
    expect(headers['content-type']).toMatch(/^text\/csv;.*safe=true$/);
    expect(headers['content-disposition']).toBe('attachment; filename="products.csv"');
    expect([...text.matchAll(/,(Cup|Can|Jug) /g)].map(([, name]) => name)).toEqual(['Jug', 'Can', 'Cup']);
    // A refusal is a page, and API clients name the format by Accept.
    const refused = await get('/products?limit=-1&:format=csv', BROWSER);
    expect([refused.status, refused.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect((await get('/products?:format=csv')).headers['content-type']).toBe('application/json');
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
    expect(await browse('/members?limit=-1')).toMatch(/try again\.<\/p>\s*<ul><li>limit must be an integer/);
    expect(await browse('/nothing')).toContain('<p>There is no page at this address.</p>');
  });

  test.each([
    ['/customers/1', 'Customers', '/customers?sort=-id'],
    ['/customers/1/orders', 'Customers', '/customers?sort=-id'],
    ['/members?limit=-1', 'Members', '/members?sort=-id'],
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

import { describe, expect, test } from '@jest/globals';
import { BROWSER, headingOf, unescaped } from '../../support/client/page.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** The names of items on pages, and the way between pages. Source: Specification 2.37. */
underTest();

const browse = async (path: string) => (await get(path, BROWSER)).text;

/** The cells of the rows of a list, as markup. */
const rowsOf = (html: string): string[][] =>
  [...html.matchAll(/<tr>(<th>[\s\S]*?)(?=<tr>|\n<\/tbody>)/g)].map(([, row = '']) =>
    row.split(/<t[hd][^>]*>/).slice(1),
  );

/** An order of a customer, and the product of the order. */
async function orderOf(name: string) {
  const customer = await create('/customers', { name });
  const product = await create('/products', { name: `Mug of ${name}`, price: 5 });
  const { path } = await create(`${customer.path}/orders`, { productId: product.id });
  return { path, customer, product };
}

describe('the title of an item', () => {
  test('is the heading of its page and the text of its link in a list', async () => {
    const name = unique('Ada <Byron>');
    const { path } = await create('/members', { name });
    const page = await browse(path);
    expect(headingOf(page)).toBe(name);
    expect(unescaped(/<title>(.*)<\/title>/.exec(page)?.[1] ?? '')).toBe(name);
    const [row] = rowsOf(await browse(`/members?name.prefix=${encodeURIComponent(name)}`));
    expect(unescaped(row?.[0] ?? '')).toContain(`<a href=${path}>${name}</a>`);
  });

  test('is in the breadcrumb of its forms', async () => {
    const name = unique('Grace');
    const { path } = await create('/members', { name });
    expect(await browse(`${path}/edit`)).toContain(`<li><a href="${path}">${name}</a></li>`);
    expect(headingOf(await browse(`${path}/delete`))).toBe(`Delete ${name}?`);
  });

  test('is the kind and the number of an item without a name', async () => {
    const { path, id } = await create('/members', { username: unique('u') });
    expect(headingOf(await browse(path))).toBe(`Member ${id}`);
    const blank = await create('/members', { name: ' \n ' });
    expect(headingOf(await browse(blank.path))).toBe(`Member ${blank.id}`);
  });

  test('is cut after 119 characters', async () => {
    const { path } = await create('/members', { name: '𝄞'.repeat(200) });
    expect(headingOf(await browse(path))).toBe(`${'𝄞'.repeat(119)}…`);
  });
});

describe('the title of several fields', () => {
  test('says what an order is: its customer, its value and its state', async () => {
    const name = unique('Acme & Sons');
    const { path, customer } = await orderOf(name);
    const page = await browse(path);
    expect(unescaped(page)).toContain(`<title>Order of ${name}, 5.00 EUR, created</title>`);
    // The value and the state have less weight than the name.
    expect(headingOf(page)).toBe(`Order of ${name} <b class=waiting>created</b>`);
    const number = path.slice('/orders/'.length);
    expect(page).toContain(`<p class="identity">5.00 EUR · Order number ${number}</p>`);
    // The other columns of the list have the other parts. All orders below the customer would begin with its name.
    for (const [address, text] of [
      [`/orders?customerId=${customer.id}`, name],
      [`${customer.path}/orders`, number],
    ] as const) {
      const [row] = rowsOf(await browse(address));
      expect(unescaped(row?.[0] ?? '')).toContain(`<a href=${path}>${text}</a>`);
    }
    expect(headingOf(await browse(`${path}/edit`))).toBe(`Edit order of ${name}, 5.00 EUR, created`);
  });

  test('is in the history, also after the deletion', async () => {
    const name = unique('Acme');
    const { path } = await orderOf(name);
    const history = await browse(`${path}/versions`);
    expect(headingOf(history)).toBe(`History of order of ${name}, 5.00 EUR, created`);
    expect(history).toContain(`<li><a href="${path}">Order of ${name}</a></li>`);
    await send('DELETE', path);
    expect(headingOf(await browse(`${path}/versions`))).toBe(
      `History of order of ${name}, 5.00 EUR, created`,
    );
  });

  test('leaves out what the item lacks', async () => {
    const { path, id } = await create('/orders', { productId: 1, orderValue: 7.5 });
    const page = await browse(path);
    expect(page).toContain('<title>Order, 7.50 EUR, created</title>');
    expect(headingOf(page)).toBe(`Order ${id} <b class=waiting>created</b>`);
    expect(page).toContain('<p class="identity">7.50 EUR</p>');
  });
});

describe('a related item', () => {
  test('appears by its name, with a link, on the page of the item and in lists', async () => {
    const name = unique('Acme & Sons');
    const { path, customer, product } = await orderOf(name);
    for (const address of [path, `${customer.path}/orders`, `${path}/delete`]) {
      const page = unescaped(await browse(address)).replaceAll(/ href=(\/[^ >]+)>/g, ' href="$1">');
      expect(page).toContain(`<a href="${customer.path}">${name}</a>`);
      expect(page).toContain(`<a href="${product.path}">Mug of ${name}</a>`);
    }
  });

  test('that is gone appears by its number, without a link', async () => {
    const { path, product } = await orderOf(unique('Acme'));
    await send('DELETE', product.path);
    const page = await browse(path);
    expect(page).toContain(`${product.id} <span class="none">(gone)</span>`);
    expect(page).not.toContain(`href="${product.path}"`);
  });
});

describe('the navigation', () => {
  test('names every collection on every page, and marks the present one', async () => {
    const { path } = await create('/customers', { name: unique('Acme') });
    const marked = async (address: string) => {
      const nav = /<nav class="places"[\s\S]*?<\/nav>/.exec(await browse(address))?.[0] ?? '';
      for (const name of ['members', 'customers', 'orders', 'products', 'files', 'operations'])
        expect(nav).toMatch(new RegExp(`<a href="/${name}["?]`));
      return [...nav.matchAll(/href="([^"]*)" aria-current="([^"]*)"/g)].map(([, ...found]) => found);
    };
    expect(await marked('/')).toEqual([['/', 'page']]);
    expect(await marked('/customers?limit=1')).toEqual([['/customers?sort=-id', 'page']]);
    for (const address of [path, `${path}/edit`, `${path}/orders`, '/customers/1'])
      expect(await marked(address)).toEqual([['/customers?sort=-id', 'true']]);
    expect(await marked('/nothing')).toEqual([]);
  });
});

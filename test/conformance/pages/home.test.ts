import { beforeAll, describe, expect, test } from '@jest/globals';
import { BROWSER, formOf, headingOf, unescaped } from '../../support/client/page.ts';
import { eventually } from '../../support/eventually.ts';
import { type Closed, clientAs } from '../../support/service/closed.ts';
import { withOwners } from '../../support/service/owned.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** The home page. Source: Specification 6.15. */
underTest();

/** The main part of a page. */
const mainOf = (text: string): string => unescaped(/<main[\s\S]*<\/main>/.exec(text)?.[0] ?? '');
const browse = async (path: string) => mainOf((await get(path, BROWSER)).text);

/** The part of the page about a collection. */
const cardOf = (main: string, title: string): string =>
  main.split('<h2>').find((part) => part.includes(`>${title}</a></h2>`)) ?? '';

describe('the home page', () => {
  test('has each collection once, with the form for a new item, and documents for programs at the end', async () => {
    const { text } = await get('/', BROWSER);
    expect(headingOf(text)).toBe('Resource API');
    const main = mainOf(text);
    for (const name of ['members', 'customers', 'orders', 'products'])
      expect(main.split(`href="/${name}?sort=`)).toHaveLength(2);
    expect(cardOf(main, 'Customers')).toContain(
      'href="/customers/new">New<span class="hidden"> customer</span></a>',
    );
    // The other link is the one below every page.
    expect(text.split('/docs"')).toHaveLength(2);
    expect(cardOf(main, 'Files')).toContain(
      'href="/files#upload">Upload<span class="hidden"> files</span></a>',
    );
    expect(main.indexOf('>Addition<')).toBeGreaterThan(main.indexOf('aria-label="For programs"'));
  });

  test('shows the newest items first, and how many are in each state', async () => {
    const name = unique('Harbour');
    const { id } = await create('/customers', { name });
    const { path } = await create('/orders', { productId: 1, customerId: id, orderValue: 7 });
    await send('POST', `${path}/pay`);
    const main = await browse('/');
    expect(cardOf(main, 'Customers')).toMatch(
      new RegExp(`<ul class="newest"><li><a href="/customers/${id}">${name}<`),
    );
    const orders = cardOf(main, 'Orders');
    expect(orders).toContain(
      `<ul class="newest"><li><a href="${path}">Order of ${name}</a> <span>7.00 EUR</span> <span><b class=waiting>paid</b></span>`,
    );
    expect(orders).toMatch(
      /<a href="\/orders\?status=paid&sort=-orderId"><b class=waiting>paid<\/b> [1-9]\d*\+?<\/a>/,
    );
  });

  test('shows work that has failed', async () => {
    const before = await browse('/');
    const json = [{ name: unique('a') }, { name: 7 }];
    const accepted = await send('POST', '/customers', {
      json: Array.from({ length: 101 }, (_, at) => json[at % 2]),
      headers: { Prefer: 'handling=lenient' },
    });
    expect(accepted.status).toBe(202);
    const path = accepted.headers.location ?? '';
    expect(before).not.toContain(path);
    await get(path, { Prefer: 'wait=10' });
    const { status } = (await get(path)).json();
    expect((await browse('/')).includes(`<a href="${path}">Creation of customers</a>`)).toBe(
      status === 'Failed',
    );
  });

  test('searches the names in all collections, and leads to the list of each', async () => {
    const name = unique('Quay');
    const { id } = await create('/customers', { name: `${name} Print` });
    const { path } = await create('/orders', { productId: 1, customerId: id });
    const made: string[] = [];
    for (const _ of '123456')
      made.unshift((await create('/members', { username: 'x', name: `Ada ${name}` })).path);
    const { action, inputs } = formOf((await get('/', BROWSER)).text);
    expect([action, [...inputs.keys()]]).toEqual(['/', ['search']]);
    // The page leaves out a list that takes longer than two seconds, as on a busy machine.
    const main = await eventually(async () => {
      const page = await browse(`/?search=${name}`);
      expect(page).not.toContain('cannot search');
      return page;
    });
    expect(main).toContain(`<a href="/customers/${id}">${name} Print</a> <small>${id}</small>`);
    expect(main).toContain(`<a href="${path}">Order of ${name} Print</a> <span>`);
    expect([...main.matchAll(/"(\/members\/\d+)"/g)].map(([, member]) => member)).toEqual(made.slice(0, 5));
    expect(main).toContain(`<a href="/members?name.words=${name}&sort=-id">All matching members</a>`);
    expect(main).not.toContain('>Files</a></h2>');
    expect(await browse('/?search=no+such+thing')).toContain('Nothing has “no such thing” in its name.');
  });

  test('leads to the only item that has the words in its name', async () => {
    const name = unique('Quay');
    const { path } = await create('/customers', { name });
    await create(`${path}/orders`, { productId: 1 });
    await eventually(async () => {
      const found = await get(`/?search=${name}`, BROWSER);
      expect([found.status, found.headers.location]).toEqual([303, path]);
    });
  });

  test('shows no text of the address as markup', async () => {
    const { text } = await get('/?search=%3Ci%3E', BROWSER);
    expect(text).not.toContain('<i>');
  });

  test('is a page alone: JSON ignores the search', async () => {
    expect((await get('/?search=Quay')).json()).toEqual((await get('/')).json());
  });
});

describe('the home page of a person', () => {
  let service: Closed;
  beforeAll(async () => {
    service = await withOwners();
  }, 40_000);

  test('has only what the person may read', async () => {
    const scopes = 'notes:read notes:write notebooks:read';
    const [ada, bob] = await Promise.all(['ada', 'bob'].map((name) => clientAs(service, name, scopes)));
    const title = unique('secret');
    await ada?.('POST', '/notes', { json: { title } });
    const pageOf = async (client = ada) =>
      mainOf((await client?.('GET', '/', { headers: BROWSER }))?.text ?? '');
    const [hers, his] = [await pageOf(ada), await pageOf(bob)];
    expect(hers).toContain(title);
    expect(his).not.toContain(title);
    for (const page of [hers, his]) {
      expect(page).toContain('href="/notes/new"');
      expect(page).toContain('href="/notebooks?sort=-id"');
      expect(page).not.toContain('href="/notebooks/new"');
      expect(page).not.toContain('papers');
    }
  });
});

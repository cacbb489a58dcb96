import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** The list of removed items. Source: Specification 16.10. */
underTest();

/** Members that exist no more, in the order of their removal. */
async function removed(count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const { path } = await create('/members', { name: unique('m'), note: at });
    expect((await send('DELETE', path)).status).toBe(204);
    paths.push(path);
  }
  return paths;
}

const hrefsIn = async (path: string): Promise<string[]> =>
  (await get(path)).json().items.map(({ href }) => String(href));

describe('the list of removed items', () => {
  test('has the last version of each, the last removed item first', async () => {
    const [first, second] = await removed(2);
    const { status, json } = await get('/members/removed');
    expect(status).toBe(200);
    const { items, links } = json();
    expect(items.slice(0, 2)).toMatchObject([
      { href: `${second}/versions/1`, version: 1, item: { note: 1 } },
      { href: `${first}/versions/1`, version: 1, item: { note: 0 } },
    ]);
    expect(new Date(String(items[0]?.time)).toISOString()).toBe(items[0]?.time);
    expect(links).toContainEqual({ rel: 'collection', href: '/members', method: 'GET' });
  });

  test('continues at next, without a repeated item', async () => {
    const paths = await removed(3);
    const seen: string[] = [];
    let next: string | undefined = '/members/removed?limit=1';
    for (let page = 0; page < 3 && next; page += 1) {
      const { items, links } = (await get(next)).json();
      seen.push(...items.map(({ href }) => String(href)));
      next = links.find(({ rel }) => rel === 'next')?.href;
    }
    expect(seen).toEqual([...paths].reverse().map((path) => `${path}/versions/1`));
  });

  test('has no item that exists again, and one that is removed again once', async () => {
    const [path = ''] = await removed(1);
    expect((await send('POST', `${path}/versions/1/restore`)).status).toBe(201);
    expect(await hrefsIn('/members/removed')).not.toContain(`${path}/versions/1`);
    expect((await send('DELETE', path)).status).toBe(204);
    const hrefs = await hrefsIn('/members/removed');
    expect(hrefs.filter((href) => href.startsWith(`${path}/`))).toEqual([`${path}/versions/3`]);
  });

  test('has the items of a removed list', async () => {
    const { path } = await create('/customers', { name: unique('c') });
    const order = (await send('POST', `${path}/orders`, { json: { productId: 1, orderValue: 1 } })).headers;
    expect((await send('DELETE', `${path}/orders`)).status).toBe(204);
    expect(await hrefsIn('/orders/removed')).toContain(`${order.location}/versions/1`);
  });

  test('continues after an item with a number of 16 digits', async () => {
    const position = '1790000000000-9007199254740991-3';
    expect((await get(`/members/removed?position=${position}`)).status).toBe(200);
  });

  test.each(['limit=x', 'position=1', 'position=1-2-x', 'position=1-9007199254740992-3'])(
    'refuses ?%s',
    async (query) => {
      expectProblem(await get(`/members/removed?${query}`), 400);
    },
  );

  test('takes no POST, and is not an item', async () => {
    const answer = await send('POST', '/members/removed', { json: {} });
    expectProblem(answer, 405);
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test('is a page with a button for each item, which the page of the list leads to', async () => {
    const { path } = await create('/customers', { name: unique('Harbour') });
    const order = (await create(`${path}/orders`, { productId: 1, orderValue: 5 })).path;
    await send('DELETE', order);
    const HTML = { Accept: 'text/html' };
    expect((await get('/orders', HTML)).text).toContain('href="/orders/removed">Removed</a>');
    const { text } = await get('/orders/removed', HTML);
    expect(text).toContain('<h1>Removed orders</h1>');
    expect(text).toMatch(
      new RegExp(`<a href="${order}/versions/1">Order of Harbour\\w*, 5.00 EUR, created</a>`),
    );
    expect(text).toContain(`action="${order}/versions/1/restore"`);
  });
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { customerWith, itemsOf, linkOf, walk } from '../../support/client/walk.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { get, send, underTest } from '../../support/service/under-test.ts';

underTest();

describe('a list', () => {
  // Specification 2.34
  test.each(['/members', '/customers', '/orders', '/products', '/files'])(
    'has its properties in order: %s',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      const body = answer.json();
      expect(body).toMatchObject({
        items: expect.any(Array),
        limit: expect.any(Number),
        offset: 0,
        links: expect.any(Array),
      });
      // Large items of other tests can end the page early. Source: Specification 4.1.
      expect(body.items.length === body.limit || body.limit === 100).toBe(true);
      expect(
        Object.keys(body).filter((name) => !['items', 'limit', 'offset', 'total', 'links'].includes(name)),
      ).toEqual([]);
      expect(body.links.map(({ rel }) => rel)).toContain('first');
      expect(answer.headers.etag).toMatch(/^"/);
      const head = await send('HEAD', path);
      expect(head.status).toBe(200);
      expect(head.bytes.length).toBe(0);
    },
  );

  // Specification 2.34
  test('without items is a 200 with []', async () => {
    const { path } = await customerWith([]);
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ items: [], limit: 100, offset: 0 });
    expect(linkOf(answer.json(), 'next')).toBeUndefined();
    expect(linkOf(answer.json(), 'prev')).toBeUndefined();
  });

  // Specification 2.32
  test('has its page links in Link header fields too', async () => {
    const { path } = await customerWith([{}, {}, {}]);
    const second = await get(linkOf((await get(`${path}?limit=1`)).json(), 'next') as string);
    for (const rel of ['first', 'prev', 'next']) {
      expect(second.headers.link).toContain(`<${linkOf(second.json(), rel)}>; rel="${rel}"`);
    }
  });

  // Specification 2.35
  test('shows items as their own GET does, but without the links that the list has', async () => {
    const { path } = await customerWith([{ quantity: 3 }]);
    const [item] = (await get(path)).json().items;
    const { headers, json } = await get(`/orders/${item?.orderId}`);
    const alone = json();
    const inList = alone.links
      .filter(({ rel }) => !['collection', 'describedby'].includes(rel))
      .map((link) => (link.rel === 'self' ? { ...link, etag: headers.etag } : link));
    expect(item).toEqual({ ...alone, links: inList });
    expect(alone.links.length).toBe(inList.length + 2);
    expect(inList.map(({ rel }) => rel)).toEqual(['self', 'customer', 'products', 'pay', 'cancel']);
  });

  // Specification 2.35
  test('of created items leaves out the same links', async () => {
    const created = await send('POST', '/members', { json: [{ name: 'a' }, { name: 'b' }] });
    for (const { links } of atLeastOne(created.json().items))
      expect(links.map(({ rel }) => rel)).toEqual(['self']);
  });
});

describe('limit and offset', () => {
  let path: string;
  let ids: number[];
  beforeAll(async () => {
    ({ path, ids } = await customerWith(Array.from({ length: 7 }, (_, at) => ({ quantity: at + 1 }))));
  });

  // Specification 4.1
  test.each([
    ['limit=3', 3, 3],
    ['limit=7', 7, 7],
    ['limit=1000', 1000, 7],
    ['limit=1001', 1000, 7],
    ['limit=9007199254740991', 1000, 7],
    ['limit=0', 0, 0],
  ])('%s select limit %i and %i items', async (query, limit, count) => {
    const body = (await get(`${path}?${query}`)).json();
    expect(body.limit).toBe(limit);
    expect(body.items).toHaveLength(count);
  });

  // Specification 4.1, 4.3. The service also refuses a + before the number and a repeated parameter.
  test.each([
    ['limit', '-1'],
    ['limit', 'x'],
    ['limit', '1.5'],
    ['limit', ''],
    ['limit', '1e-2'],
    ['limit', '0x10'],
    ['limit', '%201'],
    ['limit', 'null'],
    ['limit', 'NaN'],
    ['limit', '١'],
    ['offset', '-1'],
    ['offset', 'x'],
    ['offset', '1.5'],
    ['offset', ''],
    ['offset', '9007199254740992'],
    ['offset', '99999999999999999999999'],
  ])('get 400 for %s=%s', async (name, value) => {
    const answer = await get(`${path}?${name}=${encodeURI(value)}`);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toContainEqual(expect.objectContaining({ parameter: name }));
  });

  // Specification 2.50
  test('report all invalid parameters at once', async () => {
    const answer = await get(`${path}?limit=x&offset=-1&sort=no:sense&minCost=much`);
    expectProblem(answer, 400, 'validation-error');
    expect(new Set(answer.json().errors.map(({ parameter }) => parameter))).toEqual(
      new Set(['limit', 'offset', 'sort', 'minCost']),
    );
  });

  test.each([0, 1, 3, 6])('skip %i items', async (offset) => {
    const body = (await get(`${path}?limit=2&offset=${offset}`)).json();
    expect(body.offset).toBe(offset);
    expect(body.items.map(({ orderId }) => orderId)).toEqual(
      itemsOf(await walk(path))
        .map(({ orderId }) => orderId)
        .slice(offset, offset + 2),
    );
  });

  // Specification 4.4
  test.each([7, 8, 10_000, 1_000_000, Number.MAX_SAFE_INTEGER])(
    'get 200 with [] for offset %i beyond the end',
    async (offset) => {
      const answer = await get(`${path}?offset=${offset}`);
      expect(answer.status).toBe(200);
      expect(answer.json().items).toEqual([]);
      expect(linkOf(answer.json(), 'next')).toBeUndefined();
    },
  );

  test('give the last full page no next link', async () => {
    expect(linkOf((await get(`${path}?limit=7`)).json(), 'next')).toBeUndefined();
    expect(linkOf((await get(`${path}?limit=6`)).json(), 'next')).toBeDefined();
  });

  test('apply in the order of ids, which is the order of creation, without sort', async () => {
    expect((await get(path)).json().items.map(({ orderId }) => orderId)).toEqual(
      [...ids].sort((a, b) => a - b),
    );
  });
});

describe('fields of a list', () => {
  // Specification 4.17
  test('select the identifiers, the named properties and nothing else in each item', async () => {
    const { path } = await customerWith([{ quantity: 4 }]);
    const answer = await get(`${path}?fields=quantity`);
    const [item] = answer.json().items;
    expect(item).toEqual({ orderId: item?.orderId, quantity: 4 });
    expect(linkOf(answer.json(), 'first')).toBeDefined();
    expect(answer.headers.link).toContain('rel="describedby"');
    const [linked] = (await get(`${path}?fields=links`)).json().items;
    expect(linked).toEqual({ orderId: item?.orderId, links: expect.any(Array) });
    const written = await get(`${path}?fields=quantity`, { Accept: 'application/xml' });
    expect(written.text).toContain(
      `<order><orderId>${item?.orderId}</orderId><quantity>4</quantity></order>`,
    );
  });

  // Specification 4.17
  test('leave the links of the page as they are', async () => {
    const { path } = await customerWith([{ quantity: 4 }]);
    const [item] = (await get(path)).json().items;
    const page = await get(`${path}?fields=quantity`, { Accept: 'text/html' });
    expect(page.text).toContain(`href=/orders/${item?.orderId}>`);
  });

  // Specification 4.18
  test('mean all properties if they are empty, and repeated ones count together', async () => {
    const { path } = await customerWith([{ quantity: 4 }, { quantity: 5 }]);
    const whole = (await get(path)).json();
    expect((await get(`${path}?fields=`)).json().items).toEqual(whole.items);
    const answer = await get(`${path}?fields=quantity&fields=&fields=productId&limit=1`);
    const joined = answer.json();
    expect(joined).toMatchObject({ limit: 1, offset: 0 });
    const names = ['orderId', 'productId', 'quantity'];
    expect(Object.keys(joined.items[0] as object).sort()).toEqual(names);
    const next = joined.links.find(({ rel }) => rel === 'next');
    expect(Object.keys((await get(next?.href as string)).json().items[0] as object).sort()).toEqual(names);
  });

  // Specification 4.19
  test('leave out a property that no item has, and get 400 for an unknown one in a closed resource', async () => {
    const { path } = await customerWith([{ quantity: 4 }]);
    const [item] = (await get(`${path}?fields=nonsense`)).json().items;
    expect(Object.keys(item as object)).toEqual(['orderId']);
    for (const closed of ['/files', '/operations'])
      expectProblem(await get(`${closed}?fields=nonsense`), 400, 'validation-error');
  });
});

test('a repeated limit gets 400, or one of its values has an effect', async () => {
  const answer = await get('/members?limit=1&limit=2');
  if (answer.status === 200) expect([1, 2]).toContain(answer.json().limit);
  else expectProblem(answer, 400, 'validation-error');
});

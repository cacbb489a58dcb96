import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Body } from '../support/client.ts';
import { expectProblem } from '../support/problem.ts';
import { create, get, send, underTest, unique } from '../support/under-test.ts';

underTest();

const linkOf = (body: Body, rel: string) => body.links.find((link) => link.rel === rel)?.href;

/** Every page from `path` along `rel`. */
async function walk(
  path: string,
  rel = 'next',
  between?: (page: number) => Promise<unknown>,
): Promise<Body[]> {
  const pages: Body[] = [];
  for (let at: string | undefined = path; at !== undefined; ) {
    const answer: Answer = await get(at);
    if (answer.status !== 200) throw new Error(`${answer.status} to GET ${at}: ${answer.text}`);
    pages.push(answer.json());
    at = linkOf(answer.json(), rel);
    if (pages.length > 500) throw new Error('The walk does not end');
    if (at !== undefined) await between?.(pages.length);
  }
  return pages;
}

const itemsOf = (pages: readonly Body[]) => pages.flatMap(({ items }) => items);

/** A customer with orders: a list of its own in a service that others use too. */
async function customerWith(orders: readonly object[]): Promise<{ path: string; ids: number[] }> {
  const customer = await create('/customers', { name: unique('list') });
  const path = `${customer.path}/orders`;
  const ids: number[] = [];
  for (const order of orders) ids.push((await create(path, { productId: 1, orderValue: 1, ...order })).id);
  return { path, ids };
}

describe('the list envelope', () => {
  // "{"items":[…],"limit":100,"offset":0,"total"?,"links":[first,prev,next,last?]}"
  test.each(['/members', '/customers', '/orders', '/products', '/files'])('%s', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    const body = answer.json();
    expect(body).toMatchObject({ items: expect.any(Array), limit: 100, offset: 0, links: expect.any(Array) });
    expect(
      Object.keys(body).filter((name) => !['items', 'limit', 'offset', 'total', 'links'].includes(name)),
    ).toEqual([]);
    expect(body.links.map(({ rel }) => rel)).toContain('first');
    expect(answer.headers.etag).toMatch(/^"/);
    const head = await send('HEAD', path);
    expect(head.status).toBe(200);
    expect(head.bytes.length).toBe(0);
  });

  // "empty → 200 with []"
  test('an empty list', async () => {
    const { path } = await customerWith([]);
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ items: [], limit: 100, offset: 0 });
    expect(linkOf(answer.json(), 'next')).toBeUndefined();
    expect(linkOf(answer.json(), 'prev')).toBeUndefined();
  });

  // "and the same as RFC 8288 Link headers for page, item, collection"
  test('page links are Link headers too', async () => {
    const { path } = await customerWith([{}, {}, {}]);
    const second = await get(linkOf((await get(`${path}?limit=1`)).json(), 'next') as string);
    for (const rel of ['first', 'prev', 'next']) {
      expect(second.headers.link).toContain(`<${linkOf(second.json(), rel)}>; rel="${rel}"`);
    }
  });

  test('items of a list are what their own GET says', async () => {
    const { path } = await customerWith([{ quantity: 3 }]);
    const [item] = (await get(path)).json().items;
    expect((await get(`/orders/${item?.orderId}`)).json()).toEqual(item);
  });
});

describe('limit and offset', () => {
  let path: string;
  let ids: number[];
  beforeAll(async () => {
    ({ path, ids } = await customerWith(Array.from({ length: 7 }, (_, at) => ({ quantity: at + 1 }))));
  });

  // "`limit` default 100, cap 1,000: larger is clamped and the true value echoed; 0 → empty page"
  test.each([
    ['limit=3', 3, 3],
    ['limit=7', 7, 7],
    ['limit=1000', 1000, 7],
    ['limit=1001', 1000, 7],
    ['limit=9007199254740991', 1000, 7],
    ['limit=0', 0, 0],
  ])('%s → limit %i and %i items', async (query, limit, count) => {
    const body = (await get(`${path}?${query}`)).json();
    expect(body.limit).toBe(limit);
    expect(body.items).toHaveLength(count);
  });

  // "negative or not an integer → 400"; offset "above 2^53−1 → 400". A "+" before the number or a repeated
  // parameter is refused as well.
  test.each([
    ['limit', '-1'],
    ['limit', 'x'],
    ['limit', '1.5'],
    ['limit', ''],
    ['limit', '1e2'],
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
  ])('%s=%s → 400', async (name, value) => {
    const answer = await get(`${path}?${name}=${encodeURI(value)}`);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toContainEqual(expect.objectContaining({ parameter: name }));
  });

  // "Validation errors → 400, … all of them at once"
  test('all wrong parameters at once', async () => {
    const answer = await get(`${path}?limit=x&offset=-1&sort=nonsense&minCost=much`);
    expectProblem(answer, 400, 'validation-error');
    expect(new Set(answer.json().errors.map(({ parameter }) => parameter))).toEqual(
      new Set(['limit', 'offset', 'sort', 'minCost']),
    );
  });

  test.each([0, 1, 3, 6])('offset %i skips as many', async (offset) => {
    const body = (await get(`${path}?limit=2&offset=${offset}`)).json();
    expect(body.offset).toBe(offset);
    expect(body.items.map(({ orderId }) => orderId)).toEqual(
      itemsOf(await walk(path))
        .map(({ orderId }) => orderId)
        .slice(offset, offset + 2),
    );
  });

  // "if the collection ends within them → 200 with []"
  test.each([7, 8, 10_000, 1_000_000, Number.MAX_SAFE_INTEGER])(
    'offset %i beyond the end → 200 with []',
    async (offset) => {
      const answer = await get(`${path}?offset=${offset}`);
      expect(answer.status).toBe(200);
      expect(answer.json().items).toEqual([]);
      expect(linkOf(answer.json(), 'next')).toBeUndefined();
    },
  );

  test('the last full page has no next', async () => {
    expect(linkOf((await get(`${path}?limit=7`)).json(), 'next')).toBeUndefined();
    expect(linkOf((await get(`${path}?limit=6`)).json(), 'next')).toBeDefined();
  });

  test('without sort: by id, which is by creation', async () => {
    expect((await get(path)).json().items.map(({ orderId }) => orderId)).toEqual(
      [...ids].sort((a, b) => a - b),
    );
  });
});

describe('a walk along next and prev', () => {
  // "`next`/`prev` links also carry an opaque validated cursor, so a walk … neither repeats nor loses items"
  test.each([
    '',
    '&sort=quantity',
    '&sort=-quantity',
    '&sort=-orderId',
    '&sort=orderValue',
    '&minCost=2',
    '&minCost=2&sort=-quantity',
  ])('every item once, and back again: limit=3%s', async (query) => {
    const { path } = await customerWith(
      Array.from({ length: 11 }, (_, at) => ({ quantity: 1 + (at % 3), orderValue: at / 2 })),
    );
    const whole = (await get(`${path}?limit=1000${query}`)).json().items.map(({ orderId }) => orderId);
    const pages = await walk(`${path}?limit=3${query}`);
    expect(itemsOf(pages).map(({ orderId }) => orderId)).toEqual(whole);
    for (const [at, page] of pages.entries()) expect(page.offset).toBe(at * 3);
    const back = await walk(await lastOf(`${path}?limit=3${query}`), 'prev');
    expect(itemsOf([...back].reverse()).map(({ orderId }) => orderId)).toEqual(whole);
    expect(linkOf(pages[0] as Body, 'prev')).toBeUndefined();
  });

  async function lastOf(path: string): Promise<string> {
    let at = path;
    for (;;) {
      const next = linkOf((await get(at)).json(), 'next');
      if (next === undefined) return at;
      at = next;
    }
  }

  test.each(['', '&sort=quantity', '&sort=-quantity', '&sort=orderValue'])(
    'while others are inserted and deleted: limit=2%s',
    async (query) => {
      const { path, ids } = await customerWith(
        Array.from({ length: 12 }, (_, at) => ({ quantity: 10 + (at % 4), orderValue: 5 + (at % 2) })),
      );
      const order = (await get(`${path}?limit=1000${query}`)).json().items.map(({ orderId }) => orderId);
      // What was shown, what the walk stands on, what comes next and what comes later.
      const victims = [[order[1], order[2]], [order[5], order[6]], [order[11]]];
      const pages = await walk(`${path}?limit=2${query}`, 'next', async (page) => {
        for (const victim of victims[page - 1] ?? []) await send('DELETE', `/orders/${victim}`);
        // Before, at and behind the place of the walk; not for ever, or it would not end.
        if (page > 4) return;
        for (const value of [1, 5, 11, 99])
          await create(path, { productId: 1, orderValue: value, quantity: value });
      });
      const seen = itemsOf(pages).map(({ orderId }) => orderId);
      expect(seen.length - new Set(seen).size).toBe(0);
      const gone = victims.flat();
      expect(ids.filter((id) => !gone.includes(id) && !seen.includes(id))).toEqual([]);
    },
  );

  test('the item a cursor stands on is deleted: nothing is lost', async () => {
    const { path } = await customerWith(Array.from({ length: 6 }, (_, at) => ({ quantity: at + 1 })));
    for (const query of ['', '&sort=-quantity']) {
      const first = (await get(`${path}?limit=2${query}`)).json();
      const rest = (await get(`${path}?limit=1000${query}`)).json().items.slice(2);
      await send('DELETE', `/orders/${first.items[1]?.orderId}`);
      const after = itemsOf(await walk(linkOf(first, 'next') as string));
      expect(after.map(({ orderId }) => orderId)).toEqual(rest.map(({ orderId }) => orderId));
    }
  });

  test('next keeps limit, sort, minCost and fields', async () => {
    const { path } = await customerWith([
      { orderValue: 5 },
      { orderValue: 1 },
      { orderValue: 7 },
      { orderValue: 6 },
    ]);
    const pages = await walk(`${path}?limit=1&sort=-orderValue&minCost=5&fields=orderValue`);
    expect(itemsOf(pages).map(({ orderValue }) => orderValue)).toEqual([7, 6, 5]);
    for (const { limit, items } of pages) {
      expect(limit).toBe(1);
      for (const item of items) expect(Object.keys(item).sort()).toEqual(['links', 'orderId', 'orderValue']);
    }
  });

  // "opaque validated cursor"
  test('a tampered cursor → 400', async () => {
    const { path } = await customerWith([{}, {}, {}]);
    const next = linkOf((await get(`${path}?limit=1`)).json(), 'next') as string;
    const url = new URL(next, 'http://localhost');
    const after = url.searchParams.get('after') as string;
    expect(after).toBeTruthy();
    const tampered = [
      '',
      'x',
      `${after}x`,
      after.slice(1),
      after.slice(0, -1),
      Buffer.from('{"id":1}').toString('base64url'),
      'A'.repeat(5000),
      '%00',
      `${after.slice(0, 3)}${after[3] === 'A' ? 'B' : 'A'}${after.slice(4)}`,
    ];
    for (const value of tampered) {
      const answer = await get(`${path}?limit=1&after=${encodeURIComponent(value)}`);
      expect({ value, status: answer.status }).toEqual({ value, status: 400 });
      expectProblem(answer, 400, 'validation-error');
    }
  });

  // A cursor of another list, another sort or another filter is not this list's: 400, or at least no
  // item that this list does not have.
  test('the cursor of another list', async () => {
    const [one, two] = [await customerWith([{}, {}]), await customerWith([{}, {}, {}])];
    const next = linkOf((await get(`${one.path}?limit=1`)).json(), 'next') as string;
    const query = next.slice(next.indexOf('?'));
    expectProblem(await get(`${two.path}${query}`), 400, 'validation-error');
    expectProblem(await get(`/members${query}`), 400, 'validation-error');
    expectProblem(await get(`${one.path}${query}&sort=-quantity`), 400, 'validation-error');
  });
});

describe('sort', () => {
  // "sort=field, sort=-field, ties by id"
  test.each([
    ['quantity', [3, 1, 2, 1, 3, 2, 1]],
    ['productId', [9, 9, 0, 9_007_199_254_740_991, 10, 2, 0]],
    // "decimals ordered exactly"
    ['orderValue', [10, 9.9, 0.1, 0, 100, 99.99, 9.9, 1e-9, 999999999999999, 12.5]],
  ])('by %s, ascending and descending', async (field, values) => {
    const { path } = await customerWith(values.map((value) => ({ [field]: value })));
    const got = (await get(path)).json().items;
    const compare = (a: Body, b: Body) => Number(a[field]) - Number(b[field]) || a.orderId - b.orderId;
    const up = (await get(`${path}?sort=${field}`)).json().items;
    expect(up).toEqual([...got].sort(compare));
    const down = (await get(`${path}?sort=-${field}`)).json().items;
    expect(down.map((item) => item[field])).toEqual(
      [...got]
        .sort(compare)
        .reverse()
        .map((item) => item[field]),
    );
    // Ties by id: in whichever direction, the same one for all of them.
    const ties = down.flatMap((item, at) => {
      const before = down[at - 1];
      return before && before[field] === item[field] ? [Math.sign(item.orderId - before.orderId)] : [];
    });
    expect(new Set(ties).size).toBeLessThanOrEqual(1);
  });

  test('decimals of many digits are ordered by all of them', async () => {
    const digits = [
      '99.90',
      '99.9',
      '99.899999999999999999999999999999999',
      '99.90000000000000000000000000000001',
      '0.10000000000000000000000000000000000001',
      '0.1',
      '123456789012345.00000000000000000000001',
      '123456789012345',
    ];
    const customer = await create('/customers', { name: unique('digits') });
    const path = `${customer.path}/orders`;
    for (const value of digits) {
      const answer = await send('POST', path, {
        body: `{"productId":1,"orderValue":${value}}`,
        headers: { 'Content-Type': 'application/json' },
      });
      expect({ value, status: answer.status }).toEqual({ value, status: 201 });
    }
    const { text } = await get(`${path}?sort=orderValue`);
    const sorted = [...text.matchAll(/"orderValue":([0-9.eE+-]+)/g)].map(([, value]) =>
      value?.replace(/^99\.90$/, '99.9'),
    );
    expect(sorted).toEqual([
      '0.1',
      '0.10000000000000000000000000000000000001',
      '99.899999999999999999999999999999999',
      '99.9',
      '99.9',
      '99.90000000000000000000000000000001',
      '123456789012345',
      '123456789012345.00000000000000000000001',
    ]);
  });

  // "An absent property sorts first." Names are texts of any script: the order of code points, or of UTF-16
  // units, or a collation would all be an order; descending is its reverse and ASCII digits go before letters.
  test('absent first, unicode names', async () => {
    const tag = unique('sort');
    const names = [
      undefined,
      '',
      '0',
      'a',
      'b',
      'ab',
      'Ä',
      'ä',
      'é',
      'Zoë',
      '日本',
      '🚀',
      '\u{10FFFD}',
      '\uFFFD',
      undefined,
    ];
    const mine: number[] = [];
    for (const name of names) {
      mine.push((await create('/members', { tag, ...(name === undefined ? {} : { name }) })).id);
    }
    const sorted = async (sort: string) =>
      itemsOf(await walk(`/members?limit=1000&sort=${sort}`)).filter(({ id }) => mine.includes(id));
    const up = await sorted('name');
    expect(up).toHaveLength(mine.length);
    expect(up.slice(0, 2).map(({ name }) => name)).toEqual([undefined, undefined]);
    expect(up[2]?.name).toBe('');
    const at = (name: string) => up.findIndex((item) => item.name === name);
    expect(at('0')).toBeLessThan(at('a'));
    expect(at('a')).toBeLessThan(at('ab'));
    expect(at('ab')).toBeLessThan(at('b'));
    const down = await sorted('-name');
    expect(down.map(({ name }) => name)).toEqual(up.map(({ name }) => name).reverse());
    const paged = itemsOf(await walk('/members?limit=5&sort=name')).filter(({ id }) => mine.includes(id));
    expect(paged.map(({ id }) => id)).toEqual(up.map(({ id }) => id));
  });

  // No longest name is given; one of 250 characters is what a service should take.
  test.each(['x', 'é', '日', '🚀'])('long names of %s with the same beginning', async (character) => {
    const start = character.repeat(249);
    const made: number[] = [];
    for (const end of ['c', 'a', 'b']) made.push((await create('/members', { name: start + end })).id);
    const mine = itemsOf(await walk('/members?limit=2&sort=name')).filter(({ id }) => made.includes(id));
    expect(mine.map(({ name }) => String(name).at(-1))).toEqual(['a', 'b', 'c']);
  });

  // "sortable by declaration: …; everywhere the id and `createdAt`"
  test.each([
    [
      '/members',
      ['username', 'name', 'age', 'id', 'createdAt'],
      ['email', 'links', 'updatedAt', 'nonsense', ''],
    ],
    ['/customers', ['name', 'id', 'createdAt'], ['address', 'email', 'age']],
    [
      '/orders',
      ['orderValue', 'quantity', 'productId', 'orderId', 'createdAt'],
      ['status', 'customerId', 'id'],
    ],
    ['/products', ['name', 'price', 'category', 'id', 'createdAt'], ['color', 'size']],
    ['/files', ['filename', 'size', 'createdAt'], ['contentType', 'digest', 'id']],
  ] as const)('sortable fields of %s', async (path, sortable, others) => {
    for (const field of sortable) {
      for (const sort of [field, `-${field}`]) {
        const answer = await get(`${path}?sort=${sort}&limit=1`);
        expect({ sort, status: answer.status }).toEqual({ sort, status: 200 });
      }
    }
    // "Another field → 400 listing these."
    for (const field of others) {
      const answer = await get(`${path}?sort=${field}`);
      expect({ field, status: answer.status }).toEqual({ field, status: 400 });
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toContainEqual(expect.objectContaining({ parameter: 'sort' }));
      for (const name of sortable) expect(answer.text).toContain(name);
    }
  });

  test.each(['--name', '+name', '-', 'name,age', 'NAME'])('sort=%s → 400', async (sort) => {
    expectProblem(await get(`/members?sort=${encodeURIComponent(sort)}`), 400, 'validation-error');
  });
});

describe('minCost', () => {
  let path: string;
  beforeAll(async () => {
    const values = [0, 10, 99.9, 99.89, 100, 100.01, 250];
    ({ path } = await customerWith(values.map((orderValue, at) => ({ orderValue, quantity: 10 - at }))));
  });
  const values = async (query: string) =>
    (await get(`${path}?${query}`)).json().items.map(({ orderValue }) => orderValue);

  // "orderValue >= n, inclusive, decimal-exact"
  test.each([
    ['100', [100, 100.01, 250]],
    ['99.90', [99.9, 100, 100.01, 250]],
    ['99.9', [99.9, 100, 100.01, 250]],
    ['99.900000000000000000001', [100, 100.01, 250]],
    ['1e2', [100, 100.01, 250]],
    ['0', [0, 10, 99.9, 99.89, 100, 100.01, 250]],
    ['-5', [0, 10, 99.9, 99.89, 100, 100.01, 250]],
    ['250.0000000001', []],
    ['1000000000000000000', []],
  ])('minCost=%s', async (minCost, expected) => {
    expect((await values(`minCost=${minCost}`)).sort()).toEqual([...expected].sort());
    expect(await values(`minCost=${minCost}&sort=quantity`)).toEqual([...expected].reverse());
    expect(await values(`minCost=${minCost}&sort=-orderValue`)).toEqual([...expected].sort((a, b) => b - a));
  });

  test('on /orders too', async () => {
    const mine = (await get(path)).json().items.map(({ orderId }) => orderId);
    const all = itemsOf(await walk('/orders?minCost=100&limit=1000'));
    for (const { orderValue } of all) expect(Number(orderValue)).toBeGreaterThanOrEqual(100);
    expect(all.filter(({ orderId }) => mine.includes(orderId))).toHaveLength(3);
  });

  test('with limit and offset: of those that fit', async () => {
    expect(await values('minCost=100&limit=1&offset=1&sort=orderValue')).toEqual([100.01]);
    expect(await values('minCost=100&limit=2&offset=2&sort=-quantity')).toEqual([250]);
    expect(await values('minCost=100&offset=3')).toEqual([]);
  });

  // "not a number → 400"
  test.each(['x', '', '1,5', 'NaN', 'Infinity', '0x10', '1 2', '--1'])(
    'minCost=%s → 400',
    async (minCost) => {
      const answer = await get(`${path}?minCost=${encodeURIComponent(minCost)}`);
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toContainEqual(expect.objectContaining({ parameter: 'minCost' }));
    },
  );

  test('it is no parameter of other lists: ignored on GET', async () => {
    expect((await get('/members?minCost=x&limit=1')).status).toBe(200);
  });
});

describe('fields of a list', () => {
  // "`fields=a,b` on any GET keeps ids and links; unknown → 400"
  test('keeps ids and links of the items', async () => {
    const { path } = await customerWith([{ quantity: 4 }]);
    const [item] = (await get(`${path}?fields=quantity`)).json().items;
    expect(Object.keys(item as object).sort()).toEqual(['links', 'orderId', 'quantity']);
    expectProblem(await get(`${path}?fields=nonsense`), 400, 'validation-error');
  });
});

test('a repeated parameter is refused or one of its values counts', async () => {
  const answer = await get('/members?limit=1&limit=2');
  if (answer.status === 200) expect([1, 2]).toContain(answer.json().limit);
  else expectProblem(answer, 400, 'validation-error');
});

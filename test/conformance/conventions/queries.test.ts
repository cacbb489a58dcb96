import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Query parameters and limits. Source: Specification C.83 to C.90, C.127, C.128. */
underTest();

// Specification C.83, 15.4
test('minCost selects orders that cost at least the given number, including equal ones', async () => {
  const customer = await create('/customers', { name: 'c' });
  for (const orderValue of [9.99, 10, 10.01])
    await create(`${customer.path}/orders`, { productId: 1, orderValue });
  const values = async (query: string) =>
    (await get(`${customer.path}/orders?${query}`)).json().items.map(({ orderValue }) => orderValue);
  expect(await values('minCost=10')).toEqual([10, 10.01]);
  expect(
    (await get('/orders?minCost=10&limit=1000')).json().items.map(({ orderValue }) => orderValue),
  ).toEqual(expect.not.arrayContaining([9.99]));
  expectProblem(await get('/orders?minCost=ten'), 400);
});

describe('limit, offset and sort', () => {
  // Specification C.84, C.85, C.128
  test.each(['/members', '/customers', '/orders', '/products', '/files'])(
    'walk through the pages of %s',
    async (path) => {
      for (let n = 0; n < 5; n += 1) {
        if (path === '/files') await send('PUT', `/files/page-${n}`, { body: 'x' });
        else await create(path, { name: `n${n}`, productId: 1, orderValue: 1 });
      }
      const all = (await get(`${path}?limit=1000`)).json().items;
      const some = (await get(`${path}?limit=2&offset=1`)).json();
      expect(some.items).toEqual(all.slice(1, 3));
      expect([some.limit, some.offset]).toEqual([2, 1]);
    },
  );

  // Specification C.86
  test.each([
    ['/members', 'username'],
    ['/customers', 'name'],
    ['/products', 'price'],
    ['/orders', 'orderValue'],
  ])('list %s sorted by %s', async (path, field) => {
    for (const value of [3, 1, 2]) {
      const own = field === 'price' || field === 'orderValue' ? value : String(value);
      await create(path, { productId: 1, orderValue: 1, [field]: own });
    }
    // In descending order, items without the property are last.
    const sorted = (await get(`${path}?sort=-${field}&limit=1000`)).json().items.map((item) => item[field]);
    const given = sorted.filter((value) => value !== undefined) as (string | number)[];
    expect(given).toEqual([...given].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
    expect(given.length).toBeGreaterThanOrEqual(3);
    expectProblem(await get(`${path}?sort=no:property`), 400);
  });

  // Specification C.127
  test('the service caps a larger limit and shows the true value', async () => {
    // A page that bytes cut has another limit.
    const few = `/members?username=${unique('u')}`;
    expect((await get(`${few}&limit=1000000`)).json().limit).toBe(1000);
    expect((await get(few)).json().limit).toBe(100);
  });
});

// Specification C.87
test('fields selects a part of a product', async () => {
  const { id, name, price, color } = (await get('/products/1?fields=name,price')).json();
  expect([id, name, price, color]).toEqual([1, 'Stoneware mug', 14.5, undefined]);
  expect((await get('/products/1?fields=productImage')).headers['content-type']).toBe('image/png');
});

// Specification C.88, C.89
test.each([
  ['1', '2', 3],
  ['-1.5', '0.25', -1.25],
  ['0', '0', 0],
])('GET /add returns the sum of %s and %s', async (operand1, operand2, sum) => {
  const { status, json } = await get(`/add?operand1=${operand1}&operand2=${operand2}`);
  expect([status, json().sum]).toEqual([200, sum]);
});

// Specification C.90
test('each query has its own content and ETag, and caches may store a sum', async () => {
  const [a, b] = [await get('/products?limit=1'), await get('/products?limit=2')];
  expect(a.headers.etag).not.toBe(b.headers.etag);
  expect((await get('/products?limit=2', { 'If-None-Match': a.headers.etag })).status).toBe(200);
  expect((await get('/products?limit=1', { 'If-None-Match': a.headers.etag })).status).toBe(304);
  expect((await get('/add?operand1=1&operand2=2')).headers['cache-control']).toContain('immutable');
});

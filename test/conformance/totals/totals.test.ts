import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTestAlone } from '../../support/service/under-test.ts';

/*
 * Specification 4.29: totals of lists, by reading.
 */
underTestAlone();

const ROWS = '/orders/totals?by=status&sum=orderValue';
let ada: { path: string; id: number };
let bob: { path: string; id: number };

beforeAll(async () => {
  ada = await create('/customers', { name: 'Ada' });
  bob = await create('/customers', { name: 'Bob' });
  const order = (of: typeof ada, orderValue: number, quantity = 1) =>
    create(`${of.path}/orders`, { productId: 1, orderValue, quantity });
  await order(ada, 0.1, 2);
  await order(ada, 0.2);
  const { path } = await order(ada, 123456789.5, 4);
  expect((await send('POST', `${path}/pay`)).status).toBe(200);
  await order(bob, 7);
});

describe('totals', () => {
  test('of a list are one row for each value, with exact sums', async () => {
    const answer = await get(ROWS);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      items: [
        { status: 'created', count: 3, sum: { orderValue: 7.3 } },
        { status: 'paid', count: 1, sum: { orderValue: 123456789.5 } },
      ],
      by: ['status'],
      links: [expect.objectContaining({ rel: 'collection', href: '/orders' })],
    });
    expect(answer.text).toContain('"sum":{"orderValue":7.3}');
  });

  test.each([
    ['no field', '', [{ count: 4 }]],
    ['a filter', '?status=paid', [{ count: 1 }]],
    ['a comparison', '?orderValue.gte=7&sum=orderValue', [{ count: 2, sum: { orderValue: 123456796.5 } }]],
    [
      'a filter that no item meets',
      '?quantity=99&sum=quantity&max=quantity',
      [{ count: 0, sum: { quantity: 0 }, max: {} }],
    ],
    [
      'the least and the largest value of two fields',
      '?min=orderValue,quantity&max=orderValue&max=quantity',
      [{ count: 4, min: { orderValue: 0.1, quantity: 1 }, max: { orderValue: 123456789.5, quantity: 4 } }],
    ],
    ['no group that an item has', '?by=status&quantity=99', []],
  ])('have these rows with %s', async (_, query, items) => {
    expect((await get(`/orders/totals${query}`)).json().items).toEqual(items);
  });

  test('by two fields have a row for each pair', async () => {
    const { items } = (await get('/orders/totals?by=status&by=customerId&sum=quantity')).json();
    expect(items).toEqual(
      [
        { status: 'created', customerId: ada.id, count: 2, sum: { quantity: 3 } },
        { status: 'created', customerId: bob.id, count: 1, sum: { quantity: 1 } },
        { status: 'paid', customerId: ada.id, count: 1, sum: { quantity: 4 } },
      ].sort((a, b) => (a.status < b.status ? -1 : a.status > b.status ? 1 : a.customerId - b.customerId)),
    );
  });

  test('below a customer have the orders of this customer, and 404 without one', async () => {
    const answer = await get(`${ada.path}/orders/totals?sum=orderValue`);
    expect(answer.json().items).toEqual([{ count: 3, sum: { orderValue: 123456789.8 } }]);
    expectProblem(await get('/customers/7/orders/totals'), 404, 'not-found');
  });

  test.each([
    ['text/csv', /^status,count,sum\.orderValue\r\ncreated,3,7\.3\r\npaid,1,123456789\.5\r\n$/],
    [
      'application/xml',
      /<item><status>created<\/status><count>3<\/count><sum><orderValue>7\.3<\/orderValue><\/sum><\/item>/,
    ],
    ['application/jsonl', /^\{"status":"created","count":3,"sum":\{"orderValue":7\.3\}\}\n/],
    [
      'text/html',
      /<th scope="col">Sum: Value<\/th>[\s\S]*created[\s\S]*7\.30 EUR[\s\S]*paid[\s\S]*123456789\.50 EUR/,
    ],
  ])('are available as %s', async (Accept, expected) => {
    const answer = await get(ROWS, { Accept });
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(expected)]);
  });

  test('have an entity tag, and 304 while nothing changes', async () => {
    const { headers } = await get(ROWS);
    const again = await get(ROWS, { 'If-None-Match': headers.etag as string });
    expect(again.status).toBe(304);
  });

  test.each([
    ['by=name', 'by', "'name' is not a field that it can have: use customerId, productId, status"],
    ['by=orderValue', 'by', /use customerId/],
    ['by=status,customerId,productId', 'by', 'must have at most 2 fields'],
    ['sum=status', 'sum', "'status' is not a field that it can have: use orderValue, quantity"],
    ['max=customerId', 'max', /use orderValue, quantity/],
    ['statsu=paid', 'statsu', 'is not a parameter of this request'],
    ['status.least=1', 'status.least', /use status/],
    ['sort=status', 'sort', 'is not a parameter of this request'],
  ])('with %s get 400 that names the parameter', async (query, parameter, detail) => {
    const answer = await get(`/orders/totals?${query}`);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toEqual([
      { parameter, detail: detail instanceof RegExp ? expect.stringMatching(detail) : detail },
    ]);
  });
});

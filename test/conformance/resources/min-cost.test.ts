import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { customerWith, itemsOf, walk } from '../../support/client/walk.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { get, underTest } from '../../support/service/under-test.ts';

underTest();

describe('minCost', () => {
  let path: string;
  beforeAll(async () => {
    const values = [0, 10, 99.9, 99.89, 100, 100.01, 250];
    ({ path } = await customerWith(values.map((orderValue, at) => ({ orderValue, quantity: 10 - at }))));
  });
  const values = async (query: string) =>
    (await get(`${path}?${query}`)).json().items.map(({ orderValue }) => orderValue);

  // Specification 4.15, 15.4
  test.each([
    ['100', [100, 100.01, 250]],
    ['99.90', [99.9, 100, 100.01, 250]],
    ['99.9', [99.9, 100, 100.01, 250]],
    ['99.900000000000000000001', [100, 100.01, 250]],
    ['1e2', [100, 100.01, 250]],
    // Specification 1.20
    ['+100', [100, 100.01, 250]],
    ['%2B100', [100, 100.01, 250]],
    ['0100.', [100, 100.01, 250]],
    ['.5', [10, 99.9, 99.89, 100, 100.01, 250]],
    ['0', [0, 10, 99.9, 99.89, 100, 100.01, 250]],
    ['-5', [0, 10, 99.9, 99.89, 100, 100.01, 250]],
    ['250.0000000001', []],
    ['1000000000000000000', []],
    ['2.6e302', []],
  ])('selects inclusively and exactly: minCost=%s', async (minCost, expected) => {
    expect((await values(`minCost=${minCost}`)).sort()).toEqual([...expected].sort());
    expect(await values(`minCost=${minCost}&sort=quantity`)).toEqual([...expected].reverse());
    expect(await values(`minCost=${minCost}&sort=-orderValue`)).toEqual([...expected].sort((a, b) => b - a));
  });

  test('works on /orders too', async () => {
    const mine = (await get(path)).json().items.map(({ orderId }) => orderId);
    const all = itemsOf(await walk('/orders?minCost=100&limit=1000'));
    for (const { orderValue } of atLeastOne(all)) expect(Number(orderValue)).toBeGreaterThanOrEqual(100);
    expect(all.filter(({ orderId }) => mine.includes(orderId))).toHaveLength(3);
  });

  test('applies before limit and offset', async () => {
    expect(await values('minCost=100&limit=1&offset=1&sort=orderValue')).toEqual([100.01]);
    expect(await values('minCost=100&limit=2&offset=2&sort=-quantity')).toEqual([250]);
    expect(await values('minCost=100&offset=3')).toEqual([]);
  });

  // Specification 4.15
  test.each(['x', '', '1,5', 'NaN', 'Infinity', '0x10', '1 2', '--1', '.', '1e'])(
    'gets 400 for %s',
    async (minCost) => {
      const answer = await get(`${path}?minCost=${encodeURIComponent(minCost)}`);
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toContainEqual(expect.objectContaining({ parameter: 'minCost' }));
    },
  );

  test('has no effect on GET of other lists', async () => {
    expect((await get('/members?minCost=x&limit=1')).status).toBe(200);
  });
});

import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest } from '../../support/service/under-test.ts';
import { items, LENIENT, post, put } from './requests.ts';

// Specification 9.1 to 9.7, C.80, C.82. The tests empty the collections of their service repeatedly.
underTest();

describe("PUT on a customer's orders", () => {
  test('replaces orders of this customer only', async () => {
    const { path } = await create('/customers', { name: 'x' });
    const other = await create('/customers', { name: 'y' });
    const own = items(await post(`${path}/orders`, [{ productId: 1 }, { productId: 1 }]));
    const foreign = items(await post(`${other.path}/orders`, [{ productId: 1 }]));
    const answer = await put(
      `${path}/orders`,
      own.map(({ orderId }) => ({ orderId, productId: 2, orderValue: 7 })),
    );
    expect([
      answer.status,
      items(answer).map(({ productId, orderValue }) => [productId, orderValue]),
    ]).toEqual([
      200,
      [
        [2, 7],
        [2, 7],
      ],
    ]);
    const stolen = foreign.map(({ orderId }) => ({ orderId, productId: 2 }));
    expectProblem(await put(`${path}/orders`, stolen), 409, 'conflict');
    const moved = own.map(({ orderId }) => ({ orderId, productId: 2, customerId: other.id }));
    expectProblem(await put(`${path}/orders`, moved), 409, 'conflict');
    expect((await put(`${path}/orders`, stolen, LENIENT)).json().items[0]?.status).toBe(404);
    expect((await get(`/orders/${foreign[0]?.orderId}`)).json().productId).toBe(1);
  });

  test.each(['PUT', 'DELETE', 'POST'])(
    'gets 404 for %s under a missing customer before any other error',
    async (method) => {
      const json = method === 'DELETE' ? {} : { json: [{ nonsense: true }] };
      expectProblem(await send(method, '/customers/5/orders', json), 404, 'not-found');
    },
  );
});

import { describe, expect, test } from '@jest/globals';
import { ended, operationOf } from '../../support/client/operation.ts';
import { removeCustomers } from '../../support/customers.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest } from '../../support/service/under-test.ts';

/** PUT and DELETE of a whole collection. Source: Specification C.80, C.82. */
underTest();

const three = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];

describe('/customers', () => {
  // Specification C.80
  test('takes a bulk update of customers by PUT', async () => {
    const { items } = (await send('POST', '/customers', { json: three })).json();
    const json = items.map(({ id }, at) => ({ id, name: `changed ${at}` }));
    const answer = await send('PUT', '/customers', { json });
    expect([answer.status, answer.json().items.map(({ name }) => name)]).toEqual([
      200,
      ['changed 0', 'changed 1', 'changed 2'],
    ]);
    for (const { id, name } of atLeastOne(json))
      expect((await get(`/customers/${id}`)).json().name).toBe(name);
  });

  test('removes all customers by DELETE', async () => {
    await removeCustomers();
    await send('POST', '/customers', { json: three });
    expect((await send('DELETE', '/customers')).status).toBe(204);
    expect((await get('/customers')).json().items).toEqual([]);
  });
});

describe('/customers/{id}/orders', () => {
  // Specification C.82
  const withOrders = async (count: number) => {
    const { path } = await create('/customers', { name: 'x' });
    const json = Array.from({ length: count }, () => ({ productId: 1, orderValue: 1 }));
    const made = await send('POST', `${path}/orders`, { json });
    return { path: `${path}/orders`, items: made.json().items };
  };

  test('takes a bulk update of the orders by PUT', async () => {
    const { path, items } = await withOrders(3);
    const json = items.map(({ orderId }) => ({ orderId, productId: 2, orderValue: 2 }));
    expect((await send('PUT', path, { json })).status).toBe(200);
    expect((await get(path)).json().items.map(({ productId }) => productId)).toEqual([2, 2, 2]);
  });

  test('removes all orders of the customer by DELETE', async () => {
    const [{ path }, other] = [await withOrders(3), await withOrders(1)];
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await get(path)).json().items).toEqual([]);
    expect((await get(other.path)).json().items).toHaveLength(1);
  });
});

// Specification C.115
describe('long-running work gets 202', () => {
  const many = Array.from({ length: 150 }, (_, at) => ({ name: `many ${at}` }));

  test.each(['POST', 'PUT', 'DELETE'])('for %s of more items than a transaction holds', async (method) => {
    const made = await send('POST', '/customers', { json: many });
    expect(made.status).toBe(202);
    await ended(made);
    const { items } = (await get('/customers?sort=-id&limit=150')).json();
    const json = method === 'POST' ? many : items.map(({ id }) => ({ id, name: 'y' }));
    const accepted = await send(method, '/customers', method === 'DELETE' ? {} : { json });
    expect([accepted.status, accepted.headers.location]).toEqual([
      202,
      expect.stringMatching(/^\/operations\/\d+$/),
    ]);
    expect(operationOf(await ended(accepted)).status).toBe('Succeeded');
  });
});

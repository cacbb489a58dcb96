import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client/client.ts';
import { ended, operationOf } from '../../support/client/operation.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { removeCustomers } from '../../support/customers.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';
import { all, items, many, post, problemIn, put } from './requests.ts';

// Specification 9.1 to 9.7, C.80, C.82. The tests empty the collections of their service repeatedly.
underTest();

describe('DELETE on a collection', () => {
  beforeEach(removeCustomers, 60_000);

  test.each([0, 1, 50])('removes %s customers and gets 204', async (count) => {
    if (count > 0) await post('/customers', many(count));
    const gone = await send('DELETE', '/customers');
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(await all('/customers')).toEqual([]);
  });

  test('becomes an operation with more items, with 200 at its end', async () => {
    await ended(await post('/customers', many(301)));
    const accepted = await send('DELETE', '/customers');
    expect([accepted.status, accepted.json().kind]).toEqual([202, 'customers.removeAll']);
    const end = await ended(accepted);
    expect([end.status, operationOf(end)]).toMatchObject([
      200,
      { status: 'Succeeded', progress: { done: 301, total: 301, failed: 0 }, result: { status: 204 } },
    ]);
    expect(await all('/customers')).toEqual([]);
  });

  test('removes the orders of one customer only', async () => {
    const [one, two] = [await create('/customers', { name: 'x' }), await create('/customers', { name: 'y' })];
    for (const { path } of [one, two]) await post(`${path}/orders`, [{ productId: 1 }, { productId: 1 }]);
    expect((await send('DELETE', `${one.path}/orders`)).status).toBe(204);
    expect(await all(`${one.path}/orders`)).toEqual([]);
    expect(await all(`${two.path}/orders`)).toHaveLength(2);
  });

  // Specification 8.4
  test.each([2, 150])('removes customers with paid orders and %i others', async (others) => {
    const { path } = await create('/customers', { name: 'paid' });
    const [order] = items(await post(`${path}/orders`, [{ productId: 1 }])) as [Body];
    await send('POST', `/orders/${order.orderId}/pay`);
    const made = await post('/customers', many(others));
    if (made.status === 202) await ended(made);
    const removed = await send('DELETE', '/customers');
    expect(removed.status).toBe(others === 2 ? 204 : 202);
    if (removed.status === 202)
      expect(operationOf(await ended(removed))).toMatchObject({ progress: { done: 151, failed: 0 } });
    expect(await all('/customers')).toEqual([]);
    expect((await get(`/orders/${order.orderId}`)).json()).toMatchObject({ status: 'paid' });
    expectProblem(await get(`/orders/${order.orderId}/customer`), 404);
  });

  // Specification 9.7
  test('gets 409 above max-affected', async () => {
    await ended(await post('/customers', many(130)));
    const limited = (n: number) => ({ headers: { Prefer: `handling=strict, max-affected=${n}` } });
    const refused = await send('DELETE', '/customers', limited(129));
    expect(problemIn(refused, 409, 'conflict')).toMatchObject({ affected: 130, maximum: 129 });
    const accepted = await send('DELETE', '/customers', limited(130));
    expect([accepted.status, accepted.headers['preference-applied']]).toEqual([
      202,
      'max-affected=130, handling=strict',
    ]);
    await ended(accepted);
    await post('/customers', many(3));
    expectProblem(await send('DELETE', '/customers', limited(2)), 409, 'conflict');
    expect((await send('DELETE', '/customers', limited(3))).status).toBe(204);
    const [one] = items(await post('/customers', many(1)));
    const path = `/customers/${one?.id}`;
    expect(problemIn(await send('DELETE', path, limited(0)), 409, 'conflict')).toMatchObject({
      affected: 1,
      maximum: 0,
    });
    for (const gone of ['/customers/5', `/files/${unique('gone')}`])
      expectProblem(await send('DELETE', gone, limited(0)), 404);
    const removed = await send('DELETE', path, limited(1));
    expect([removed.status, removed.headers['preference-applied']]).toEqual([
      204,
      expect.stringContaining('max-affected=1'),
    ]);
  });

  test.each(['-1', 'many', '""'])('gets 400 without any effect for max-affected=%s', async (value) => {
    await post('/customers', many(1));
    const headers = { Prefer: `handling=strict, max-affected=${value}` };
    expectProblem(await send('DELETE', '/customers', { headers }), 400, 'validation-error');
    expect(await all('/customers')).toHaveLength(1);
  });

  test('compares If-Match with GET on the same URI', async () => {
    await post('/customers', many(2));
    const { etag } = (await get('/customers')).headers;
    await post('/customers', many(1));
    expectProblem(
      await send('DELETE', '/customers', { headers: { 'If-Match': etag } }),
      412,
      'precondition-failed',
    );
    const current = (await get('/customers')).headers.etag;
    expect((await send('DELETE', '/customers', { headers: { 'If-Match': current } })).status).toBe(204);
  });

  test.each(['application/json', 'application/xml'])(
    'compares If-Match with the ETag of %s, whatever Accept says',
    async (format) => {
      await post('/customers', many(2));
      for (const Accept of ['application/json', 'application/xml', 'text/html']) {
        const headers = { 'If-Match': '"other-json"', Accept };
        const refused = await send('DELETE', '/customers', { headers });
        expect([refused.status, refused.headers.etag]).toEqual([412, (await get('/customers')).headers.etag]);
      }
      const { etag } = (await get('/customers', { Accept: format })).headers;
      const json = (await all('/customers')).map(({ id }) => ({ id, name: 'same' }));
      expect((await put('/customers', json, { 'If-Match': etag, Accept: 'application/json' })).status).toBe(
        200,
      );
      const now = (await get('/customers', { Accept: format })).headers.etag;
      const headers = { 'If-Match': now, Accept: 'text/html' };
      expect((await send('DELETE', '/customers', { headers })).status).toBe(204);
    },
  );

  test.each(['?name=x', '?limit=1', '?fields=name'])('gets 400 without any effect for %s', async (query) => {
    await post('/customers', many(1));
    expectProblem(await send('DELETE', `/customers${query}`), 400, 'validation-error');
    expect(await all('/customers')).toHaveLength(1);
  });

  // Specification 9.6
  test('keeps items that are created after its acceptance', async () => {
    await ended(await post('/customers', many(900)));
    const accepted = await send('DELETE', '/customers');
    const { path } = await create('/customers', { name: 'later' });
    await ended(accepted);
    expect((await get(path)).status).toBe(200);
    expect(await all('/customers')).toHaveLength(1);
  });

  test('stops at a checkpoint if it is canceled and reports what it did', async () => {
    for (let times = 0; times < 4; times += 1) await ended(await post('/customers', many(2000)));
    const accepted = await send('DELETE', '/customers');
    const path = accepted.headers.location as string;
    let status = accepted.json().status;
    while (status === 'NotStarted') status = (await get(path)).json().status;
    const canceled = await send('DELETE', path);
    expect([202, 409]).toContain(canceled.status);
    const end = operationOf(await ended(accepted));
    const { done } = end.progress as { done: number };
    expect(end.status).toBe(canceled.status === 202 ? 'Canceled' : 'Succeeded');
    const counted = await get('/customers?limit=1', { Prefer: 'count=exact' });
    expect(counted.json().total).toBe(8000 - done);
  }, 60_000);

  test('becomes an operation with respond-async, even for few items', async () => {
    await post('/customers', many(2));
    const accepted = await send('DELETE', '/customers', { headers: { Prefer: 'respond-async' } });
    expect(accepted.status).toBe(202);
    expect(operationOf(await ended(accepted))).toMatchObject({
      status: 'Succeeded',
      result: { status: 204 },
    });
    expect(await all('/customers')).toEqual([]);
  });
});

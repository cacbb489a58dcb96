import { describe, expect, test } from '@jest/globals';
import type { Answer, Body } from '../../support/client/client.ts';
import { ended, operationOf } from '../../support/client/operation.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest } from '../../support/service/under-test.ts';

/**
 * Bulk work where some elements fail, and combinations of preferences. Source: Specification 7.4, 9.1 to 9.6; RFC
 * 7240.
 */
underTest();

const LENIENT = { Prefer: 'handling=lenient' };
const XML = { Accept: 'application/xml' };
const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `many ${at}` }));
const post = (path: string, json: unknown, headers = {}) => send('POST', path, { json, headers });
const failuresOf = (answer: Answer) =>
  (operationOf(answer).result as { failures: { href: string; problem: Body }[] }).failures;

describe('a lenient bulk creation', () => {
  // Specification 15.2
  test('that creates nothing ends with 200 and has no result link', async () => {
    const end = await ended(
      await post(
        '/members',
        Array.from({ length: 101 }, () => ({ age: -1 })),
        LENIENT,
      ),
    );
    expect([end.status, end.headers.location]).toEqual([200, undefined]);
    expect(operationOf(end)).toMatchObject({
      status: 'Succeeded',
      progress: { done: 0, failed: 101 },
      result: { status: 207 },
    });
    expect(end.json().links.map(({ rel }) => rel)).not.toContain('result');
  });

  test('that creates some items ends with 303 to the list and has the 207 as its result', async () => {
    const end = await ended(await post('/members', [...many(100), { age: -1 }], LENIENT));
    expect([end.status, end.headers.location, operationOf(end).result]).toMatchObject([
      303,
      '/members',
      { status: 207 },
    ]);
  });

  test('gives the position of each failure in the content', async () => {
    const { path } = await create('/customers', { name: 'x' });
    const json = Array.from(
      { length: 120 },
      (): Record<string, unknown> => ({ productId: 1, orderValue: 1 }),
    );
    Object.assign(json[3] as object, { quantity: 0 });
    Object.assign(json[50] as object, { customerId: 5 });
    json[110] = { productId: 77 };
    const end = await ended(await post(`${path}/orders`, json, LENIENT));
    const pointers = failuresOf(end).map(({ problem }) => problem.errors.map(({ pointer }) => pointer));
    expect(pointers).toEqual([['/3/quantity'], ['/50/customerId'], ['/110/productId']]);
  });
});

describe('a lenient bulk replacement', () => {
  // Specification 7.7
  test('has the same problems at once and in an operation', async () => {
    const [one, two] = [await create('/customers', { name: 'x' }), await create('/customers', { name: 'y' })];
    const order = await create(`${one.path}/orders`, { productId: 1, orderValue: 1 });
    const other = await create(`${two.path}/orders`, { productId: 1, orderValue: 1 });
    const value = { productId: 1, orderValue: 1 };
    for (const [method, path, json] of [
      ['PUT', '/customers', [{ id: 5, name: 'x' }, { id: one.id, name: 5 }, { name: 'z' }, 'x']],
      [
        'PUT',
        `${one.path}/orders`,
        [
          { id: 5, ...value },
          { orderId: other.id, ...value },
        ],
      ],
      ['PUT', `${one.path}/orders`, [{ orderId: order.id, ...value, customerId: null }]],
      ['PUT', `${one.path}/orders`, [{ orderId: order.id, ...value, customerId: two.id }]],
      [
        'POST',
        `${one.path}/orders`,
        [
          { ...value, customerId: two.id },
          { ...value, quantity: 0 },
        ],
      ],
      ['POST', '/orders', [{ productId: 5 }, { ...value, customerId: 7 }]],
    ] as const) {
      const sync = (await send(method, path, { json, headers: LENIENT }))
        .json()
        .items.map(({ problem }) => problem as Body);
      const headers = { Prefer: 'handling=lenient, respond-async' };
      const later = failuresOf(await ended(await send(method, path, { json, headers }))).map(
        ({ problem }) => problem,
      );
      const shown = ({ status, detail, errors }: Body) => ({ path, status, detail, errors });
      expect(later.map(shown)).toEqual(sync.map(shown));
      expect(sync.every(({ errors }) => errors.every(({ pointer }) => pointer?.match(/^\/\d+/)))).toBe(true);
    }
  });

  // Specification 1.13
  test('gets 409 for an order of another customer, and for this order only', async () => {
    const [one, two] = [await create('/customers', { name: 'x' }), await create('/customers', { name: 'y' })];
    const order = await create(`${one.path}/orders`, { productId: 1, orderValue: 1 });
    const json = [{ orderId: order.id, productId: 1, orderValue: 2, customerId: two.id }];
    const answer = await send('PUT', `${one.path}/orders`, { json, headers: LENIENT });
    expect([answer.status, answer.json().items[0]?.status]).toEqual([207, 409]);
    expect((await get(order.path)).json()).toMatchObject({ customerId: one.id, orderValue: 1 });
  });
});

describe('a client that waits for bulk work', () => {
  const WAIT = { Prefer: 'wait=20' };

  test('gets 201 for creation, 200 for change, and 204 with return=minimal', async () => {
    const created = await post('/customers', many(120), WAIT);
    expect([created.status, created.headers.location]).toEqual([201, '/customers']);
    expect(created.headers['content-location']).toMatch(/^\/operations\/\d+$/);
    expect(operationOf(created)).toMatchObject({ kind: 'customers.createAll', status: 'Succeeded' });
    const json = (await get('/customers?sort=-id&limit=120'))
      .json()
      .items.map(({ id }) => ({ id, name: 'y' }));
    const replaced = await send('PUT', '/customers', { json, headers: WAIT });
    expect([replaced.status, replaced.headers.location, operationOf(replaced).status]).toEqual([
      200,
      undefined,
      'Succeeded',
    ]);
    const headers = { Prefer: 'wait=20, return=minimal' };
    expect((await send('PUT', '/customers', { json, headers })).status).toBe(204);
  });

  // Specification 7.1
  test('gets 400 at once for too many affected items, even with respond-async', async () => {
    await ended(await post('/customers', many(120)));
    const headers = { Prefer: 'respond-async, handling=strict, max-affected=5' };
    expectProblem(await send('DELETE', '/customers', { headers }), 409, 'conflict');
  });
});

test('replaces large items by small ones in several steps', async () => {
  const ids: number[] = [];
  for (let at = 0; at < 20; at += 1) ids.push((await create('/customers', { note: 'x'.repeat(250_000) })).id);
  const json = ids.map((id) => ({ id, name: 'small' }));
  const accepted = await send('PUT', '/customers', { json });
  expect(accepted.status).toBe(202);
  expect(operationOf(await ended(accepted)).progress).toEqual({ done: 20, total: 20, failed: 0 });
  for (const id of atLeastOne(ids))
    expect((await get(`/customers/${id}`)).json()).toMatchObject({ name: 'small' });
});

test('answers 413 with a pointer for an element that is too large for an item', async () => {
  const answer = await post('/members', [{ name: 'a' }, { note: 'x'.repeat(270_000) }]);
  expectProblem(answer, 413, 'payload-too-large');
  expect(answer.json().errors).toEqual([{ pointer: '/1', detail: expect.any(String) }]);
});

test('reports as many failures as the response has room for', async () => {
  const wrong = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`!${at}`, 1]));
  expectProblem(await post('/members', wrong), 400, 'validation-error');
  const answer = await post('/members', [{ name: 'a' }, wrong], LENIENT);
  expect([answer.status, answer.json().items.map(({ status }) => status)]).toEqual([207, [201, 400]]);
});

// Specification 2.44: the problem quotes such text and is still valid XML.
test.each([
  ['POST', '/customers', { json: { 'a\u0001b': 1 } }],
  ['POST', '/customers', { json: [{ 'a\u0001b': 1 }, { name: 'x' }], headers: LENIENT }],
  ['GET', '/members?fields=%01', {}],
])('answers %s %s in readable XML', async (method, path, sent) => {
  const answer = await send(method, path, {
    ...sent,
    headers: { ...('headers' in sent ? sent.headers : {}), ...XML },
  });
  expect([207, 400]).toContain(answer.status);
  expect(answer.text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
});

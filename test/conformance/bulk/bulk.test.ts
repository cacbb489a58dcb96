import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Answer, Body } from '../../support/client/client.ts';
import { ended, operationOf } from '../../support/client/operation.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { removeCustomers } from '../../support/customers.ts';
import { create, get, send, underTest } from '../../support/service/under-test.ts';

/**
 * Work on a whole collection. The tests empty the collections of this file's own service repeatedly. Source:
 * Specification 9.1 to 9.7, C.80, C.82.
 */
underTest();

const LENIENT = { Prefer: 'handling=lenient' };
const many = (count: number, more: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, at) => ({ name: `customer ${at}`, ...more }));
const post = (path: string, json: unknown, headers = {}) => send('POST', path, { json, headers });
const put = (path: string, json: unknown, headers = {}) => send('PUT', path, { json, headers });
const items = (answer: Answer): readonly Body[] => answer.json().items;
const all = async (path: string) => items(await get(`${path}?limit=1000`));
const problemIn = (answer: Answer, status: number, name: string): Body => {
  expectProblem(answer, status, name);
  return answer.json();
};

describe('an array of more than 10,000 elements', () => {
  test.each([
    ['POST', '', 'strict'],
    ['POST', '', 'lenient'],
    ['PUT', '/items', 'strict'],
  ])('gets 413 for %s without any effect (%s, handling=%s)', async (method, pointer, handling) => {
    await removeCustomers();
    const elements = Array.from({ length: 10_001 }, () => ({ name: 'x' }));
    const json = pointer === '' ? elements : { items: elements };
    const answer = await send(method, '/customers', { json, headers: { Prefer: `handling=${handling}` } });
    expect(problemIn(answer, 413, 'payload-too-large').errors).toEqual([
      { pointer, detail: 'must have at most 10000 elements' },
    ]);
    expect(await all('/customers')).toEqual([]);
  });
});

describe('POST of an array', () => {
  beforeEach(removeCustomers);

  // Specification 9.3, 9.5
  test.each([1, 2, 100])('creates %s customers and gets 201 with the list', async (count) => {
    const made = await post('/customers', many(count));
    expect([made.status, made.headers.location]).toEqual([201, '/customers']);
    expect(items(made).map(({ name }) => name)).toEqual(many(count).map(({ name }) => name));
    const listed = await all('/customers');
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(items(made).map(({ id }) => id)));
    expect(listed).toHaveLength(count);
  });

  test('becomes an operation above 100 elements, which leads to the list', async () => {
    const accepted = await post('/customers', many(250));
    expect([accepted.status, accepted.json().kind]).toEqual([202, 'customers.createAll']);
    expect(accepted.json().progress).toEqual({ done: 0, total: 250, failed: 0 });
    const end = await ended(accepted);
    expect([end.status, end.headers.location]).toEqual([303, '/customers']);
    expect(operationOf(end)).toMatchObject({
      status: 'Succeeded',
      percentComplete: 100,
      progress: { done: 250, total: 250, failed: 0 },
      result: { status: 201 },
    });
    expect(await all('/customers')).toHaveLength(250);
  });

  test.each(['/members', '/products', '/orders'])('creates %s too', async (path) => {
    const json = path === '/orders' ? [{ productId: 1 }, { productId: 2, quantity: 2 }] : many(2);
    const made = await post(path, json);
    expect([made.status, made.headers.location, items(made).length]).toEqual([201, path, 2]);
    for (const one of items(made)) expect((await get(`${path}/${one.id ?? one.orderId}`)).status).toBe(200);
  });

  test('creates 100 orders of a customer in one request and computes their values', async () => {
    const { path } = await create('/customers', { name: 'x' });
    const json = Array.from({ length: 100 }, (_, at) => ({ productId: 1, quantity: at + 1 }));
    const made = await post(`${path}/orders`, json);
    expect([made.status, made.headers.location]).toEqual([201, `${path}/orders`]);
    expect(await all(`${path}/orders`)).toHaveLength(100);
    expect(items(made).map(({ quantity }) => quantity)).toEqual(json.map(({ quantity }) => quantity));
  });

  test('takes XML with elements below the plural name', async () => {
    const body =
      '<customers><customer><name>a</name></customer><customer><name>b</name></customer></customers>';
    const headers = { 'Content-Type': 'application/xml', Accept: 'application/xml' };
    const made = await send('POST', '/customers', { headers, body });
    expect([made.status, made.headers.location]).toEqual([201, '/customers']);
    expect(made.text).toMatch(/<customers><customer>.*<name>a<.*<customer>.*<name>b</);
    const one = { headers, body: '<customers><name>c</name></customers>' };
    expect((await send('POST', '/customers', one)).headers.location).toMatch(/^\/customers\/\d+$/);
  });

  test('creates nothing and gets 400 with every pointer if an element is invalid', async () => {
    const answer = await post('/customers', [
      { name: 'a' },
      { name: 5 },
      {},
      'x',
      { name: 'b', email: 'no' },
    ]);
    const { errors } = problemIn(answer, 400, 'validation-error');
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/1/name', '/2', '/3', '/4/email']);
    expect(await all('/customers')).toEqual([]);
  });

  test('gets 400 if it is empty', async () => {
    expectProblem(await post('/customers', []), 400, 'validation-error');
  });

  test('creates nothing and gets 409 with the pointer for an order of a missing customer', async () => {
    const before = (await all('/orders')).length;
    const answer = await post('/orders', [{ productId: 1 }, { productId: 1, customerId: 5 }]);
    const { errors } = problemIn(answer, 409, 'conflict');
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/1/customerId']);
    expect(await all('/orders')).toHaveLength(before);
  });

  test('gets 207 with one result per element if it is lenient', async () => {
    const answer = await post('/customers', [{ name: 'a' }, { name: 5 }], LENIENT);
    expect([answer.status, answer.headers['preference-applied']]).toEqual([207, 'handling=lenient']);
    const [first, second] = items(answer) as [Body, Body];
    expect([first.status, (first.item as Body).name, second.status]).toEqual([201, 'a', 400]);
    expect((second.problem as Body).errors[0]?.pointer).toBe('/1/name');
    expect((await all('/customers')).map(({ name }) => name)).toEqual(['a']);
  });

  test("does not take an item's own property for the status of its result", async () => {
    const item = { status: 'x', href: 'evil', problem: { a: 1 } };
    const [result] = items(await post('/customers', [item], LENIENT)) as [Body];
    expect([result.status, result.problem, result.item]).toMatchObject([201, undefined, item]);
    expect(result.href).toMatch(/^\/customers\/\d+$/);
  });

  test('counts and summarizes the failures of a large lenient request', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`!${at}${'x'.repeat(20)}`, 1]));
    const long = { [`!${'a'.repeat(100_000)}`]: 1 };
    const json = [...many(120), wrong, long, long, long];
    const end = operationOf(await ended(await post('/customers', json, LENIENT)));
    expect(end).toMatchObject({ status: 'Succeeded', progress: { done: 120, total: 124, failed: 4 } });
    expect((end.result as { failures: Body[] }).failures).toHaveLength(4);
    expect(JSON.stringify(end).length).toBeLessThan(64_000);
  });

  test('keeps the status of an order apart from the status of its result', async () => {
    const answer = await post('/orders', [{ productId: 1 }, { productId: -1 }], LENIENT);
    const [first, second] = items(answer) as [Body, Body];
    expect([first.status, second.status]).toEqual([201, 400]);
    expect((first.item as Body).status).toBe('created');
  });

  // Specification 9.3, 10.1
  test('has one effect per idempotency key, for up to 99 elements and for more', async () => {
    for (const count of [99, 150]) {
      const headers = { 'Idempotency-Key': `bulk-${count}` };
      const first = await post('/customers', many(count), headers);
      expect(first.status).toBe(count === 99 ? 201 : 202);
      if (count > 99) await ended(first);
      const again = await post('/customers', many(count), headers);
      expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
        first.status,
        first.text,
        'true',
      ]);
    }
    expect(await all('/customers')).toHaveLength(249);
  });
});

describe('PUT on a collection', () => {
  beforeEach(removeCustomers);
  const made = async (count: number) => items(await post('/customers', many(count)));

  // Specification 9.1
  test.each(['an array', 'the list as it is read', 'an object with the name of the collection'])(
    'replaces the items of %s and gets 200 with the list',
    async (shape) => {
      const [first, second, third] = (await made(3)) as [Body, Body, Body];
      const wanted = [
        { ...first, name: 'changed' },
        { id: second.id, color: 'red' },
      ];
      const { items: _, ...list } = (await get('/customers')).json();
      const envelope =
        shape === 'the list as it is read' ? { ...list, items: wanted } : { customers: wanted };
      const answer = await put('/customers', shape === 'an array' ? wanted : envelope);
      expect([answer.status, items(answer).map(({ id, name, color }) => [id, name, color])]).toEqual([
        200,
        [
          [first.id, 'changed', undefined],
          [second.id, undefined, 'red'],
        ],
      ]);
      expect((await get(`/customers/${first.id}`)).json()).toMatchObject({
        name: 'changed',
        createdAt: first.createdAt,
      });
      expect((await get(`/customers/${third.id}`)).json().updatedAt).toBe(third.updatedAt);
    },
  );

  // Specification 9.1
  test('accepts id for orderId, and {"orders": […]}', async () => {
    const [one] = (await made(1)) as [Body];
    const path = `/customers/${one.id}/orders`;
    const [first, second] = items(
      await post(path, [{ productId: 1 }, { productId: 2, orderValue: 1, id: 'x' }]),
    ) as Body[];
    const answer = await put(path, {
      orders: [
        { id: first?.orderId, productId: 3, orderValue: 1 },
        { orderId: second?.orderId, id: 'y', productId: 4, orderValue: 1 },
      ],
    });
    expect([
      answer.status,
      items(answer).map(({ orderId, id, productId }) => [orderId, id, productId]),
    ]).toEqual([
      200,
      [
        [first?.orderId, undefined, 3],
        [second?.orderId, 'y', 4],
      ],
    ]);
    const { errors } = problemIn(await put(path, [{ id: -1, productId: 1 }]), 400, 'validation-error');
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/0/id']);
    // Specification 9.2: the pointer names what the client sent.
    const unknown = await put(path, [{ id: 7, productId: 1, orderValue: 1 }]);
    expect(problemIn(unknown, 409, 'conflict').errors.map(({ pointer }) => pointer)).toEqual(['/0/id']);
  });

  // Specification 9.5
  test('gets 200 with an empty list for an empty array, 207 if it is lenient', async () => {
    await made(1);
    for (const json of [[], { items: [] }, { customers: [] }]) {
      const answer = await put('/customers', json, {
        'Idempotency-Key': `empty ${JSON.stringify(json)}`.replaceAll('"', ''),
      });
      expect([answer.status, items(answer)]).toEqual([200, []]);
      const plain = await put('/customers', json);
      expect([plain.status, items(plain)]).toEqual([200, []]);
    }
    const xml = await send('PUT', '/customers', {
      headers: { 'Content-Type': 'application/xml' },
      body: '<customers/>',
    });
    expect([xml.status, items(xml)]).toEqual([200, []]);
    const lenient = await put('/customers', [], LENIENT);
    expect([lenient.status, items(lenient)]).toEqual([207, []]);
    expect(await all('/customers')).toHaveLength(1);
    expectProblem(await put('/customers/1/orders', []), 404);
  });

  test('gets 204 with return=minimal', async () => {
    const json = (await made(2)).map(({ id }) => ({ id, name: 'y' }));
    expect((await put('/customers', json, { Prefer: 'return=minimal' })).status).toBe(204);
  });

  // Specification 9.2
  test.each([
    ['without an id', ({ name }: Body) => ({ name }), '/1/id'],
    ['with an id that is not a number', (one: Body) => ({ ...one, id: `0${one.id}` }), '/1/id'],
    ['with invalid values', (one: Body) => ({ ...one, name: 5 }), '/1/name'],
  ])('gets 400 without any effect for an element %s', async (_, spoilt, pointer) => {
    const [first, second] = (await made(2)) as [Body, Body];
    const answer = await put('/customers', [{ ...first, name: 'changed' }, spoilt(second)]);
    expect(problemIn(answer, 400, 'validation-error').errors.map((one) => one.pointer)).toEqual([pointer]);
    expect((await get(`/customers/${first.id}`)).json().name).toBe(first.name);
  });

  // Specification 2.3
  test('takes the decimal text of an id', async () => {
    const [first] = (await made(1)) as [Body];
    const answer = await put('/customers', [{ id: String(first.id), name: 'by text' }]);
    expect([answer.status, items(answer).map(({ id, name }) => [id, name])]).toEqual([
      200,
      [[first.id, 'by text']],
    ]);
    expectProblem(
      await put('/customers', [first, { ...first, id: String(first.id) }]),
      400,
      'validation-error',
    );
  });

  test('takes different spellings of a number for the same id', async () => {
    const [first] = (await made(1)) as [Body];
    const body = `[{"id":${first.id}.0,"name":"by another spelling"}]`;
    const answer = await send('PUT', '/customers', { headers: { 'Content-Type': 'application/json' }, body });
    expect([answer.status, items(answer).map(({ id, name }) => [id, name])]).toEqual([
      200,
      [[first.id, 'by another spelling']],
    ]);
  });

  test('gets 400 if an item repeats', async () => {
    const [first] = (await made(1)) as [Body];
    expectProblem(await put('/customers', [first, first]), 400, 'validation-error');
  });

  // Specification 9.2
  test('gets 409 with a pointer and without any effect if an id is unknown', async () => {
    const [first] = (await made(1)) as [Body];
    const answer = await put('/customers', {
      items: [
        { ...first, name: 'changed' },
        { id: 5, name: 'x' },
      ],
    });
    expect(problemIn(answer, 409, 'conflict').errors.map(({ pointer }) => pointer)).toEqual(['/items/1/id']);
    expect((await get(`/customers/${first.id}`)).json().name).toBe(first.name);
  });

  // Specification 9.4
  test('does what is possible if it is lenient', async () => {
    const [first] = (await made(1)) as [Body];
    const answer = await put(
      '/customers',
      [{ ...first, name: 'changed' }, { id: 5, name: 'x' }, { name: 'y' }],
      LENIENT,
    );
    expect([answer.status, items(answer).map(({ status }) => status)]).toEqual([207, [200, 404, 400]]);
    expect((await get(`/customers/${first.id}`)).json().name).toBe('changed');
  });

  test.each([{}, 'x', 5, { items: {} }])('gets 400 for %j, which is not a list', async (json) => {
    expectProblem(await put('/customers', json), 400, 'validation-error');
  });

  test('reads XML and gets 415 for other media types', async () => {
    const [first] = (await made(1)) as [Body];
    const xml = { 'Content-Type': 'application/xml' };
    const body = `<customers><customer><id>${first.id}</id><name>xml</name></customer></customers>`;
    expect((await send('PUT', '/customers', { headers: xml, body })).status).toBe(200);
    expect((await get(`/customers/${first.id}`)).json().name).toBe('xml');
    const text = { headers: { 'Content-Type': 'text/plain' }, body: 'x' };
    expectProblem(await send('PUT', '/customers', text), 415, 'unsupported-media-type');
  });

  // Specification 9.3
  test('becomes an operation above 100 elements and replaces each once', async () => {
    await ended(await post('/customers', many(230)));
    const before = await all('/customers');
    const accepted = await put(
      '/customers',
      before.map(({ id }) => ({ id, name: 'changed' })),
    );
    expect([accepted.status, accepted.json().kind]).toEqual([202, 'customers.replaceAll']);
    const end = await ended(accepted);
    expect([end.status, operationOf(end).progress]).toEqual([200, { done: 230, total: 230, failed: 0 }]);
    for (const { id } of before.slice(0, 5))
      expect((await get(`/customers/${id}`)).headers.etag).toMatch(/^"2\./);
    expect(new Set((await all('/customers')).map(({ name }) => name))).toEqual(new Set(['changed']));
  });

  test('fails above 100 elements if one id is unknown, or reports it if lenient', async () => {
    await ended(await post('/customers', many(120)));
    const wanted = [
      ...(await all('/customers')).map(({ id }) => ({ id, name: 'changed' })),
      { id: 5, name: 'x' },
    ];
    const strict = operationOf(await ended(await put('/customers', wanted)));
    expect(strict).toMatchObject({
      status: 'Failed',
      error: { status: 409, errors: [{ pointer: '/120/id' }] },
    });
    expect((await all('/customers')).filter(({ name }) => name === 'changed')).toEqual([]);
    const lenient = operationOf(await ended(await put('/customers', wanted, LENIENT)));
    expect(lenient).toMatchObject({
      status: 'Succeeded',
      progress: { done: 120, total: 121, failed: 1 },
      result: { failures: [{ href: '/customers/5', problem: { status: 404 } }] },
    });
  });

  // Specification 3.7: If-Match guards the list as the client read it.
  test('gets 409 without any effect above max-affected', async () => {
    const json = (await made(2)).map(({ id }) => ({ id, name: 'y' }));
    const limited = (n: number) => ({ Prefer: `handling=strict, max-affected=${n}` });
    expect(problemIn(await put('/customers', json, limited(1)), 409, 'conflict')).toMatchObject({
      affected: 2,
      maximum: 1,
    });
    expect((await put('/customers', json, limited(2))).status).toBe(200);
  });

  test('gets 412 for If-Match after another client changed the list', async () => {
    const json = (await made(2)).map(({ id }) => ({ id, name: 'y' }));
    const { etag } = (await get('/customers')).headers;
    expect((await put('/customers', json, { 'If-Match': etag })).status).toBe(200);
    expectProblem(await put('/customers', json, { 'If-Match': etag }), 412, 'precondition-failed');
  });
});

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

describe('DELETE on a collection', () => {
  beforeEach(removeCustomers, 60_000);

  test.each([0, 1, 100])('removes %s customers and gets 204', async (count) => {
    if (count > 0) await post('/customers', many(count));
    const gone = await send('DELETE', '/customers');
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(await all('/customers')).toEqual([]);
  });

  test('becomes an operation above 100 items, with 200 at its end', async () => {
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

import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client/client.ts';
import { ended, operationOf } from '../../support/client/operation.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { removeCustomers } from '../../support/customers.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest } from '../../support/service/under-test.ts';
import { all, items, LENIENT, many, post, problemIn } from './requests.ts';

// Specification 9.1 to 9.7, C.80, C.82. The tests empty the collections of their service repeatedly.
underTest();

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

  // Specification 9.1, 9.5
  test.each([
    ['items', { items: many(2) }],
    ['the name of the collection', { customers: many(2) }],
    ['the properties of a list', { items: many(2), limit: 2, offset: 0, total: 9, links: [] }],
  ])('creates the list in an object with %s', async (_what, list) => {
    const made = await post('/customers', list);
    expect([made.status, made.headers.location]).toEqual([201, '/customers']);
    expect(items(made).map(({ name }) => name)).toEqual(many(2).map(({ name }) => name));
    expect(await all('/customers')).toHaveLength(2);
    const refused = await post('/customers', { items: [{ name: 'x' }, { name: 5 }] });
    expect(problemIn(refused, 400, 'validation-error').errors).toMatchObject([{ pointer: '/items/1/name' }]);
    expect(await all('/customers')).toHaveLength(2);
  });

  test.each([[{ name: 'Acme', items: ['x'] }], [{ name: 'Acme', items: [] }]])(
    'creates one customer if the object has no list of items: %j',
    async (json) => {
      const made = await post('/customers', json);
      expect([made.status, made.json()]).toMatchObject([201, json]);
      expect(await all('/customers')).toHaveLength(1);
    },
  );

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
    for (const one of atLeastOne(items(made)))
      expect((await get(`${path}/${one.id ?? one.orderId}`)).status).toBe(200);
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

import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client/client.ts';
import { ended, operationOf } from '../../support/client/operation.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { removeCustomers } from '../../support/customers.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { get, send, underTest } from '../../support/service/under-test.ts';
import { all, items, LENIENT, many, post, problemIn, put } from './requests.ts';

// Specification 9.1 to 9.7, C.80, C.82. The tests empty the collections of their service repeatedly.
underTest();

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
  test('replaces the valid elements if it is lenient', async () => {
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
    for (const { id } of atLeastOne(before.slice(0, 5)))
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

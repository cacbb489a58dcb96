import { describe, expect, test } from '@jest/globals';
import { MERGE_PATCH, merge, patch } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

/** RFC 7396, appendix A. */
const APPENDIX: [unknown, unknown, unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe('application/merge-patch+json (RFC 7396)', () => {
  test.each(APPENDIX)('follows appendix A: %j with %j', async (doc, document, expected) => {
    const member = await create('/members', { name: 'n', doc });
    const answer = await merge(member.path, { doc: document });
    expect({ status: answer.status, doc: answer.json().doc }).toEqual({ status: 200, doc: expected });
    expect((await get(member.path)).json()).toEqual(answer.json());
  });

  // RFC 7396, appendix A: {"a":"foo"} with null removes the property.
  test('removes any property for null, also a declared one', async () => {
    const member = await create('/members', { name: 'n', age: 3, open: { a: 1 } });
    const answer = await merge(member.path, { age: null, open: null, never: null });
    expect(answer.status).toBe(200);
    expect(answer.json()).not.toHaveProperty('age');
    expect(answer.json()).not.toHaveProperty('open');
    expect(answer.json()).not.toHaveProperty('never');
    expect((await merge(member.path, { name: null })).status).toBe(200);
  });

  test('changes only the fields that it names', async () => {
    const member = await create('/members', { username: 'u', name: 'n', list: [1, 2] });
    const answer = await merge(member.path, { name: 'm' });
    expect(answer.status).toBe(200);
    const { updatedAt: _, ...before } = member.answer.json();
    expect(answer.json()).toMatchObject({ ...before, name: 'm' });
    expect(answer.headers.etag).not.toBe(member.etag);
  });

  // A merge patch that is not an object would replace the member by something else. It is malformed, or its result
  // breaks the schema. Both get 400.
  test.each(['[]', '"x"', '1', 'null', 'true', '{', ''])('gets 400 for %s', async (body) => {
    const member = await create('/members', { name: 'n' });
    expectProblem(await send('PATCH', member.path, { body, headers: MERGE_PATCH }), 400);
    expect((await get(member.path)).headers.etag).toBe(member.etag);
  });

  test.each([{ age: -1 }, { age: 1.5 }, { username: 5 }, { name: {} }, { 'bad name': 1 }])(
    'gets 400 if the result breaks the schema: %j',
    async (document) => {
      const member = await create('/members', { name: 'n', age: 3 });
      const answer = await merge(member.path, document);
      expectProblem(answer, 400);
      expect(answer.json().errors[0]?.pointer).toBe(`/${Object.keys(document)[0]}`);
      expect((await get(member.path)).headers.etag).toBe(member.etag);
    },
  );

  // Specification 2.19
  test('gets 409 for another id, and 200 for the same one', async () => {
    const member = await create('/members', { name: 'n' });
    for (const id of [null, 7, '7', `0${member.id}`, [member.id]]) {
      expectProblem(await merge(member.path, { name: 'changed', id }), 409, 'patch-conflict');
      expect((await get(member.path)).headers.etag).toBe(member.etag);
    }
    for (const id of [member.id, String(member.id)])
      expect((await merge(member.path, { name: 'n', id })).status).toBe(200);
  });

  // Specification 2.19
  test('may be an older representation: times and links do not count', async () => {
    const { path, answer } = await create('/members', { name: 'n', age: 1 });
    const older = answer.json();
    expect((await merge(path, { age: 2 })).status).toBe(200);
    const back = (await merge(path, { ...older, name: 'back' })).json();
    expect(back).toMatchObject({ name: 'back', age: 1, createdAt: older.createdAt });
    const odd = await merge(path, { name: 'odd', createdAt: null, updatedAt: 'x', links: { a: 1 } });
    expect([odd.status, odd.json().createdAt, odd.json().links]).toEqual([200, older.createdAt, older.links]);
  });
});

describe('PATCH of other resources', () => {
  // Specification 10.8
  test.each(['/members/1', '/customers/1', '/orders/1', '/products/4000000000000'])(
    'gets 404 for %s',
    async (path) => {
      expectProblem(await merge(path, { name: 'x' }), 404);
      expectProblem(await patch(path, []), 404);
    },
  );

  // Specification 10.6, C.121
  test.each([
    'application/json',
    'application/xml',
    'text/plain',
    'application/json-patch',
    'application/x-www-form-urlencoded',
  ])('gets 415 with Accept-Patch for %s', async (type) => {
    for (const [collection, values] of [
      ['/members', { name: 'n' }],
      ['/customers', { name: 'n' }],
      ['/products', { name: 'n' }],
      ['/orders', { productId: 1, orderValue: 1 }],
    ] as const) {
      const { path } = await create(collection, values);
      const answer = await send('PATCH', path, { body: '{}', headers: { 'Content-Type': type } });
      expectProblem(answer, 415);
      expect(answer.headers['accept-patch']).toMatch(/application\/json-patch\+json/);
      expect(answer.headers['accept-patch']).toMatch(/application\/merge-patch\+json/);
    }
  });

  test('of an order changes its quantity, but no required and no server property', async () => {
    const order = await create('/orders', { productId: 1, orderValue: 5, quantity: 2 });
    expect((await merge(order.path, { quantity: 3, orderValue: 5 })).json()).toMatchObject({
      quantity: 3,
      orderValue: 5,
      productId: 1,
    });
    const etag = (await get(order.path)).headers.etag;
    expectProblem(await merge(order.path, { productId: null }), 400);
    expectProblem(await merge(order.path, { quantity: 0 }), 400);
    expectProblem(await merge(order.path, { orderId: 5 }), 409);
    expectProblem(await merge(order.path, { status: 'completed' }), 409);
    expectProblem(await patch(order.path, [{ op: 'replace', path: '/status', value: 'paid' }]), 409);
    expect((await get(order.path)).headers.etag).toBe(etag);
  });

  test('advances updatedAt and keeps createdAt', async () => {
    const { path, answer } = await create('/customers', { name: unique('time') });
    const after = (await merge(path, { name: 'later' })).json();
    expect(after.createdAt).toBe(answer.json().createdAt);
    expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(answer.json().updatedAt));
  });
});

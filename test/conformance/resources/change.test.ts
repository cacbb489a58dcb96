import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest } from '../../support/service/under-test.ts';

/** POST on a member. Source: Specification 1.7. */
describe('POST /members/{id}', () => {
  underTest();

  test('changes the properties in the body and no others', async () => {
    const { path, etag } = await create('/members', { name: 'a', age: 3, zip: '007', note: null });
    const answer = await send('POST', path, { json: { name: 'b', extra: [1], note: 'x' } });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ name: 'b', age: 3, zip: '007', extra: [1], note: 'x' });
    expect(answer.headers.etag).not.toBe(etag);
    expect((await get(path)).json()).toEqual(answer.json());
  });

  test('takes XML', async () => {
    const { path } = await create('/members', { name: 'a', age: 3 });
    const answer = await send('POST', path, {
      body: '<member><age>4</age></member>',
      headers: { 'Content-Type': 'application/xml' },
    });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ name: 'a', age: 4 });
  });

  test('keeps the version if it changes nothing', async () => {
    const { path, etag } = await create('/members', { name: 'a', age: 3 });
    const answer = await send('POST', path, { json: { age: 3 } });
    expect([answer.status, answer.headers.etag]).toEqual([200, etag]);
    expect(answer.headers['content-location']).toBe(path);
  });

  test('evaluates preconditions', async () => {
    const { path, etag } = await create('/members', { name: 'a' });
    const post = (name: string) => send('POST', path, { json: { name }, headers: { 'If-Match': etag } });
    expect((await post('b')).status).toBe(200);
    expectProblem(await post('c'), 412);
    expect((await get(path)).json().name).toBe('b');
  });

  test.each([
    ['a missing member', '/members/1', { name: 'a' }, 404],
    ['nothing to change', undefined, {}, 400],
    ['server fields alone', undefined, { createdAt: 'x' }, 400],
    ['a wrong type', undefined, { age: 'old' }, 400],
    ['null for a known property', undefined, { age: null }, 400],
    ['another id', undefined, { id: 1, name: 'b' }, 400],
    ['an array', undefined, [{ name: 'b' }], 400],
  ] as const)('refuses %s', async (_what, at, json, status) => {
    const { path } = await create('/members', { name: 'a', age: 3 });
    expectProblem(await send('POST', at ?? path, { json }), status);
    expect((await get(path)).json()).toMatchObject({ name: 'a', age: 3 });
  });

  test('keeps the effects of two concurrent changes', async () => {
    const { path } = await create('/members', { name: 'a' });
    const all = Array.from({ length: 8 }, (_, at) => send('POST', path, { json: { [`field${at}`]: at } }));
    for (const answer of await Promise.all(all)) expect(answer.status).toBe(200);
    expect(Object.keys((await get(path)).json()).filter((name) => name.startsWith('field'))).toHaveLength(8);
  });
});

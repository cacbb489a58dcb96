import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Status codes and discovery. Source: Specification C.106 to C.125, C.131, C.132. */
underTest();

const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' };

describe('success status codes', () => {
  // Specification C.106
  test('GET gets 200', async () => expect((await get('/members')).status).toBe(200));

  // Specification C.108
  test('POST that creates gets 201', async () => {
    const { answer, path, id } = await create('/members', { name: 'a' });
    expect([answer.status, path]).toEqual([201, `/members/${id}`]);
    expect(answer.json()).toMatchObject({ id, name: 'a' });
  });

  // Specification C.109
  test('POST that changes gets 200 with the result', async () => {
    const { path } = await create('/members', { name: 'a' });
    const changed = await send('POST', path, { json: { name: 'b' } });
    expect([changed.status, changed.json().name]).toEqual([200, 'b']);
  });

  // Specification C.110
  test('POST without a result gets 204', async () => {
    const { path } = await create('/members', { name: 'a' });
    const gone = await send('POST', `${path}/delete`);
    expect([
      gone.status,
      gone.text,
      gone.headers['content-type'] === undefined || gone.bytes.length === 0,
    ]).toEqual([204, '', true]);
  });

  // Specification C.111, C.112
  test('PUT gets 201, then 200, or 204 with return=minimal', async () => {
    const path = `/files/${unique('f')}`;
    expect((await send('PUT', path, { body: 'a' })).status).toBe(201);
    expect((await send('PUT', path, { body: 'b' })).status).toBe(200);
    const minimal = await send('PUT', path, { body: 'c', headers: { Prefer: 'return=minimal' } });
    expect([minimal.status, minimal.text]).toEqual([204, '']);
  });

  // Specification C.113, 10.8
  test('PATCH gets 200 with the result', async () => {
    const { path } = await create('/members', { name: 'a' });
    const json = [{ op: 'replace', path: '/name', value: 'b' }];
    const patched = await send('PATCH', path, { headers: JSON_PATCH, json });
    expect([patched.status, patched.json().name]).toEqual([200, 'b']);
  });

  // Specification C.114
  test.each(['members', 'customers', 'orders', 'products'])(
    'DELETE of one of the %s gets 204',
    async (name) => {
      const { path } = await create(`/${name}`, { name: 'a', productId: 1, orderValue: 1 });
      const gone = await send('DELETE', path);
      expect([gone.status, gone.bytes.length]).toEqual([204, 0]);
    },
  );

  // Specification C.107
  test('GET with Range gets 206', async () => {
    expect((await get('/products/1?fields=productImage', { Range: 'bytes=0-0' })).status).toBe(206);
  });
});

describe('errors', () => {
  // Specification C.118
  test.each([
    '/members/1',
    '/customers/1',
    '/orders/1',
    '/products/4',
    '/files/none',
    '/orders/1/customer',
    '/nothing',
  ])('GET %s gets 404', async (path) => expectProblem(await get(path), 404, 'not-found'));

  // Specification C.119, 15.7
  test.each(['/members/1', '/customers/1', '/orders/1', '/products/4', '/files/none'])(
    'DELETE %s gets 404',
    async (path) => expectProblem(await send('DELETE', path), 404, 'not-found'),
  );

  // Specification C.120
  test.each([
    ['POST', '/members'],
    ['POST', '/customers'],
    ['POST', '/orders'],
    ['POST', '/files'],
    ['PUT', '/members/1'],
  ])('%s %s with an unknown media type gets 415', async (method, path) => {
    const answer = await send(method, path, { headers: { 'Content-Type': 'text/calendar' }, body: 'a,b' });
    expectProblem(answer, 415);
    expect(answer.headers[method === 'POST' ? 'accept-post' : 'accept']).toContain('application/json');
  });

  // Specification C.121
  test('a patch in another format gets 415 with Accept-Patch', async () => {
    const { path } = await create('/members', { name: 'a' });
    const answer = await send('PATCH', path, { json: { name: 'b' } });
    expectProblem(answer, 415);
    expect(answer.headers['accept-patch']).toBe('application/merge-patch+json, application/json-patch+json');
  });

  // Specification C.122
  test.each([
    '{',
    '{}',
    '[{"op":"jump","path":"/a"}]',
    '[{"op":"add","value":1}]',
    '[{"op":"add","path":"a","value":1}]',
  ])('a malformed patch %s gets 400', async (body) => {
    const { path } = await create('/members', { name: 'a' });
    expectProblem(await send('PATCH', path, { headers: JSON_PATCH, body }), 400, 'malformed-patch');
  });

  // Specification C.123
  test.each([
    [{ op: 'test', path: '/name', value: 'other' }],
    [{ op: 'remove', path: '/absent' }],
    [{ op: 'replace', path: '/absent', value: 1 }],
    [{ op: 'move', from: '/absent', path: '/b' }],
    [{ op: 'replace', path: '/id', value: 1 }],
  ])('a patch that the current state does not allow gets 409: %j', async (operation) => {
    const { path } = await create('/members', { name: 'a' });
    const answer = await send('PATCH', path, { headers: JSON_PATCH, json: [operation] });
    expectProblem(answer, 409, 'patch-conflict');
    expect((await get(path)).json().name).toBe('a');
  });

  // Specification C.124, 10.9
  test('PUT that the service cannot do gets 404, 405, 409, 412, 415 or 400', async () => {
    const { path, etag } = await create('/orders', { productId: 1, orderValue: 1 });
    const json = { productId: 2, orderValue: 2 };
    const stale = { 'If-Match': etag };
    await send('PUT', path, { json });
    expectProblem(await send('PUT', '/orders/1', { json }), 404);
    expectProblem(await send('PUT', '/orders', { json }), 405);
    expectProblem(await send('PUT', path, { json: { ...json, customerId: 5 } }), 409);
    expectProblem(await send('PUT', path, { json, headers: stale }), 412);
    expectProblem(await send('PUT', path, { headers: { 'Content-Type': 'text/calendar' }, body: 'a' }), 415);
    expectProblem(await send('PUT', path, { json: {} }), 400);
    expect((await get(path)).json().productId).toBe(2);
  });

  // Specification C.125, 1.8
  test.each(['customers', 'orders', 'products'])('POST on one of the %s gets 405', async (name) => {
    const { path } = await create(`/${name}`, { name: 'a', productId: 1, orderValue: 1 });
    expectProblem(await send('POST', path, { json: { name: 'b' } }), 405);
  });
});

// Specification C.131, C.132
test('a client finds every collection by links from the home document', async () => {
  const home = (await get('/')).json();
  const hrefs = home.links.map(({ href }) => href);
  expect(hrefs).toEqual(expect.arrayContaining(['/members', '/customers', '/orders', '/products', '/files']));
});

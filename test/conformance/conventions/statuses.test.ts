import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/problem.ts';
import { create, get, send, underTest, unique } from '../../support/under-test.ts';

/** Conventions, "Success status codes", "Errors", "Versioning": each row and statement, quoted. */
underTest();

const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' };

describe('"Success status codes"', () => {
  // "GET | success | 200"
  test('GET: 200', async () => expect((await get('/members')).status).toBe(200));

  // "POST | new resource created | 201, `Location` header, body with the representation"
  test('POST that creates: 201', async () => {
    const { answer, path, id } = await create('/members', { name: 'a' });
    expect([answer.status, path]).toEqual([201, `/members/${id}`]);
    expect(answer.json()).toMatchObject({ id, name: 'a' });
  });

  // "POST | no new resource, result returned | 200, result in the body"
  test('POST that changes: 200 with the result', async () => {
    const { path } = await create('/members', { name: 'a' });
    const changed = await send('POST', path, { json: { name: 'b' } });
    expect([changed.status, changed.json().name]).toEqual([200, 'b']);
  });

  // "POST | no new resource, nothing to return | 204, no body"
  test('POST with nothing to return: 204', async () => {
    const { path } = await create('/members', { name: 'a' });
    const gone = await send('POST', `${path}/delete`);
    expect([
      gone.status,
      gone.text,
      gone.headers['content-type'] === undefined || gone.bytes.length === 0,
    ]).toEqual([204, '', true]);
  });

  // "PUT | resource created | 201"; "PUT | existing resource updated | 200 or 204"
  test('PUT: 201, then 200, or 204 where nothing shall come back', async () => {
    const path = `/files/${unique('f')}`;
    expect((await send('PUT', path, { body: 'a' })).status).toBe(201);
    expect((await send('PUT', path, { body: 'b' })).status).toBe(200);
    const minimal = await send('PUT', path, { body: 'c', headers: { Prefer: 'return=minimal' } });
    expect([minimal.status, minimal.text]).toEqual([204, '']);
  });

  // "PATCH | success | status not shown beyond the error cases": 200 with the result
  test('PATCH: 200', async () => {
    const { path } = await create('/members', { name: 'a' });
    const json = [{ op: 'replace', path: '/name', value: 'b' }];
    const patched = await send('PATCH', path, { headers: JSON_PATCH, json });
    expect([patched.status, patched.json().name]).toEqual([200, 'b']);
  });

  // "DELETE | success | 204, no body"
  test.each(['members', 'customers', 'orders', 'products'])('DELETE of one of the %s: 204', async (name) => {
    const { path } = await create(`/${name}`, { name: 'a', productId: 1, orderValue: 1 });
    const gone = await send('DELETE', path);
    expect([gone.status, gone.bytes.length]).toEqual([204, 0]);
  });

  // "range GET | partial content | 206"
  test('range GET: 206', async () => {
    expect((await get('/products/1?fields=productImage', { Range: 'bytes=0-0' })).status).toBe(206);
  });
});

describe('"Errors"', () => {
  // "Resource not found on GET | 404"
  test.each([
    '/members/1',
    '/customers/1',
    '/orders/1',
    '/products/4',
    '/files/none',
    '/orders/1/customer',
    '/nothing',
  ])('GET %s: 404', async (path) => expectProblem(await get(path), 404, 'not-found'));

  // "Resource not found on DELETE | 404 (may be returned)"
  test.each(['/members/1', '/customers/1', '/orders/1', '/products/4', '/files/none'])(
    'DELETE %s: 404',
    async (path) => expectProblem(await send('DELETE', path), 404, 'not-found'),
  );

  // "Request media type not supported by the server | 415"
  test.each([
    ['POST', '/members'],
    ['POST', '/customers'],
    ['POST', '/orders'],
    ['POST', '/files'],
    ['PUT', '/members/1'],
  ])('%s %s of an unknown media type: 415', async (method, path) => {
    const answer = await send(method, path, { headers: { 'Content-Type': 'text/csv' }, body: 'a,b' });
    expectProblem(answer, 415);
    expect(answer.headers[method === 'POST' ? 'accept-post' : 'accept']).toContain('application/json');
  });

  // "Patch document format not supported | 415"
  test('a patch in another format: 415, and which there are', async () => {
    const { path } = await create('/members', { name: 'a' });
    const answer = await send('PATCH', path, { json: { name: 'b' } });
    expectProblem(answer, 415);
    expect(answer.headers['accept-patch']).toBe('application/json-patch+json, application/merge-patch+json');
  });

  // "Patch document malformed | 400"
  test.each([
    '{',
    '{}',
    '[{"op":"jump","path":"/a"}]',
    '[{"op":"add","value":1}]',
    '[{"op":"add","path":"a","value":1}]',
  ])('a malformed patch %s: 400', async (body) => {
    const { path } = await create('/members', { name: 'a' });
    expectProblem(await send('PATCH', path, { headers: JSON_PATCH, body }), 400, 'malformed-patch');
  });

  // "Patch document valid but cannot be applied to the current state of the resource | 409"
  test.each([
    [{ op: 'test', path: '/name', value: 'other' }],
    [{ op: 'remove', path: '/absent' }],
    [{ op: 'replace', path: '/absent', value: 1 }],
    [{ op: 'move', from: '/absent', path: '/b' }],
    [{ op: 'replace', path: '/id', value: 1 }],
  ])('a patch that does not fit: 409 %j', async (operation) => {
    const { path } = await create('/members', { name: 'a' });
    const answer = await send('PATCH', path, { headers: JSON_PATCH, json: [operation] });
    expectProblem(answer, 409, 'patch-conflict');
    expect((await get(path)).json().name).toBe('a');
  });

  // "PUT where updating the existing resource is not possible | depends on the situation"
  test('PUT that cannot be done says why: 404, 405, 409, 412, 415, 400', async () => {
    const { path, etag } = await create('/orders', { productId: 1, orderValue: 1 });
    const json = { productId: 2, orderValue: 2 };
    const stale = { 'If-Match': etag };
    await send('PUT', path, { json });
    expectProblem(await send('PUT', '/orders/1', { json }), 404);
    expectProblem(await send('PUT', '/orders', { json }), 405);
    expectProblem(await send('PUT', path, { json: { ...json, customerId: 5 } }), 409);
    expectProblem(await send('PUT', path, { json, headers: stale }), 412);
    expectProblem(await send('PUT', path, { headers: { 'Content-Type': 'text/csv' }, body: 'a' }), 415);
    expectProblem(await send('PUT', path, { json: {} }), 400);
    expect((await get(path)).json().productId).toBe(2);
  });

  // "POST on an individual item URI such as `/customers/{id}` | error"
  test.each(['customers', 'orders', 'products'])('POST on one of the %s: 405', async (name) => {
    const { path } = await create(`/${name}`, { name: 'a', productId: 1, orderValue: 1 });
    expectProblem(await send('POST', path, { json: { name: 'b' } }), 405);
  });
});

// "Existing clients continue to work without modification as the API changes, and new functionality must be discoverable."
test('everything is found by links from home', async () => {
  const home = (await get('/')).json();
  const hrefs = home.links.map(({ href }) => href);
  expect(hrefs).toEqual(expect.arrayContaining(['/members', '/customers', '/orders', '/products', '/files']));
});

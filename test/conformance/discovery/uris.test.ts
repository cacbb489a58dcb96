import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

// RFC 9110 §4.2.3, RFC 3986 §6.2.2.2: needless percent-encoding leaves the URI the same.
describe('percent-encoded letters and digits', () => {
  test('name the same resource', async () => {
    const { path, id } = await create('/members', { name: unique('encoded') });
    for (const same of [`/%6dembers/${id}`, `/member%73/${id}`, path.replace(/\d$/, (digit) => `%3${digit}`)])
      expect((await get(same)).json().id).toBe(id);
    expect((await send('DELETE', `/%6Dembers/${id}`)).status).toBe(204);
    expect((await send('PUT', '/%66iles/%65ncoded.txt', { body: 'x' })).status).toBeLessThan(300);
    expect((await get('/files/encoded.tx%74')).text).toBe('x');
  });

  test.each(['/members%2F1', '/%2E%2E/members', '/nothing%20here', '/%6Eothing'])(
    'get 404 in %s',
    async (path) => {
      expectProblem(await get(path), 404);
    },
  );
});

// Specification 1.18
describe('a trailing slash', () => {
  test.each([
    ['/members/', '/members'],
    ['/members/1/', '/members/1'],
    ['/files/', '/files'],
    ['/files/x.txt/', '/files/x.txt'],
    ['/customers/1/orders/', '/customers/1/orders'],
    ['/add/', '/add'],
    ['/health/', '/health'],
    ['/members/?limit=1&sort=-name', '/members?limit=1&sort=-name'],
    ['/add/?operand1=1&operand2=%2B2', '/add?operand1=1&operand2=%2B2'],
  ])('gets 308 from %s to %s for all methods but DELETE and PUT', async (path, location) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PATCH']) {
      const hasBody = method === 'POST' || method === 'PATCH';
      const answer = await send(method, path, hasBody ? { json: { name: 'x' } } : {});
      expect(answer.status).toBe(308);
      expect(answer.headers.location).toBe(location);
    }
  });

  test.each(['PUT', 'DELETE'])('gets 404 for %s of a collection, and 308 for an item', async (method) => {
    const sent = method === 'DELETE' ? {} : { json: { name: 'x' } };
    const one = ['/members/', '/customers/', '/files/', '/customers/1/orders/'];
    const several = ['/members//', '/customers///', '/customers//?x=1', '/customers/1/orders//'];
    for (const path of [...one, ...several]) expectProblem(await send(method, path, sent), 404);
    for (const path of ['/members/1', '/files/x'])
      expect(await send(method, `${path}/`, sent)).toMatchObject({
        status: 308,
        headers: { location: path },
      });
  });

  test('leaves the item as it is', async () => {
    const { path, etag } = await create('/members', { name: unique('slash') });
    expect((await send('DELETE', `${path}/`)).headers.location).toBe(path);
    expect((await get(path)).headers.etag).toBe(etag);
  });

  // Specification D.7
  test('gets 204 for OPTIONS', async () => {
    for (const path of ['/members', '/members/1', '/customers/1/orders']) {
      const { status, headers } = await send('OPTIONS', `${path}/`);
      expect(status).toBe(204);
      expect(headers.allow).toBe((await send('OPTIONS', path)).headers.allow);
    }
    expectProblem(await send('OPTIONS', '/nothing/'), 404);
  });

  // The redirect stays on this service.
  test.each([
    '//',
    '//evil.example/',
    '///evil.example//',
    '/\\evil.example/',
    '/%5Cevil.example/',
    '//evil.example/%2e%2e/',
  ])('never redirects elsewhere: %s', async (path) => {
    const answer = await get(path);
    expect([200, 308, 400, 404]).toContain(answer.status);
    if (answer.status === 308) expect(answer.headers.location).toMatch(/^\/(?![/\\])/);
  });
});

describe('paths', () => {
  // Specification 1.9
  test.each([
    '/orders/x',
    '/customers/1.5',
    '/products/-1',
    '/products/one',
    '/orders/1e5',
    '/customers/%31%20',
    '/orders/0x1',
  ])('get 404: %s', async (path) => expectProblem(await get(path), 404));

  test.each([
    '/Members',
    '/MEMBERS',
    '/member',
    '/file',
    '/members/1/files',
    '/customers/1/order',
    '/health/x',
    '/problems',
    '/add/1',
    '/.well-known',
    '/favicon.ico',
    '/members/1/edit/x',
    '/.env',
  ])('get 404 for every method: %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expectProblem(await send(method, path, method === 'GET' || method === 'HEAD' ? {} : { json: {} }), 404);
    }
  });

  test('with leading zeros get 404 or name the same item', async () => {
    const { path, id } = await create('/members', { name: unique('zero') });
    const answer = await get(`/members/0${id}`);
    if (answer.status === 200) expect(answer.json()).toEqual((await get(path)).json());
    else expectProblem(answer, 404);
  });

  // Specification 1.9
  test('of /members/new name the form and not a member', async () => {
    expect((await get('/members/new')).headers['content-type']).toMatch(/^text\/html/);
    expectProblem(await send('DELETE', '/members/new'), 405);
  });
});

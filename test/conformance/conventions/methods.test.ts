import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** The methods in general and of each resource. Source: Specification C.46 to C.82. */
underTest();

const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

// Specification 8.3
test('every action without input refuses one, and takes each kind of empty content', async () => {
  const { paths } = (await get('/openapi.json')).json() as unknown as {
    paths: Record<string, { post?: { requestBody?: unknown } }>;
  };
  const actions = Object.keys(paths).filter((path) => {
    const { post } = paths[path] ?? {};
    return post && !post.requestBody && path !== '/sign-out';
  });
  expect(actions).toEqual(expect.arrayContaining(['/orders/{id}/pay', '/operations/{id}/links']));
  const multipart = 'multipart/form-data; boundary=x';
  for (const action of actions) {
    // No such target exists: the content is judged before it.
    const path = action.replace(/\{n\}/, '7').replace(/\{\w+\}/g, '1');
    const sent = (type: string, body: string) =>
      send('POST', path, { headers: { 'Content-Type': type, Accept: 'application/json' }, body });
    for (const [type, body, pointer] of [
      ['application/json', '{"amount":5}', '/amount'],
      ['application/json', '{"links":[]}', '/links'],
      ['application/json', '[5]', ''],
      ['application/json', '"now"', ''],
      ['application/xml', '<order><amount>5</amount></order>', '/amount'],
      ['text/xml', '<order><id>5</id></order>', '/id'],
      ['application/x-www-form-urlencoded', 'amount=5', '/amount'],
      [multipart, '--x\r\nContent-Disposition: form-data; name="amount"\r\n\r\n5\r\n--x--', '/amount'],
    ] as const) {
      const answer = await sent(type, body);
      expectProblem(answer, 400, 'validation-error');
      expect([path, type, answer.json().errors]).toMatchObject([path, type, [{ pointer }]]);
    }
    expectProblem(await sent('application/x-www-form-urlencoded', '{"amount":5}'), 400, 'malformed-body');
    for (const [type, body] of [
      ['application/json', '{}'],
      ['application/json', '[]'],
      ['application/json', 'null'],
      ['application/xml', '<order/>'],
      ['application/xml', '<order> </order>'],
      ['application/x-www-form-urlencoded', ''],
      ['application/x-www-form-urlencoded', '{}'],
      ['application/x-www-form-urlencoded', ':csrf=x'],
    ] as const)
      expect([path, body, (await sent(type, body)).status]).not.toEqual([path, body, 400]);
  }
});

describe('General method semantics', () => {
  // Specification C.46, C.54
  test('GET is safe and idempotent and ignores a body', async () => {
    const { path } = await create('/members', { name: 'a' });
    const [one, two] = [await get(path), await send('GET', path, { json: { name: 'b' } })];
    expect([one.status, two.text, two.headers.etag]).toEqual([200, one.text, one.headers.etag]);
    expect((await get(path)).text).toBe(one.text);
  });

  // Specification C.47
  test.each([
    '/members',
    '/products/1',
    '/products/1?fields=productImage',
    '/add?operand1=1&operand2=2',
    '/members/1',
  ])('HEAD %s returns the header fields of GET and no body', async (path) => {
    const [head, read] = [await send('HEAD', path), await get(path)];
    expect([head.status, head.bytes.length]).toEqual([read.status, 0]);
    for (const name of ['content-type', 'content-length', 'etag', 'last-modified', 'vary', 'accept-ranges'])
      expect([name, head.headers[name]]).toEqual([name, read.headers[name]]);
  });

  // Specification C.48
  test('POST is not idempotent: two requests create two members', async () => {
    const [one, two] = [await create('/members', { name: 'a' }), await create('/members', { name: 'a' })];
    expect(one.path).not.toBe(two.path);
  });

  // Specification C.49
  test('PUT replaces the whole resource and is idempotent', async () => {
    const { path } = await create('/members', { name: 'a', age: 5, own: 1 });
    for (let times = 0; times < 2; times += 1)
      expect((await send('PUT', path, { json: { name: 'b' } })).status).toBe(200);
    const { name, age, own } = (await get(path)).json();
    expect([name, age, own]).toEqual(['b', undefined, undefined]);
  });

  // Specification C.50
  test('PATCH changes only the properties in the patch', async () => {
    const { path } = await create('/members', { name: 'a', age: 5 });
    const patched = await send('PATCH', path, { headers: MERGE, json: { age: 6 } });
    expect(patched.json()).toMatchObject({ name: 'a', age: 6 });
  });

  // Specification C.51
  test('DELETE removes the resource and returns no body', async () => {
    const { path } = await create('/members', { name: 'a' });
    const gone = await send('DELETE', path);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await get(path)).status).toBe(404);
  });

  // Specification C.52
  test('OPTIONS describes the methods, also for other origins', async () => {
    const { status, headers, text } = await send('OPTIONS', '/customers/1', {
      headers: { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'PUT' },
    });
    expect([status, text]).toEqual([204, '']);
    expect(headers.allow).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
    expect(headers['access-control-allow-methods']).toContain('PUT');
    expect(headers['access-control-allow-origin']).toMatch(/^(?:\*|http:\/\/localhost:5173)$/);
  });

  // Specification C.55, C.56, 1.14
  test.each(['TRACE', 'CONNECT'])('%s gets 405', async (method) => {
    const answer = await send(method, '/members');
    expectProblem(answer, 405);
    expect(answer.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
  });
});

describe('Member collection (managed by the server)', () => {
  // Specification C.57
  test('lists members', async () => {
    const { id } = await create('/members', { name: 'a' });
    const { items } = (await get('/members?sort=-id&limit=1')).json();
    expect(items).toEqual([expect.objectContaining({ id, name: 'a' })]);
  });

  // Specification C.58, C.64
  test('registers a member at a URI that the server chooses', async () => {
    const { answer } = await create('/members', { name: 'a' });
    expect(answer.headers.location).toBe(`/members/${answer.json().id}`);
    expect((await get(answer.headers.location as string)).text).toBe(answer.text);
  });

  // Specification C.59, C.60, C.61, C.63
  test('reads, replaces, changes and removes a member', async () => {
    const { path } = await create('/members', { name: 'a' });
    expect((await get(path)).json().name).toBe('a');
    expect((await send('PUT', path, { json: { name: 'b' } })).json().name).toBe('b');
    expect((await send('PATCH', path, { headers: MERGE, json: { name: 'c' } })).json().name).toBe('c');
    expect((await send('DELETE', path)).status).toBe(204);
  });

  // Specification C.62
  test('changes a member by POST', async () => {
    const { path } = await create('/members', { name: 'a', age: 5 });
    const changed = await send('POST', path, { json: { age: 6 } });
    expect([changed.status, changed.json().name, changed.json().age]).toEqual([200, 'a', 6]);
  });
});

describe('File store (managed by the client)', () => {
  // Specification C.65 to C.68
  test('lists, creates, reads, replaces and deletes files', async () => {
    const path = `/files/${unique('f')}`;
    expect((await send('PUT', path, { body: 'one' })).status).toBe(201);
    expect((await send('PUT', path, { body: 'two' })).status).toBe(200);
    expect((await get(path)).text).toBe('two');
    expect((await get('/files')).json().items.length).toBeGreaterThan(0);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await get(path)).status).toBe(404);
  });

  // Specification C.69
  test('registers several files at once', async () => {
    const [a, b] = [unique('f'), unique('f')];
    const json = [a, b].map((filename) => ({ filename, content: filename }));
    expect((await send('POST', '/files', { json })).status).toBe(201);
    for (const name of [a, b]) expect((await get(`/files/${name}`)).text).toBe(name);
  });
});

describe('HTML form style for members', () => {
  // Specification C.70, C.71, C.74
  test('renders pages and forms', async () => {
    const { path } = await create('/members', { name: 'a' });
    for (const page of ['/members', '/members/new', path, `${path}/edit`, `${path}/delete`]) {
      const { status, headers, text } = await get(page, { Accept: 'text/html' });
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toContain('</html>');
    }
  });

  // Specification C.72, C.75, C.78
  test.each([
    ['/members/new', '/edit'],
    ['/members', ''],
  ])('registers by POST %s and updates by POST /members/{id}%s', async (register, update) => {
    const made = await send('POST', register, { headers: FORM, body: 'name=a%26b+c&age=5' });
    expect([made.status, made.json().name, made.json().age]).toEqual([201, 'a&b c', 5]);
    const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const body = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nd\r\n--x--\r\n';
    const changed = await send('POST', `${made.headers.location}${update}`, { headers: multipart, body });
    expect([changed.status, changed.json().name, changed.json().age]).toEqual([200, 'd', 5]);
  });

  // Specification C.76
  test('deletes through a control URI', async () => {
    const { path } = await create('/members', { name: 'a' });
    expect((await get(`${path}/delete`)).status).toBe(200);
    expect((await get(path)).status).toBe(200);
    expect((await send('POST', `${path}/delete`, { headers: FORM, body: '' })).status).toBe(204);
    expect((await get(path)).status).toBe(404);
  });

  // Specification C.77, C.79
  test('refuses methods other than GET and POST on control URIs', async () => {
    for (const path of ['/members/new', '/members/1/edit', '/members/1/delete'])
      for (const method of ['PUT', 'PATCH', 'DELETE']) expectProblem(await send(method, path), 405);
  });
});

describe('Customer and order collections', () => {
  // Specification C.80
  test('create and list customers at /customers', async () => {
    const { id } = await create('/customers', { name: 'c' });
    expect((await get('/customers?sort=-id&limit=1')).json().items[0]?.id).toBe(id);
  });

  // Specification C.81
  test('read, update and remove a customer at /customers/{id}, where POST is an error', async () => {
    const { path } = await create('/customers', { name: 'c' });
    const posted = await send('POST', path, { json: { name: 'd' } });
    expectProblem(posted, 405);
    expect(posted.headers.allow).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
    expect((await get(path)).json().name).toBe('c');
    expect((await send('PUT', path, { json: { name: 'd' } })).status).toBe(200);
    expect((await send('DELETE', path)).status).toBe(204);
    expectProblem(await send('PUT', path, { json: { name: 'd' } }), 404);
  });

  // Specification C.82
  test('create and list orders of a customer at /customers/{id}/orders', async () => {
    const customer = await create('/customers', { name: 'c' });
    const order = await create(`${customer.path}/orders`, { productId: 1 });
    expect(order.answer.json().customerId).toBe(customer.id);
    expect(order.path).toBe(`/orders/${order.id}`);
    expect((await get(`${customer.path}/orders`)).json().items.map(({ orderId }) => orderId)).toEqual([
      order.id,
    ]);
  });
});

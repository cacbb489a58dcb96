import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/problem.ts';
import { create, get, send, underTest, unique } from '../../support/under-test.ts';

/** Conventions, "Endpoints": the table of method semantics and those of each resource, row by row. */
underTest();

const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('"General method semantics"', () => {
  // "GET | retrieve a representation | yes | yes | none (data goes in query parameters; a body is discouraged) | representation"
  test('GET is safe and idempotent, and a body means nothing to it', async () => {
    const { path } = await create('/members', { name: 'a' });
    const [one, two] = [await get(path), await send('GET', path, { json: { name: 'b' } })];
    expect([one.status, two.text, two.headers.etag]).toEqual([200, one.text, one.headers.etag]);
    expect((await get(path)).text).toBe(one.text);
  });

  // "HEAD | like GET, headers and status line only | yes | yes | none | empty body"
  test.each([
    '/members',
    '/products/1',
    '/products/1?fields=productImage',
    '/add?operand1=1&operand2=2',
    '/members/1',
  ])('HEAD %s is GET without its body', async (path) => {
    const [head, read] = [await send('HEAD', path), await get(path)];
    expect([head.status, head.bytes.length]).toEqual([read.status, 0]);
    for (const name of ['content-type', 'content-length', 'etag', 'last-modified', 'vary', 'accept-ranges'])
      expect([name, head.headers[name]]).toEqual([name, read.headers[name]]);
  });

  // "POST | create a new resource under the URI, or trigger a processing action | no | no"
  test('POST is not idempotent: two make two', async () => {
    const [one, two] = [await create('/members', { name: 'a' }), await create('/members', { name: 'a' })];
    expect(one.path).not.toBe(two.path);
  });

  // "PUT | create or fully replace the resource at the client-chosen URI | no | yes | complete representation"
  test('PUT replaces fully, and is idempotent', async () => {
    const { path } = await create('/members', { name: 'a', age: 5, own: 1 });
    for (let times = 0; times < 2; times += 1)
      expect((await send('PUT', path, { json: { name: 'b' } })).status).toBe(200);
    const { name, age, own } = (await get(path)).json();
    expect([name, age, own]).toEqual(['b', undefined, undefined]);
  });

  // "PATCH | partial update | no | not stated | patch document"
  test('PATCH changes what the patch names', async () => {
    const { path } = await create('/members', { name: 'a', age: 5 });
    const patched = await send('PATCH', path, { headers: MERGE, json: { age: 6 } });
    expect(patched.json()).toMatchObject({ name: 'a', age: 6 });
  });

  // "DELETE | remove the resource | no | yes | none | none"
  test('DELETE removes, takes nothing and answers nothing', async () => {
    const { path } = await create('/members', { name: 'a' });
    const gone = await send('DELETE', path);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await get(path)).status).toBe(404);
  });

  // "OPTIONS | describes the communication options (methods) for the target resource (CORS)"
  test('OPTIONS tells the methods, to other origins as well', async () => {
    const { status, headers, text } = await send('OPTIONS', '/customers/1', {
      headers: { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'PUT' },
    });
    expect([status, text]).toEqual([204, '']);
    expect(headers.allow).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
    expect(headers['access-control-allow-methods']).toContain('PUT');
    expect(headers['access-control-allow-origin']).toMatch(/^(?:\*|http:\/\/localhost:5173)$/);
  });

  // "CONNECT | establishes a tunnel …"; "TRACE | message loop-back test …": neither is for this service
  test.each(['TRACE', 'CONNECT'])('%s is known and not allowed', async (method) => {
    const answer = await send(method, '/members');
    expectProblem(answer, 405);
    expect(answer.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
  });
});

describe('"Member collection (server-managed)"', () => {
  // "GET `/members` | list members | response: list of member representations"
  test('lists', async () => {
    const { id } = await create('/members', { name: 'a' });
    const { items } = (await get('/members?sort=-id&limit=1')).json();
    expect(items).toEqual([expect.objectContaining({ id, name: 'a' })]);
  });

  // "POST `/members` | register a member | request: member representation; response: 201 with `Location` of the new item"
  // "The client does not know the new item's URI before creation. The server creates it."
  test('registers', async () => {
    const { answer } = await create('/members', { name: 'a' });
    expect(answer.headers.location).toBe(`/members/${answer.json().id}`);
    expect((await get(answer.headers.location as string)).text).toBe(answer.text);
  });

  // "GET `/members/{id}`", "PUT `/members/{id}`", "PATCH `/members/{id}`", "DELETE `/members/{id}`"
  test('reads, replaces, changes and removes one', async () => {
    const { path } = await create('/members', { name: 'a' });
    expect((await get(path)).json().name).toBe('a');
    expect((await send('PUT', path, { json: { name: 'b' } })).json().name).toBe('b');
    expect((await send('PATCH', path, { headers: MERGE, json: { name: 'c' } })).json().name).toBe('c');
    expect((await send('DELETE', path)).status).toBe(204);
  });

  // "POST `/members/{id}` | any other change that is neither full replacement nor partial change | request: data"
  test('takes any other change', async () => {
    const { path } = await create('/members', { name: 'a', age: 5 });
    const changed = await send('POST', path, { json: { age: 6 } });
    expect([changed.status, changed.json().name, changed.json().age]).toEqual([200, 'a', 6]);
  });
});

describe('"File store (client-managed)"', () => {
  // "GET `/files`"; "GET `/files/{filename}`"; "PUT … create or replace a file; the client chooses the path"; "DELETE"
  test('lists, stores, reads, replaces and deletes', async () => {
    const path = `/files/${unique('f')}`;
    expect((await send('PUT', path, { body: 'one' })).status).toBe(201);
    expect((await send('PUT', path, { body: 'two' })).status).toBe(200);
    expect((await get(path)).text).toBe('two');
    expect((await get('/files')).json().items.length).toBeGreaterThan(0);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await get(path)).status).toBe(404);
  });

  // "POST `/files` | bulk registration"
  test('registers several at once', async () => {
    const [a, b] = [unique('f'), unique('f')];
    const json = [a, b].map((filename) => ({ filename, content: filename }));
    expect((await send('POST', '/files', { json })).status).toBe(201);
    for (const name of [a, b]) expect((await get(`/files/${name}`)).text).toBe(name);
  });
});

describe('"HTML form style for members"', () => {
  // "GET `/members` | list", "GET `/members/new` | registration form", "GET `/members/{id}/edit` | edit form"
  test('shows pages and forms', async () => {
    const { path } = await create('/members', { name: 'a' });
    for (const page of ['/members', '/members/new', path, `${path}/edit`, `${path}/delete`]) {
      const { status, headers, text } = await get(page, { Accept: 'text/html' });
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toContain('</html>');
    }
  });

  // "POST `/members/new` or POST `/members` | register"; "POST `/members/{id}/edit` or POST `/members/{id}` | update"
  // "Forms send `application/x-www-form-urlencoded` … or `multipart/form-data`"
  test.each([
    ['/members/new', '/edit'],
    ['/members', ''],
  ])('POST %s registers, POST /members/{id}%s updates', async (register, update) => {
    const made = await send('POST', register, { headers: FORM, body: 'name=a%26b+c&age=5' });
    expect([made.status, made.json().name, made.json().age]).toEqual([201, 'a&b c', 5]);
    const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const body = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nd\r\n--x--\r\n';
    const changed = await send('POST', `${made.headers.location}${update}`, { headers: multipart, body });
    expect([changed.status, changed.json().name, changed.json().age]).toEqual([200, 'd', 5]);
  });

  // "`/members/{id}/delete` | delete via a control URI"
  test('deletes', async () => {
    const { path } = await create('/members', { name: 'a' });
    expect((await get(`${path}/delete`)).status).toBe(200);
    expect((await get(path)).status).toBe(200);
    expect((await send('POST', `${path}/delete`, { headers: FORM, body: '' })).status).toBe(204);
    expect((await get(path)).status).toBe(404);
  });

  // "Forms support only GET and POST."; "Control URIs contain a verb (`new`, `edit`, `delete`)"
  test('control URIs know no other method', async () => {
    for (const path of ['/members/new', '/members/1/edit', '/members/1/delete'])
      for (const method of ['PUT', 'PATCH', 'DELETE']) expectProblem(await send(method, path), 405);
  });
});

describe('"Customer and order collections"', () => {
  // "`/customers` | create a customer | list all customers"
  test('/customers', async () => {
    const { id } = await create('/customers', { name: 'c' });
    expect((await get('/customers?sort=-id&limit=1')).json().items[0]?.id).toBe(id);
  });

  // "`/customers/{id}` | error | details of the customer | update, if the customer exists | remove the customer"
  test('/customers/{id}', async () => {
    const { path } = await create('/customers', { name: 'c' });
    const posted = await send('POST', path, { json: { name: 'd' } });
    expectProblem(posted, 405);
    expect(posted.headers.allow).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
    expect((await get(path)).json().name).toBe('c');
    expect((await send('PUT', path, { json: { name: 'd' } })).status).toBe(200);
    expect((await send('DELETE', path)).status).toBe(204);
    expectProblem(await send('PUT', path, { json: { name: 'd' } }), 404);
  });

  // "`/customers/{id}/orders` | create an order for the customer | list the customer's orders"
  test('/customers/{id}/orders', async () => {
    const customer = await create('/customers', { name: 'c' });
    const order = await create(`${customer.path}/orders`, { productId: 1 });
    expect(order.answer.json().customerId).toBe(customer.id);
    expect(order.path).toBe(`/orders/${order.id}`);
    expect((await get(`${customer.path}/orders`)).json().items.map(({ orderId }) => orderId)).toEqual([
      order.id,
    ]);
  });
});

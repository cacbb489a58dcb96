import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, dated, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const SERVER_FIELDS = ['id', 'createdAt', 'updatedAt', 'links'];
const own = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !SERVER_FIELDS.includes(name)));

describe('GET and HEAD /members/{id}', () => {
  // Specification C.47
  test('return the same header fields, and HEAD returns no body', async () => {
    const { path } = await create('/members', { name: unique('head') });
    const [got, head] = [await get(path), await send('HEAD', path)];
    expect(head.bytes.length).toBe(0);
    expect({ ...head.headers, date: '' }).toEqual({ ...got.headers, date: '' });
  });

  // Specification 1.18
  test('ignore a body', async () => {
    const { path } = await create('/members', { name: unique('body') });
    for (const body of ['{"broken', 'x'.repeat(1000)]) {
      const answer = await send('GET', path, { body, headers: { 'Content-Type': 'text/nonsense' } });
      expect(answer.status).toBe(200);
    }
  });

  // Specification 3.1, 3.8
  test('return a strong ETag, Last-Modified, Cache-Control and Vary', async () => {
    const { path } = await create('/members', { name: unique('etag') });
    const { headers, json } = await dated(path);
    expect(headers.etag).toMatch(/^"\d+\.[^"]*-json"$/);
    const next = Math.floor(Date.parse(json().updatedAt) / 1000) * 1000 + 1000;
    expect(headers['last-modified']).toBe(new Date(next).toUTCString());
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers.vary?.toLowerCase().split(/, */)).toContain('accept');
  });

  // Specification 1.9, C.118
  test.each([
    'x',
    '1x',
    '-1',
    '1.0',
    '0x10',
    '1e3',
    '%31x',
    '9007199254740993',
    '99999999999999999999',
    '1',
    '%20',
    'new2',
  ])('get 404 for /members/%s', async (id) => {
    for (const method of ['GET', 'HEAD', 'DELETE']) expectProblem(await send(method, `/members/${id}`), 404);
    expectProblem(await send('PUT', `/members/${id}`, { json: { name: 'x' } }), 404);
  });

  // Specification 2.45, 2.46
  test.each([
    ['application/json', 200],
    ['*/*', 200],
    ['application/*', 200],
    ['application/json;q=0.1, image/png', 200],
    ['text/html;q=0.5, */*;q=0.1, application/json', 200],
    ['image/png', 406],
    ['application/json;q=0', 406],
    ['application/pdf, image/*', 406],
  ])('with Accept: %s get %i', async (accept, status) => {
    const { path } = await create('/members', { name: unique('accept') });
    const answer = await get(path, { Accept: accept });
    if (status === 200) {
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
    } else {
      expectProblem(answer, 406);
      expect(answer.text).toContain('application/json');
    }
  });

  // Specification 2.46: the service responds with a problem even if Accept excludes it.
  test('never turn an error into 406', async () => {
    for (const accept of ['application/json', 'application/json;q=0.5, application/problem+json;q=0']) {
      const answer = await get('/members/1', { Accept: accept });
      expect([answer.status, answer.json().status]).toEqual([404, 404]);
    }
    expectProblem(await get('/files/never-stored', { Accept: 'image/png' }), 404);
    expectProblem(await get('/add', { Accept: 'text/plain' }), 400);
    expectProblem(await get('/nothing', { Accept: 'image/png' }), 404);
    expectProblem(await get('/members?limit=x', { Accept: 'image/png' }), 400);
    expectProblem(await get('/add?operand1=1', { Accept: 'image/png' }), 400);
    for (const path of ['/members/1', '/customers/1/orders', '/orders/1/customer'])
      for (const accept of ['image/png', 'application/problem+json'])
        expectProblem(await get(path, { Accept: accept }), 404);
  });

  test('leave errors of writes before 406, and a write with 406 has no effect', async () => {
    const { path } = await create('/members', { name: unique('unacceptable') });
    const headers = { Accept: 'image/png' };
    const typed = { ...headers, 'Content-Type': 'application/json' };
    expectProblem(await send('POST', '/members', { body: '{', headers: typed }), 400);
    expectProblem(await send('PUT', '/members/1', { json: { name: 'x' }, headers }), 404);
    expectProblem(await send('POST', '/orders/1/pay', { headers }), 404);
    expectProblem(await send('POST', '/customers/1/orders', { json: { productId: 1 }, headers }), 404);
    expectProblem(await send('PUT', path, { json: { name: 'changed' }, headers }), 406);
    expect((await get(path)).headers.etag).toMatch(/^"1\./);
    expect((await send('DELETE', path, { headers })).status).toBe(204);
    expectProblem(await send('DELETE', path, { headers }), 404);
  });
});

describe('fields', () => {
  // Specification 4.17
  test('select the identifier, the named properties and nothing else', async () => {
    const { path, id } = await create('/members', { username: unique('f'), name: 'N', age: 4 });
    const whole = await get(path);
    const part = await get(`${path}?fields=name,age`);
    expect(part.json()).toEqual({ id, name: 'N', age: 4 });
    expect(part.headers.link).toBe(whole.headers.link);
    expect((await get(`${path}?fields=id`)).json()).toEqual({ id });
    expect((await get(`${path}?fields=links`)).json()).toEqual({ id, links: whole.json().links });
  });

  // Specification 4.17
  test('select in XML too, and leave the links of a page as they are', async () => {
    const { path, id } = await create('/members', { name: 'N', age: 4 });
    const written = await get(`${path}?fields=name`, { Accept: 'application/xml' });
    expect(written.text).toContain(`<member><id>${id}</id><name>N</name></member>`);
    const page = await get(`${path}?fields=name`, { Accept: 'text/html' });
    expect(page.text).toContain(`${path}/edit`);
    expect(page.text).not.toContain('<dt>Age</dt>');
  });

  // Specification 3.1, 4.17
  test('have an ETag of their own, which guards a write as the ETag of the whole does', async () => {
    const { path } = await create('/members', { name: 'N', age: 4 });
    const queries = ['', '?fields=name', '?fields=age', '?fields=name,age'];
    const tags: (string | undefined)[] = [];
    for (const query of queries) tags.push((await get(`${path}${query}`)).headers.etag);
    expect(new Set(tags).size).toBe(queries.length);
    expect((await get(`${path}?fields=age,name`)).headers.etag).toBe(tags[3]);
    const change = (etag = '') => send('PUT', path, { json: { name: 'M' }, headers: { 'If-Match': etag } });
    expect((await change(tags[1])).status).toBe(200);
    expectProblem(await change(tags[2]), 412);
  });

  test('have a strong ETag that If-None-Match compares', async () => {
    const { path } = await create('/members', { username: unique('f'), name: 'N' });
    const part = await get(`${path}?fields=name`);
    expect(part.headers.etag).toMatch(/^"/);
    expect((await get(`${path}?fields=name`, { 'If-None-Match': part.headers.etag })).status).toBe(304);
  });

  // Specification 4.18, 4.19
  test('leave out what a member lacks, show all if they are empty, and may repeat', async () => {
    const { path } = await create('/members', { name: unique('f'), age: 4, colour: 'red' });
    const whole = (await get(path)).json();
    const shown = async (query: string) => own((await get(`${path}?${query}`)).json());
    expect(await shown('fields=productImage')).toEqual({});
    expect(await shown('fields=')).toEqual(own(whole));
    expect(await shown('fields=age&fields=colour,none')).toEqual({ age: 4, colour: 'red' });
  });

  // An undeclared property is a valid name. A text that cannot name a property is unknown.
  test('get 400 for a text that cannot name a property', async () => {
    const { path } = await create('/members', { name: unique('f') });
    for (const fields of ['name,,age', 'na%20me', '1x'])
      expectProblem(await get(`${path}?fields=${fields}`), 400, 'validation-error');
    const answer = await get(`${path}?fields=${encodeURIComponent('no such field')}`);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toContainEqual(expect.objectContaining({ parameter: 'fields' }));
  });
});

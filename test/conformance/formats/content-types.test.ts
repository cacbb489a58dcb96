import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

describe('Content-Type', () => {
  // Specification 2.47
  test.each([
    'text/plain',
    'application/octet-stream',
    'application/jsonx',
    'application/vnd.api+json',
    'json',
    '',
  ])('%j gets 415 with the accepted types', async (type) => {
    const { path, etag } = await create('/members', { name: unique('type') });
    const headers = { 'Content-Type': type };
    const post = await send('POST', '/members', { json: { name: 'x' }, headers });
    expectProblem(post, 415);
    expect(post.headers['accept-post'] ?? post.headers.accept).toMatch(/application\/json/);
    const put = await send('PUT', path, { json: { name: 'x' }, headers });
    expectProblem(put, 415);
    expect(put.headers.accept).toMatch(/application\/json/);
    const patch = await send('PATCH', path, { json: { name: 'x' }, headers });
    expectProblem(patch, 415);
    expect(patch.headers['accept-patch']).toMatch(/application\/merge-patch\+json/);
    expect((await get(path)).headers.etag).toBe(etag);
  });

  test('gets 415 if it is missing and there is a body', async () => {
    expectProblem(await send('POST', '/members', { body: '{"name":"x"}' }), 415);
  });

  // Without a body, no type can be wrong: 400 and 415 are both right.
  test('gets 400 or 415 if there is no body at all', async () => {
    const answer = await send('POST', '/members', { body: '' });
    expectProblem(answer, answer.status === 415 ? 415 : 400);
    expectProblem(
      await send('POST', '/members', { body: '', headers: { 'Content-Type': 'application/json' } }),
      400,
    );
  });

  test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="UTF-8"'])(
    '%s counts as JSON',
    async (type) => {
      const answer = await send('POST', '/members', {
        json: { name: 'ü' },
        headers: { 'Content-Type': type },
      });
      expect(answer.status).toBe(201);
      expect(answer.json().name).toBe('ü');
    },
  );

  // US-ASCII is a part of UTF-8, and RFC 4180 §3 names it as the common charset of CSV.
  test.each([
    ['text/xml; charset=us-ascii', '<member><name>x</name></member>'],
    ['text/csv; charset="US-ASCII"', 'name\r\nx\r\n'],
    ['application/x-www-form-urlencoded; charset=us-ascii', 'name=x'],
  ])('%s counts as UTF-8', async (type, body) => {
    expect((await send('POST', '/members', { body, headers: { 'Content-Type': type } })).status).toBe(201);
  });
  test.each(['us-ascii-1', 'utf-16', 'iso-8859-1'])('the charset %s gets 415', async (charset) => {
    const headers = { 'Content-Type': `application/xml; charset=${charset}` };
    expectProblem(await send('POST', '/members', { body: '<m><name>x</name></m>', headers }), 415);
  });

  // Specification 2.48
  test.each(['br', 'deflate', 'gzip, gzip', 'x-unknown'])(
    'Content-Encoding: %s gets 415',
    async (encoding) => {
      const headers = { 'Content-Encoding': encoding };
      const answer = await send('POST', '/members', { json: { name: 'x' }, headers });
      expectProblem(answer, 415);
      expect(answer.headers['accept-encoding']).toBe('gzip');
    },
  );
  test('Content-Encoding: identity has no effect', async () => {
    const headers = { 'Content-Encoding': 'identity' };
    expect((await send('POST', '/members', { json: { name: 'x' }, headers })).status).toBe(201);
  });
});

test.each(['application/json', 'application/xml', 'text/html'])(
  'forbids browsers to guess another type than %s',
  async (Accept) => {
    for (const [path, status] of [
      ['/members', 200],
      ['/members/1', 404],
      ['/', 200],
    ] as const) {
      const answer = await get(path, { Accept });
      expect([answer.status, answer.headers['x-content-type-options']]).toEqual([status, 'nosniff']);
    }
  },
);

// Specification 15.9
test('the format of the request causes 415, and that of the response 406', async () => {
  const text = { body: 'x', headers: { 'Content-Type': 'text/plain' } };
  expectProblem(await send('POST', '/members', text), 415);
  expectProblem(await get('/members', { Accept: 'text/nonsense', 'Content-Type': 'text/plain' }), 406);
  const json = { name: 'x' };
  expectProblem(await send('POST', '/members', { json, headers: { Accept: 'text/nonsense' } }), 406);
});

describe('the parameter version of a media type', () => {
  // Specification 12.1, 12.2
  test('1 names the only version, with the same entity tag', async () => {
    const { path, etag } = await create('/members', { name: unique('version') });
    for (const type of ['application/json', 'application/xml']) {
      const answer = await get(path, { Accept: `${type};version=1` });
      expect([answer.status, answer.headers['content-type']]).toEqual([200, `${type};version=1`]);
    }
    const named = { Accept: 'application/json; version=1' };
    expect((await get(path, named)).headers.etag).toBe(etag);
    const headers = { 'Content-Type': 'application/json;version=1', 'If-Match': etag };
    expect((await send('PUT', path, { json: { name: unique('version') }, headers })).status).toBe(200);
  });

  // Specification 12.2
  test('gets 406 or 415 if it has another value', async () => {
    const { path, etag } = await create('/members', { name: unique('version') });
    expectProblem(await get(path, { Accept: 'application/json;version=2' }), 406);
    for (const [method, at, type] of [
      ['POST', '/members', 'application/json;version=2'],
      ['PUT', path, 'application/xml;version=2'],
      ['PATCH', path, 'application/merge-patch+json;version=2'],
    ] as const) {
      const answer = await send(method, at, { body: '{"name":"x"}', headers: { 'Content-Type': type } });
      expectProblem(answer, 415);
    }
    expect((await get(path)).headers.etag).toBe(etag);
  });
});

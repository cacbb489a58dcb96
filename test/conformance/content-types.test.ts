import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../support/problem.ts';
import { create, get, send, underTest, unique } from '../support/under-test.ts';

underTest();

describe('Content-Type', () => {
  // "Content-Type unknown, or missing with a body → 415 with Accept-Post/Accept/Accept-Patch"
  test.each([
    'text/plain',
    'application/octet-stream',
    'application/jsonx',
    'application/vnd.api+json',
    'json',
    '',
  ])('%j → 415, naming what is accepted', async (type) => {
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

  test('missing with a body → 415', async () => {
    expectProblem(await send('POST', '/members', { body: '{"name":"x"}' }), 415);
  });

  // Missing without a body: there is nothing whose type could be wrong, so 400 or 415.
  test('no body at all → 400 or 415', async () => {
    const answer = await send('POST', '/members', { body: '' });
    expectProblem(answer, answer.status === 415 ? 415 : 400);
    expectProblem(
      await send('POST', '/members', { body: '', headers: { 'Content-Type': 'application/json' } }),
      400,
    );
  });

  test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="UTF-8"'])(
    '%s is JSON',
    async (type) => {
      const answer = await send('POST', '/members', {
        json: { name: 'ü' },
        headers: { 'Content-Type': type },
      });
      expect(answer.status).toBe(201);
      expect(answer.json().name).toBe('ü');
    },
  );

  // "Any request Content-Encoding but identity → 415."
  test.each(['gzip', 'br', 'deflate', 'identity, gzip', 'x-unknown'])(
    'Content-Encoding: %s → 415',
    async (encoding) => {
      const headers = { 'Content-Encoding': encoding };
      expectProblem(await send('POST', '/members', { json: { name: 'x' }, headers }), 415);
    },
  );
  test('Content-Encoding: identity is none', async () => {
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

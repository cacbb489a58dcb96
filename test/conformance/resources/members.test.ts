import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const SERVER_FIELDS = ['id', 'createdAt', 'updatedAt', 'links'];
const own = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !SERVER_FIELDS.includes(name)));

describe('POST /members', () => {
  test('gets 201 with Location, Content-Location, ETag and the representation', async () => {
    const values = { username: unique('ada'), name: 'Ada Byron', email: 'ada@example.com', age: 36 };
    const answer = await send('POST', '/members', { json: values });
    expect(answer.status).toBe(201);
    const body = answer.json();
    expect(answer.headers.location).toBe(`/members/${body.id}`);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(own(body)).toEqual(values);
    const got = await get(`/members/${body.id}`);
    expect(got.status).toBe(200);
    expect(got.json()).toEqual(body);
    expect(got.headers.etag).toBe(answer.headers.etag);
  });

  // Specification 2.2
  test('chooses distinct integers below 2^53 that contain the time', async () => {
    const before = Date.now();
    const ids = await Promise.all(
      Array.from({ length: 30 }, async () => (await create('/members', { name: unique('id') })).id),
    );
    const after = Date.now();
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(Number.isSafeInteger(id)).toBe(true);
      const made = Math.floor(id / 4096) + Date.UTC(2026, 0, 1);
      expect(made).toBeGreaterThanOrEqual(before - 60_000);
      expect(made).toBeLessThanOrEqual(after + 60_000);
    }
  });

  // Specification 2.11, 2.12
  test('returns undeclared properties as the client sent them', async () => {
    const values = {
      nothing: null,
      yes: true,
      list: [1, 'two', { three: [null] }],
      nested: { a: { 'any name at all!': 1 }, '': 2 },
      text: '007',
      emoji: '👩‍🚀 Zoë',
      'x.y-z_1': 1.5,
      _under: '',
    };
    const member = await create('/members', values);
    expect(own((await get(member.path)).json())).toEqual(values);
  });

  test('creates two members for two equal requests', async () => {
    const values = { username: unique('twin') };
    const [one, two] = [await create('/members', values), await create('/members', values)];
    expect(one.id).not.toBe(two.id);
  });

  // Specification 2.18
  test('creates another member from the result of GET', async () => {
    const member = await create('/members', { username: unique('copy'), tags: ['x'] });
    const again = await send('POST', '/members', { json: (await get(member.path)).json() });
    expect(again.status).toBe(201);
    expect(again.json().id).not.toBe(member.id);
    expect(own(again.json())).toEqual(own(member.answer.json()));
  });

  // Specification 4.21
  test('with an unknown query parameter and strict handling gets 400 and creates nothing', async () => {
    const username = unique('query');
    const headers = { Prefer: 'handling=strict' };
    const answer = await send('POST', '/members?x=1', { json: { username }, headers });
    expectProblem(answer, 400, 'validation-error');
    expect((await get('/members?sort=-id&limit=20')).json().items).not.toContainEqual(
      expect.objectContaining({ username }),
    );
  });
});

describe('PUT /members/{id}', () => {
  test('replaces all properties, keeps id and createdAt, and gets 200 with the representation', async () => {
    const member = await create('/members', { username: unique('put'), age: 3, open: { a: 1 } });
    const answer = await send('PUT', member.path, { json: { name: 'Other', more: [1] } });
    expect(answer.status).toBe(200);
    expect(own(answer.json())).toEqual({ name: 'Other', more: [1] });
    expect(answer.json()).toMatchObject({ id: member.id, createdAt: member.answer.json().createdAt });
    expect(answer.headers.etag).not.toBe(member.etag);
    const got = await get(member.path);
    expect(got.json()).toEqual(answer.json());
    expect(got.headers.etag).toBe(answer.headers.etag);
    expect(answer.headers['content-location']).toBe(member.path);
  });

  // Specification 2.18, C.49
  test('of the result of GET changes nothing else, also the second time', async () => {
    const member = await create('/members', { username: unique('same'), age: 3 });
    const body = (await get(member.path)).json();
    for (const _ of [1, 2]) {
      const answer = await send('PUT', member.path, { json: body });
      expect(answer.status).toBe(200);
      expect(own(answer.json())).toEqual(own(body));
    }
  });

  // Specification 1.2: the client does not choose URIs in a collection.
  test('gets 404 for a missing member and creates nothing', async () => {
    expectProblem(await send('PUT', '/members/1', { json: { name: 'x' } }), 404);
    expectProblem(await get('/members/1'), 404);
  });

  // Specification 5.7; RFC 9110 §14.5
  test('with Content-Range gets 400 and replaces nothing', async () => {
    const name = unique('part');
    const member = await create('/members', { name });
    const headers = { 'Content-Range': 'bytes 0-3/10' };
    expectProblem(await send('PUT', member.path, { json: { name: 'x' }, headers }), 400);
    expectProblem(await send('PUT', '/customers', { json: [], headers }), 400);
    expect((await get(member.path)).json().name).toBe(name);
  });

  // Specification 2.18
  test('gets 400 if the id in the body differs from the path', async () => {
    const member = await create('/members', { name: unique('id') });
    const answer = await send('PUT', member.path, { json: { id: member.id + 1, name: 'x' } });
    expectProblem(answer, 400);
    expect((await send('PUT', member.path, { json: { id: member.id, name: 'x' } })).status).toBe(200);
  });
});

describe('DELETE /members/{id}', () => {
  // Specification 15.7
  test('gets 204 without a body, and then every request gets 404', async () => {
    const { path } = await create('/members', { name: unique('gone') });
    const answer = await send('DELETE', path);
    expect(answer.status).toBe(204);
    expect(answer.bytes.length).toBe(0);
    expect(answer.headers['content-type']).toBeUndefined();
    expectProblem(await send('DELETE', path), 404);
    expectProblem(await get(path), 404);
    expectProblem(await send('PUT', path, { json: { name: 'x' } }), 404);
    expectProblem(
      await send('PATCH', path, {
        json: { name: 'x' },
        headers: { 'Content-Type': 'application/merge-patch+json' },
      }),
      404,
    );
  });

  // Specification 4.21, 4.22
  test.each(['PUT', 'PATCH', 'DELETE'])(
    '%s with an unknown query parameter and strict handling gets 400 and changes nothing',
    async (method) => {
      const { path, etag } = await create('/members', { name: unique('query') });
      const answer = await send(method, `${path}?name=x`, {
        json: { name: 'y' },
        headers: {
          'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
          Prefer: 'handling=strict',
        },
      });
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toContainEqual(expect.objectContaining({ parameter: 'name' }));
      expect((await get(path)).headers.etag).toBe(etag);
    },
  );

  test('GET and HEAD ignore unknown query parameters', async () => {
    const { path } = await create('/members', { name: unique('query') });
    expect((await get(`${path}?name=x&foo`)).status).toBe(200);
    expect((await send('HEAD', `${path}?name=x`)).status).toBe(200);
    expect((await get('/members?name=x&limit=1')).status).toBe(200);
  });
});

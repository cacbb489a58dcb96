import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const minimal = { Prefer: 'return=minimal' };

describe('Prefer', () => {
  underTest();

  // Specification 10.8
  test('return=minimal on PATCH and PUT gets 204, and the change happens', async () => {
    const { path } = await create('/members', { name: 'a' });
    const patched = await send('PATCH', path, { body: '{"name":"b"}', headers: { ...MERGE, ...minimal } });
    expect([patched.status, patched.text, patched.headers['preference-applied']]).toEqual([
      204,
      '',
      'return=minimal',
    ]);
    const read = await get(path);
    expect([read.json().name, patched.headers.etag]).toEqual(['b', read.headers.etag]);
    const put = await send('PUT', path, { json: { name: 'c' }, headers: minimal });
    expect([put.status, put.text]).toEqual([204, '']);
    // Specification 3.4
    expect(put.headers.etag).toBeUndefined();
    const nothing = await send('PATCH', path, { body: '{}', headers: { ...MERGE, ...minimal } });
    expect(nothing.status).toBe(204);
    expect((await get(path)).json().name).toBe('c');
  });

  // RFC 9110 §15.3.2, §15.3.5. Specification 3.4
  test.each(['application/json', 'application/xml'])(
    'return=minimal has the entity tag of the item in %s, after POST, PATCH, POST on the item and a transition',
    async (Accept) => {
      const headers = { ...minimal, Accept };
      const made = await send('POST', '/orders', { json: { productId: 1, orderValue: 1 }, headers });
      const path = made.headers.location as string;
      const tag = async () => (await get(path, { Accept })).headers.etag;
      expect([made.status, made.headers.etag]).toEqual([201, await tag()]);
      const patched = await send('PATCH', path, { body: '{"note":"b"}', headers: { ...headers, ...MERGE } });
      expect([patched.status, patched.headers.etag]).toEqual([204, await tag()]);
      const paid = await send('POST', `${path}/pay`, { headers });
      expect([paid.status, paid.headers.etag]).toEqual([204, await tag()]);
      const member = await create('/members', { name: 'a' });
      const changed = await send('POST', member.path, { json: { name: 'b' }, headers });
      expect([changed.status, changed.headers.etag]).toEqual([
        204,
        (await get(member.path, { Accept })).headers.etag,
      ]);
      const next = { ...MERGE, 'If-Match': changed.headers.etag ?? '' };
      expect((await send('PATCH', member.path, { body: '{"name":"c"}', headers: next })).status).toBe(200);
    },
  );

  // Specification 5.6
  test('return=minimal works on files', async () => {
    const path = `/files/${unique('minimal')}`;
    const first = await send('PUT', path, { body: 'a', headers: minimal });
    expect([first.status, first.text, first.headers.location]).toEqual([201, '', path]);
    const second = await send('PUT', path, { body: 'b', headers: minimal });
    expect([second.status, second.text]).toEqual([204, '']);
    expect(second.headers.etag).toBe((await get(path)).headers.etag);
  });

  test('return=representation is the default and is confirmed', async () => {
    const { answer } = await create('/members', { name: 'a' });
    expect(answer.headers['preference-applied']).toBeUndefined();
    const said = await send('POST', '/members', {
      json: { name: 'a' },
      headers: { Prefer: 'return=representation' },
    });
    expect([said.status, said.headers['preference-applied']]).toEqual([201, 'return=representation']);
    expect(said.json().name).toBe('a');
  });

  // Specification 4.21, 1.17
  test.each([
    ['GET', '', undefined],
    ['HEAD', '', undefined],
    ['POST', '/members', { name: 'x' }],
    ['POST', '', { name: 'x' }],
    ['PUT', '', { name: 'x' }],
    ['PATCH', '', { name: 'x' }],
  ])('handling=strict alone makes %s %s refuse unknown parameters', async (method, path, json) => {
    const target = path || (await create('/members', { name: 'x' })).path;
    const headers = method === 'PATCH' ? { 'Content-Type': 'application/merge-patch+json' } : {};
    for (const query of ['colour=red', 'minCost=x', 'expand=x', '_method=DELETE', 'colour=red&colour=blue']) {
      const sent = await send(method, `${target}?${query}`, { json, headers });
      expect(sent.status).toBe(path ? 201 : 200);
      const strict = await send(method, `${target}?${query}`, {
        json,
        headers: { ...headers, Prefer: 'handling=strict' },
      });
      expect(strict.status).toBe(400);
    }
  });

  // Specification 4.22
  test('no preference makes DELETE and PUT of a collection ignore unknown parameters', async () => {
    const { path } = await create('/customers', { name: unique('unknown') });
    const { path: order } = await create(`${path}/orders`, { productId: 1, orderValue: 1 });
    for (const query of [
      'colour=red',
      'minCost=1',
      'fields=createdAt',
      'expand=customer',
      'limit=1',
      '_method=GET',
    ]) {
      for (const target of [order, `${path}/orders`, path])
        expectProblem(await send('DELETE', `${target}?${query}`), 400, 'validation-error');
      expectProblem(await send('PUT', `${path}/orders?${query}`, { json: [] }), 400, 'validation-error');
    }
    expect((await get(order)).status).toBe(200);
    expect((await send('PUT', `${path}/orders`, { json: [] })).status).toBe(200);
  });

  // Specification 4.21
  test('handling=strict names the unknown parameters', async () => {
    expect((await get('/members?colour=red')).status).toBe(200);
    const strict = await get('/members?colour=red', { Prefer: 'handling=strict' });
    expect(strict.status).toBe(400);
    expect(strict.json().errors).toEqual([expect.objectContaining({ parameter: 'colour' })]);
    expect((await get('/members?limit=1', { Prefer: 'handling=strict' })).headers['preference-applied']).toBe(
      'handling=strict',
    );
  });

  // Specification 4.23
  test('count=exact adds the total', async () => {
    const { path } = await create('/customers', { name: unique('counted') });
    for (const orderValue of [1, 2, 3]) await create(`${path}/orders`, { productId: 1, orderValue });
    const orders = `${path}/orders?limit=2`;
    expect((await get(orders)).json()).not.toHaveProperty('total');
    const counted = await get(orders, { Prefer: 'count=exact' });
    expect(counted.json()).toMatchObject({ total: 3, limit: 2 });
    expect(counted.headers['preference-applied']).toBe('count=exact');
    expect(counted.headers.vary).toMatch(/Prefer/);
    expect((await get(`${orders}&minCost=2`, { Prefer: 'count=exact' })).json().total).toBe(2);
    expect((await get(`${path}/orders?limit=0`, { Prefer: 'count=exact' })).json()).toMatchObject({
      total: 3,
      items: [],
    });
  });

  test('server-timing adds the timing', async () => {
    const { path } = await create('/members', { name: 'timed' });
    expect((await get(path)).headers).not.toHaveProperty('server-timing');
    for (const [address, status] of [
      [path, 200],
      ['/members', 200],
      [`${path}9`, 404],
    ] as const) {
      const { headers, ...answer } = await get(address, { Prefer: 'server-timing' });
      expect(answer.status).toBe(status);
      expect(headers['server-timing']).toMatch(/^total;dur=[\d.]+, dynamodb;dur=[\d.]+;desc="\d+ calls?"/);
      expect(headers['preference-applied']).toBe('server-timing');
    }
  });

  test.each(['', ',', 'nonsense', 'return', 'return="mini', 'return=maximal', 'a=b; c=d, ,return=minimal;x'])(
    'never causes an error by its content: %s',
    async (Prefer) => {
      const answer = await send('POST', '/members', { json: { name: 'a' }, headers: { Prefer } });
      expect(answer.status).toBe(201);
      expect(answer.text === '').toBe(Prefer.includes('return=minimal'));
    },
  );
});

// Specification 2.46
test.each(['return=minimal', 'return=representation', ''])(
  'Vary names Accept and Prefer for a write with Prefer: %j',
  async (Prefer) => {
    const headers = Prefer === '' ? {} : { Prefer };
    const { path } = await create('/members', { name: unique('vary') });
    const answers = [
      await send('POST', '/members', { json: { name: unique('vary') }, headers }),
      await send('PUT', path, { json: { name: 'put' }, headers }),
      await send('PATCH', path, {
        json: { age: 5 },
        headers: { ...headers, 'Content-Type': 'application/merge-patch+json' },
      }),
      await send('POST', path, { json: { age: 6 }, headers }),
    ];
    for (const { headers: received } of answers) {
      expect(received.vary?.split(', ')).toEqual(expect.arrayContaining(['Accept', 'Prefer']));
      expect(received['preference-applied']).toBe(Prefer === '' ? undefined : Prefer);
    }
  },
);

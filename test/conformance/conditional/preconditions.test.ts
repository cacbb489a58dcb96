import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

describe('the response to a precondition', () => {
  // RFC 9110 §15.4.5: the header fields a 200 would have had that caches need; no content.
  test('is a 304 with ETag, Cache-Control, Vary and no body', async () => {
    const { path } = await create('/members', { name: unique('304') });
    const full = await get(path);
    const answer = await get(path, { 'If-None-Match': full.headers.etag });
    expect(answer.status).toBe(304);
    expect(answer.bytes.length).toBe(0);
    for (const name of ['etag', 'cache-control', 'vary']) {
      expect(answer.headers[name]).toBe(full.headers[name]);
    }
  });

  // RFC 9110 §15.4.5
  test('is a 304 with the Content-Location of the 200', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const { path } = await create('/orders', { productId: 1, orderValue: 1, customerId: customer.id });
    const { etag } = (await get(`${path}/customer`)).headers;
    const seen = await get(`${path}/customer`, { 'If-None-Match': String(etag) });
    expect([seen.status, seen.headers['content-location']]).toEqual([304, customer.path]);
  });

  // Specification 3.6
  test.each(['PUT', 'PATCH', 'DELETE', 'GET', 'HEAD'])(
    'is a 412 with the current ETag for %s',
    async (method) => {
      const { path, etag } = await create('/members', { name: unique('412') });
      const answer = await send(method, path, {
        ...(method === 'PUT' || method === 'PATCH' ? { body: '{"name":"x"}' } : {}),
        headers: {
          'If-Match': '"other"',
          ...(method === 'PUT' ? { 'Content-Type': 'application/json' } : {}),
          ...(method === 'PATCH' ? { 'Content-Type': 'application/merge-patch+json' } : {}),
        },
      });
      expectProblem(answer, 412);
      expect(answer.headers.etag).toBe(etag);
      expect((await get(path)).headers.etag).toBe(etag);
    },
  );

  test('is a 412 with the current ETag for the write of a file', async () => {
    const path = `/files/${unique('412')}`;
    const { headers } = await send('PUT', path, { body: 'x' });
    for (const method of ['PUT', 'DELETE']) {
      const answer = await send(method, path, {
        headers: { 'If-Match': '"other"' },
        ...(method === 'PUT' ? { body: 'y' } : {}),
      });
      expectProblem(answer, 412);
      expect(answer.headers.etag).toBe(headers.etag);
    }
    expect((await get(path)).text).toBe('x');
  });

  // Specification 3.1
  test('depends on an ETag that every change replaces, and that a PATCH without effect keeps', async () => {
    const { path, etag } = await create('/members', { name: 'a', tags: [1] });
    const seen = new Set([etag]);
    for (const name of ['b', 'c', 'a']) {
      const { headers } = await send('PUT', path, { json: { name } });
      seen.add(headers.etag as string);
    }
    expect(seen.size).toBe(4);
    const before = await get(path);
    for (const [type, body] of [
      ['application/merge-patch+json', '{}'],
      ['application/merge-patch+json', '{"name":"a"}'],
      ['application/json-patch+json', '[]'],
      ['application/json-patch+json', '[{"op":"test","path":"/name","value":"a"}]'],
      ['application/json-patch+json', '[{"op":"replace","path":"/name","value":"a"}]'],
    ] as const) {
      const answer = await send('PATCH', path, { body, headers: { 'Content-Type': type } });
      expect({ body, status: answer.status }).toEqual({ body, status: 200 });
      expect(answer.headers.etag).toBe(before.headers.etag);
    }
    expect((await get(path)).json()).toEqual(before.json());
  });

  // Specification 3.2
  test('accepts the ETag of any representation of the version for a write', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { path, etag } = await create('/members', { name: unique('xml') });
      const xml = await get(path, { Accept: 'application/xml' });
      expect(xml.status).toBe(200);
      expect(xml.headers.etag).not.toBe(etag);
      const type = method === 'PUT' ? 'application/json' : 'application/merge-patch+json';
      const answer = await send(method, path, {
        headers: { 'If-Match': xml.headers.etag, ...(method === 'DELETE' ? {} : { 'Content-Type': type }) },
        ...(method === 'DELETE' ? {} : { body: '{"name":"x"}' }),
      });
      expect({ method, status: answer.status }).toEqual({ method, status: method === 'DELETE' ? 204 : 200 });
      if (method === 'DELETE') continue;
      const stale = { 'If-Match': xml.headers.etag };
      expectProblem(await send('DELETE', path, { headers: stale }), 412);
    }
  });

  test('depends on an ETag of a list that covers what the page shows', async () => {
    const { path } = await create('/customers', { name: unique('list') });
    const etag = async (query = '') => (await get(`${path}/orders${query}`)).headers.etag as string;
    const first = await etag();
    const order = await create(`${path}/orders`, { productId: 1, orderValue: 1 });
    const second = await etag();
    const values = { ...order.answer.json(), quantity: 7 };
    expect((await send('PUT', order.path, { json: values })).status).toBe(200);
    const third = await etag();
    await send('DELETE', order.path);
    const tags = [first, second, third];
    expect(new Set(tags).size).toBe(3);
    expect(await etag()).toBe(first);
  });
});

describe('a precondition has no effect if the response would not be 2xx or 412:', () => {
  const fail = { 'If-Match': '"other"', 'If-None-Match': '*' };
  // Specification 3.3
  test.each([{ 'If-Match': '*' }, { 'If-Match': '"x"' }, { 'If-None-Match': '*' }, fail])(
    'a missing member gets 404 with %j',
    async (headers) => {
      for (const method of ['GET', 'HEAD', 'DELETE']) {
        expectProblem(await send(method, '/members/1', { headers }), 404);
      }
      expectProblem(await send('PUT', '/members/1', { json: { name: 'x' }, headers }), 404);
    },
  );

  // Specification 3.3
  test('a missing file with If-Match gets 412', async () => {
    for (const value of ['*', '"x"']) {
      const path = `/files/${unique('missing')}`;
      const headers = { 'If-Match': value };
      expectProblem(await send('PUT', path, { body: 'x', headers }), 412);
      expectProblem(await send('DELETE', path, { headers }), 412);
      expectProblem(await get(path, headers), 404);
    }
  });

  test('a missing file with If-None-Match: * is created once', async () => {
    const path = `/files/${unique('once')}`;
    const headers = { 'If-None-Match': '*' };
    expect((await send('PUT', path, { body: 'a', headers })).status).toBe(201);
    expectProblem(await send('PUT', path, { body: 'b', headers }), 412);
    expect((await get(path)).text).toBe('a');
  });

  test.each([
    ['405', 'POST', '/customers/{id}', 'application/json', 405],
    ['415', 'PUT', '/customers/{id}', 'text/nonsense', 415],
    ['an unknown query parameter', 'DELETE', '/customers/{id}?x=1', undefined, 400],
    ['an unacceptable answer', 'GET', '/customers/{id}', undefined, 406],
  ] as const)('%s precedes the preconditions', async (_, method, template, type, status) => {
    const { id } = await create('/customers', { name: unique('before') });
    const answer = await send(method, template.replace('{id}', String(id)), {
      headers: {
        ...fail,
        ...(type ? { 'Content-Type': type } : {}),
        ...(status === 406 ? { Accept: 'image/png' } : {}),
      },
      ...(type ? { body: '{"name":"x"}' } : {}),
    });
    expectProblem(answer, status);
  });

  // RFC 9110: preconditions precede the processing of the content. The service may find a malformed body before or
  // after.
  test('a malformed body with a failing precondition gets 400 or 412 and changes nothing', async () => {
    const { path, etag } = await create('/members', { name: unique('malformed') });
    const headers = { 'If-Match': '"other"', 'Content-Type': 'application/json' };
    const answer = await send('PUT', path, { body: '{', headers });
    expectProblem(answer, answer.status === 412 ? 412 : 400);
    expect((await get(path)).headers.etag).toBe(etag);
  });

  // A malformed list of entity tags gets a refusal or fails as a precondition. It never passes.
  test.each(['x', '"unclosed', 'W/x', ',', '', '*, "x"'])('If-Match: %s never passes', async (value) => {
    const { path, etag } = await create('/members', { name: unique('invalid') });
    const answer = await send('PUT', path, { json: { name: 'x' }, headers: { 'If-Match': value } });
    expectProblem(answer, answer.status === 400 ? 400 : 412);
    expect((await get(path)).headers.etag).toBe(etag);
  });

  // Specification 3.2
  test.each(['x', '"unclosed', 'W/x', '*, "x"'])(
    'If-None-Match: %s matches nothing in GET and HEAD, and gets 400 in writes',
    async (value) => {
      const { path, etag } = await create('/members', { name: unique('invalid') });
      const headers = { 'If-None-Match': value };
      for (const method of ['GET', 'HEAD']) expect((await send(method, path, { headers })).status).toBe(200);
      expectProblem(await send('PUT', path, { json: { name: 'x' }, headers }), 400, 'validation-error');
      expectProblem(await send('DELETE', path, { headers }), 400, 'validation-error');
      expect((await get(path)).headers.etag).toBe(etag);
    },
  );

  // RFC 9110 §5.3: several field lines form one list.
  test('If-Match in two lines is one list', async () => {
    const { path, etag } = await create('/members', { name: unique('lines') });
    const headers = { 'If-Match': ['"x"', etag] };
    expect((await send('PUT', path, { json: { name: 'x' }, headers })).status).toBe(200);
  });

  // RFC 9110 §5.6.7: dates of RFC 850 and asctime are HTTP-dates too.
  test('all three forms of dates are valid', async () => {
    const { path } = await create('/members', { name: unique('dates') });
    for (const value of [
      'Sunday, 06-Nov-94 08:49:37 GMT',
      'Sun Nov  6 08:49:37 1994',
      'Sun, 06 Nov 1994 08:49:37 GMT',
    ]) {
      expect((await get(path, { 'If-Unmodified-Since': value })).status).toBe(412);
    }
  });
});

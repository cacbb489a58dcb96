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

  // Source: Encoding Standard §4.2 (labels of UTF-8).
  test.each([
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json; charset=unicode-1-1-utf-8',
    'application/json; charset=utf-8; charset=UTF8',
  ])('%s counts as JSON', async (type) => {
    const answer = await send('POST', '/members', {
      json: { name: 'ü' },
      headers: { 'Content-Type': type },
    });
    expect(answer.status).toBe(201);
    expect(answer.json().name).toBe('ü');
  });

  // US-ASCII is a part of UTF-8, and RFC 4180 §3 names it as the common charset of CSV.
  test.each([
    ['text/xml; charset=us-ascii', '<member><name>x</name></member>'],
    ['text/csv; charset="US-ASCII"', 'name\r\nx\r\n'],
    ['application/x-www-form-urlencoded; charset=us-ascii', 'name=x'],
  ])('%s counts as UTF-8', async (type, body) => {
    expect((await send('POST', '/members', { body, headers: { 'Content-Type': type } })).status).toBe(201);
  });
  test.each([
    ['text/xml', '<member><name>ü</name></member>'],
    ['text/csv', 'name\r\nü\r\n'],
    ['application/json', '{"name":"ü"}'],
    ['application/x-www-form-urlencoded', 'name=ü'],
  ])('%s that is not US-ASCII as its label says gets 400', async (type, body) => {
    const headers = { 'Content-Type': `${type}; charset=us-ascii` };
    expectProblem(await send('POST', '/members', { body, headers }), 400, 'malformed-body');
  });
  test.each(['us-ascii-1', 'utf-16', 'iso-8859-1'])('the charset %s gets 415', async (charset) => {
    const headers = { 'Content-Type': `application/xml; charset=${charset}` };
    expectProblem(await send('POST', '/members', { body: '<m><name>x</name></m>', headers }), 415);
  });

  // Specification 2.45, 2.47
  test('the label utf8 means UTF-8 in Accept and in a declaration of XML, too', async () => {
    const Accept = 'application/json; charset=utf8';
    expect((await get('/members', { Accept })).status).toBe(200);
    const body = '<?xml version="1.0" encoding="utf8"?><member><name>x</name></member>';
    const answer = await send('POST', '/members', { body, headers: { 'Content-Type': 'application/xml' } });
    expect(answer.status).toBe(201);
  });

  // A bad parameter never makes the type unknown. Source: RFC 9110 §8.3.1.
  // Specification 2.47
  test.each([
    ['charset', 'charset'],
    ['charset=', 'charset='],
    ['charset = utf-8', 'charset = utf-8'],
    ['version=1; charset="utf-8', 'charset="utf-8'],
    ['charset=utf-8; charset=latin1', 'charset=latin1'],
  ])('with the parameter %s gets 400 that shows it, on each kind of route', async (parameter, named) => {
    const { path } = await create('/members', { name: unique('type') });
    const customer = await create('/customers', { name: unique('type') });
    for (const [method, at, type] of [
      ['POST', '/members', 'application/json'],
      ['POST', '/members', 'multipart/form-data'],
      ['PUT', path, 'application/json'],
      ['PATCH', path, 'application/merge-patch+json'],
      ['POST', path, 'application/x-www-form-urlencoded'],
      ['PUT', `${path}?fields=photo`, 'image/png'],
      ['PUT', '/customers', 'text/csv'],
      ['POST', `${customer.path}/orders`, 'application/xml'],
      ['PUT', `/files/${unique('type')}`, 'text/plain'],
      ['POST', '/files', 'application/json'],
    ] as const) {
      const headers = { 'Content-Type': `${type}; ${parameter}` };
      const answer = await send(method, at, { body: '{"name":"x"}', headers });
      expectProblem(answer, 400, 'malformed-request');
      const detail = `has a malformed parameter at: ${named}`;
      expect([at, answer.json().errors]).toEqual([at, [{ header: 'Content-Type', detail }]]);
    }
  });

  // JavaMail and SoapUI send such boundaries without quotes. Source: RFC 2046 §5.1.1.
  test.each(["a/b=c:d?e,f(g)h'i", '=_a.b'])(
    'a form can have the boundary %s without quotes',
    async (boundary) => {
      const body = `--${boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--${boundary}--\r\n`;
      const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}; charset=utf-8` };
      const answer = await send('POST', '/members', { body, headers });
      expect([answer.status, answer.json().name]).toEqual([201, 'x']);
    },
  );

  // Source: RFC 7578 §4.6; HTML Living Standard §4.10.19.1.
  // Specification 2.22
  test.each([
    ['application/x-www-form-urlencoded', (label: string) => `name=x&_charset_=${label}`],
    [
      'multipart/form-data; boundary=b',
      (label: string) =>
        ['name', '_charset_']
          .map(
            (name, at) =>
              `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${['x', label][at]}\r\n`,
          )
          .concat('--b--\r\n')
          .join(''),
    ],
  ])('the input _charset_ of %s names no property, and names UTF-8', async (type, body) => {
    const headers = { 'Content-Type': type };
    for (const label of ['utf-8', 'UTF8', '']) {
      const answer = await send('POST', '/members', { body: body(label), headers });
      expect([answer.status, answer.json()]).toEqual([
        201,
        expect.not.objectContaining({ _charset_: label }),
      ]);
    }
    expectProblem(
      await send('POST', '/members', { body: body('windows-1252'), headers }),
      400,
      'malformed-body',
    );
  });

  // Specification 10.6
  test.each([
    ['{"name":"x"}', 'object, application/merge-patch+json'],
    [' [{"op":"remove","path":"/name"}]', 'array, application/json-patch+json'],
  ])('a PATCH with %s as application/json gets 415 that names the right type', async (body, named) => {
    const { path } = await create('/members', { name: unique('type') });
    const answer = await send('PATCH', path, { body, headers: { 'Content-Type': 'application/json' } });
    expectProblem(answer, 415);
    expect(answer.json().detail).toContain(`for this ${named}`);
    expect(answer.headers['accept-patch']).toMatch(/merge-patch/);
  });

  // Specification 2.53
  test.each(['application/jsonl', 'application/x-ndjson', 'application/ndjson'])(
    '%s is JSON Lines, with an entity tag of its own',
    async (type) => {
      const name = unique('lines');
      const headers = { 'Content-Type': type };
      const made = await send('POST', '/members', {
        body: `{"username":"${name}"}\n{"username":"${name}"}\n`,
        headers,
      });
      expect([made.status, made.json().items]).toMatchObject([201, [{}, {}]]);
      const path = `/members?username=${name}`;
      const list = await get(path, { Accept: type });
      expect([list.status, list.headers['content-type'], list.text.split('\n').length]).toEqual([
        200,
        type,
        3,
      ]);
      for (const Accept of ['application/jsonl', 'application/x-ndjson', 'application/ndjson'])
        expect((await get(path, { Accept, 'If-None-Match': list.headers.etag ?? '' })).status).toBe(
          Accept === type ? 304 : 200,
        );
    },
  );

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

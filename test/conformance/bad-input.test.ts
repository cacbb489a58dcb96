import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { expectProblem } from '../support/problem.ts';
import { sendRaw } from '../support/raw.ts';
import { address, type Created, create, get, send, underTest, unique } from '../support/under-test.ts';

underTest();

const JSON_TYPE = { 'Content-Type': 'application/json' };
let witness: Created;
let file: string;
let fileTag: string | undefined;

beforeAll(async () => {
  witness = await create('/members', { name: unique('witness'), list: [1] });
  file = `/files/${unique('witness')}`;
  fileTag = (await send('PUT', file, { body: 'witness' })).headers.etag;
});

// After each the data is as before and the service alive.
afterEach(async () => {
  expect((await get(witness.path)).json()).toEqual(witness.answer.json());
  expect((await send('HEAD', file)).headers.etag).toBe(fileTag);
  expect((await get('/health')).status).toBe(200);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const post = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE): Promise<Answer> =>
  send('POST', '/members', { body, headers });

/** Refused by POST, PUT and both PATCHes, with one of these statuses. */
async function refusedEverywhere(body: string | Buffer, ...statuses: number[]): Promise<void> {
  for (const [method, path, type] of [
    ['POST', '/members', 'application/json'],
    ['PUT', witness.path, 'application/json'],
    ['PATCH', witness.path, 'application/merge-patch+json'],
    ['PATCH', witness.path, 'application/json-patch+json'],
    ['POST', '/orders', 'application/json'],
  ] as const) {
    const answer = await send(method, path, { body, headers: { 'Content-Type': type } });
    expect({ method, type, status: answer.status }).toEqual({ method, type, status: expect.any(Number) });
    expect(statuses).toContain(answer.status);
    expectProblem(answer, answer.status);
  }
}

describe('malformed body → 400', () => {
  test.each([
    '{',
    '{"name":"x"',
    '{"name":"x",}',
    "{'name':'x'}",
    '{name:"x"}',
    '{"name":"x"} extra',
    '{"name":"x"}{"name":"y"}',
    '{"name":undefined}',
    '{"name":NaN}',
    '{"age":01}',
    '{"age":+1}',
    '{"age":.5}',
    '{"age":1.}',
    '{"age":1e}',
    '{"age":0x10}',
    '{"name":"tab\there"}',
    '{"name":"\\x41"}',
    '{"name":"\\u12"}',
    '{"name":"line\nbreak"}',
    '{"name":"\u0000"}',
    '// comment\n{"name":"x"}',
    '',
    ' ',
    '\ufeff',
    'name=x',
    '<member/>',
    '[',
    '"',
    'nul',
  ])('%j', async (body) => refusedEverywhere(body, 400));

  // JSON, but no representation.
  test.each(['null', 'true', '5', '"text"', '[]'])('%s is no representation', async (body) => {
    const answer = await send('PUT', witness.path, { body, headers: JSON_TYPE });
    expectProblem(answer, 400);
    const created = await post(body);
    // "array POST": an empty array → 400, or not built yet.
    if (body === '[]' && created.status === 501) expectProblem(created, 501);
    else expectProblem(created, 400);
  });

  // "Duplicate JSON names → 400"
  test.each([
    '{"name":"a","name":"b"}',
    '{"name":"a","\\u006eame":"a"}',
    '{"name":"a","open":{"x":1,"x":2}}',
    '{"name":"a","list":[{"x":1,"x":1}]}',
  ])('duplicate names: %s → 400', async (body) => {
    expectProblem(await post(body), 400);
    expectProblem(await send('PUT', witness.path, { body, headers: JSON_TYPE }), 400);
    expectProblem(
      await send('PATCH', witness.path, {
        body,
        headers: { 'Content-Type': 'application/merge-patch+json' },
      }),
      400,
    );
  });

  test.each([
    ['lone continuation', [0x80]],
    ['truncated sequence', [0xc3]],
    ['overlong', [0xc0, 0xaf]],
    ['surrogate', [0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['0xff', [0xff]],
  ])('invalid UTF-8: %s → 400', async (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
    await refusedEverywhere(body, 400);
  });

  test.each(['utf-16', 'utf-16le'])('JSON in %s → 400', async (encoding) => {
    const bytes = Buffer.from('\ufeff{"name":"x"}', 'utf16le');
    await refusedEverywhere(encoding === 'utf-16' ? bytes.swap16() : bytes, 400);
  });

  // A lone surrogate by escape is no text that XML or UTF-8 can carry: "→ 400 on input in any format"
  test.each([
    '\\ud800',
    '\\udc00x',
    'a\\udfff\\ud800',
    '\\u0000',
    '\\u0001',
    '\\u000b',
    '\\ufffe',
    '\\uffff',
  ])('text that XML 1.0 cannot carry: %s → 400', async (escaped) => {
    expectProblem(await post(`{"name":"${escaped}"}`), 400);
    expectProblem(await post(`{"open":"${escaped}"}`), 400);
    expectProblem(await post(`{"open":{"deep":["${escaped}"]}}`), 400);
    expectProblem(await post(`{"open":{"${escaped}":1}}`), 400);
    const patch = {
      body: `[{"op":"add","path":"/open","value":"${escaped}"}]`,
      headers: { 'Content-Type': 'application/json-patch+json' },
    };
    expectProblem(await send('PATCH', witness.path, patch), 400);
  });

  test.each(['\\ud83d\\ude80', '\\t\\n\\r', '\\u0085', '\\ufffd', '\\/\\"\\\\'])(
    'text that it can carry: %s',
    async (escaped) => {
      const answer = await post(`{"name":"a${escaped}b"}`);
      expect(answer.status).toBe(201);
      expect((await get(answer.headers.location as string)).json().name).toBe(JSON.parse(`"a${escaped}b"`));
    },
  );
});

describe('names that are prototypes elsewhere', () => {
  // "`__proto__` and `constructor` are ordinary data or 400, never a prototype"
  test.each([
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    'valueOf',
    'toJSON',
    'then',
    'length',
  ])('%s', async (name) => {
    for (const body of [
      `{"name":"x","${name}":{"polluted":true}}`,
      `{"name":"x","open":{"${name}":{"polluted":true}}}`,
      `{"name":"x","open":[{"${name}":"text"}]}`,
    ]) {
      const answer = await post(body);
      if (answer.status !== 201) expectProblem(answer, 400);
      else {
        const { text } = await get(answer.headers.location as string);
        const [, kept = ''] = /^\{"name":"x",(.*)\}$/.exec(body) ?? [];
        expect(text).toContain(kept);
        const again = await send('PUT', answer.headers.location as string, {
          body: text,
          headers: JSON_TYPE,
        });
        expect(again.status).toBe(200);
        expect(again.text).toContain(kept);
      }
      const merged = await create('/members', { name: 'x' });
      const patched = await send('PATCH', merged.path, {
        body,
        headers: { 'Content-Type': 'application/merge-patch+json' },
      });
      expect([200, 400]).toContain(patched.status);
    }
    const { text } = await get((await create('/members', { name: 'innocent' })).path);
    expect(text).not.toContain('polluted');
  });

  test('as query parameters', async () => {
    for (const name of ['__proto__', 'constructor', '__proto__[limit]']) {
      expect((await get(`/members?${encodeURIComponent(name)}=1&limit=1`)).status).toBe(200);
      expectProblem(
        await send('POST', `/members?${encodeURIComponent(name)}=1`, { json: { name: 'x' } }),
        400,
      );
      expectProblem(await get(`/members?sort=${name}`), 400);
      expectProblem(await get(`/problems/${encodeURIComponent(name)}`), 404);
      expectProblem(await get(`/${name}`), 404);
    }
  });
});

describe('sizes', () => {
  // "nesting ≤ 64"
  test.each([1000, 100_000])('nesting of %i → 400', async (depth) => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = `${open.repeat(depth)}1${close.repeat(depth)}`;
      expectProblem(await post(`{"name":"x","open":${nested}}`), 400);
      await refusedEverywhere(open.repeat(depth), 400);
    }
  });

  test('nesting of 60 is fine, of 66 is not', async () => {
    const nested = (depth: number) => `{"open":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect((await post(nested(60))).status).toBe(201);
    expectProblem(await post(nested(66)), 400);
  });

  test('nesting that grows by PATCH ends as well', async () => {
    const member = await create('/members', { open: [] });
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
    const body = `[{"op":"replace","path":"/open","value":${deep}},{"op":"copy","from":"/open","path":"/open${'/0'.repeat(39)}/-"}]`;
    const answer = await send('PATCH', member.path, {
      body,
      headers: { 'Content-Type': 'application/json-patch+json' },
    });
    if (answer.status === 200)
      expect((await send('PUT', member.path, { body: answer.text, headers: JSON_TYPE })).status).toBe(200);
    else {
      // Too deep to be a member (400), or a copy that cannot be made there (409), or too large (413).
      expect([400, 409, 413]).toContain(answer.status);
      expectProblem(answer, answer.status);
    }
  });

  // "JSON/XML body ≤ 1 MB (an entity ≤ 256 KB) → else 413"
  test('an entity of 200 KB is stored, one of 300 KB is 413', async () => {
    const answer = await post(JSON.stringify({ open: 'x'.repeat(200_000) }));
    expect(answer.status).toBe(201);
    expect((await get(answer.headers.location as string)).json().open).toHaveLength(200_000);
    expectProblem(await post(JSON.stringify({ open: 'x'.repeat(300_000) })), 413);
    expectProblem(await send('PUT', witness.path, { json: { open: 'é'.repeat(150_000) } }), 413);
    const member = await create('/members', { open: 'x'.repeat(200_000) });
    const grown = await send('PATCH', member.path, {
      body: '[{"op":"copy","from":"/open","path":"/more"}]',
      headers: { 'Content-Type': 'application/json-patch+json' },
    });
    expectProblem(grown, grown.status === 400 ? 400 : 413);
  });

  // A patch that doubles and doubles is a bomb of a few bytes.
  test('a patch that doubles and doubles', async () => {
    const member = await create('/members', { open: 'x'.repeat(1000) });
    const body = JSON.stringify([
      { op: 'replace', path: '/open', value: ['x'.repeat(1000)] },
      ...Array.from({ length: 60 }, () => ({ op: 'copy', from: '/open', path: '/open/-' })),
    ]);
    const started = Date.now();
    const answer = await send('PATCH', member.path, {
      body,
      headers: { 'Content-Type': 'application/json-patch+json' },
    });
    expect([400, 409, 413]).toContain(answer.status);
    expectProblem(answer, answer.status);
    expect(Date.now() - started).toBeLessThan(5000);
    expect((await get(member.path)).headers.etag).toBe(member.etag);
  });

  test.each([1_100_000, 5_000_000, 9_000_000])('a body of %i bytes → 413', async (size) => {
    const body = `{"name":"${'x'.repeat(size)}"}`;
    for (const [method, path, type] of [
      ['POST', '/members', 'application/json'],
      ['PUT', witness.path, 'application/json'],
      ['PATCH', witness.path, 'application/merge-patch+json'],
      ['POST', '/orders', 'application/json'],
    ] as const) {
      const answer = await send(method, path, { body, headers: { 'Content-Type': type } });
      expectProblem(answer, 413);
    }
  });

  // RFC 9112 §9.6: a connection is closed in stages, or the reset destroys the answer to what is refused unread.
  test('bodies of 12 MB are answered 413, every one of them', async () => {
    const body = Buffer.alloc(12_000_000);
    for (let at = 0; at < 8; at += 1) expectProblem(await send('PUT', '/files/huge', { body }), 413);
  });

  test('Content-Length too large is refused without waiting for the body', async () => {
    const answer = await sendRaw(
      address(),
      'PUT /files/huge HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\nabc',
    );
    expect(answer.status).toBe(413);
  });

  test('a million spaces, zeros and digits', async () => {
    expect((await post(`{"name":"x"${' '.repeat(900_000)}}`)).status).toBe(201);
    const digits = await post(`{"open":1${'0'.repeat(200_000)}}`);
    expect([201, 400]).toContain(digits.status);
    expectProblem(
      await send('POST', '/products', { body: `{"price":0.${'0'.repeat(200_000)}1}`, headers: JSON_TYPE }),
      400,
    );
    const exponent = await send('POST', '/products', { body: '{"price":1e999999999}', headers: JSON_TYPE });
    expectProblem(exponent, 400);
    const tiny = await send('POST', '/products', { body: '{"price":1e-999999999}', headers: JSON_TYPE });
    expectProblem(tiny, 400);
    const least = await get('/orders?minCost=1e-999999999&limit=1');
    expect([200, 400]).toContain(least.status);
  });

  // "header and path limits as API Gateway's" (10,240 bytes)
  test('a header of 20 kB', async () => {
    const answer = await get('/members', { 'X-Large': 'x'.repeat(20_000) });
    expect([400, 413, 431]).toContain(answer.status);
    expectProblem(answer, answer.status);
    const huge = await sendRaw(
      address(),
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(200_000)}\r\n\r\n`,
    );
    expect([400, 413, 431]).toContain(huge.status);
  });

  test('a URL of 11 kB', async () => {
    for (const path of [`/files/${'x'.repeat(11_000)}`, `/members?x=${'x'.repeat(11_000)}`]) {
      const answer = await get(path);
      expect([400, 413, 414]).toContain(answer.status);
      expectProblem(answer, answer.status);
    }
  });

  test('very many parameters, names and operations', async () => {
    const many = Array.from({ length: 3000 }, (_, at) => `a${at}=1`);
    expect((await get(`/members?limit=1&${many.slice(0, 900).join('&')}`)).status).toBe(200);
    const names = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`a${at}`, at]));
    expect((await post(JSON.stringify(names))).status).toBe(201);
    const wrong = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`a ${at}`, at]));
    const refused = await post(JSON.stringify(wrong));
    expectProblem(refused, 400, 'validation-error');
  });
});

describe('paths and queries', () => {
  test.each([
    '/members/%',
    '/members/%zz',
    '/members/%ff',
    '/members/%00',
    '/%',
    '/%c0%ae%c0%ae',
    '/members/1%2F2',
    '/problems/%ff',
  ])('%s is 400 or 404', async (path) => {
    const answer = await get(path);
    expectProblem(answer, answer.status === 400 ? 400 : 404);
  });

  test.each([
    '/../../etc/passwd',
    '/members/../files',
    '/./members',
    '//members',
    '/members//1',
    '/files/../../x',
    '/%2e%2e/%2e%2e/etc/passwd',
  ])('%s is not resolved: 404, or 400', async (path) => {
    const answer = await get(path);
    expectProblem(answer, answer.status === 400 ? 400 : 404);
  });

  // Escapes that are none in a query: 400, or taken as they stand; never 500.
  test.each(['?limit=%', '?limit=%zz', '?limit=%ff', '?%=1', '?fields=%c3', '?after=%00', '?sort=%ff'])(
    '/members%s',
    async (query) => {
      const answer = await get(`/members${query}`);
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 400) expectProblem(answer, 400);
    },
  );

  test.each(['?', '?&&', '?=', '?=x', '?limit', '?x&x=1&x=2', '?;'])(
    '/members%s is answered',
    async (query) => {
      const answer = await get(`/members${query}`);
      expect([200, 400]).toContain(answer.status);
      if (query !== '?limit') expect(answer.status).toBe(200);
    },
  );

  test('a fragment and an absolute target', async () => {
    const host = new URL(address()).host;
    const answer = await sendRaw(
      address(),
      `GET http://${host}${new URL(address()).pathname.replace(/\/$/, '')}${witness.path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
  });
});

describe('header fields', () => {
  test('CRLF in a query, a path or a name does not become a header', async () => {
    for (const path of [
      '/members?x=%0d%0aX-Injected:%201&limit=x',
      '/members/%0d%0aX-Injected:%201',
      '/files/%0d%0aX-Injected:%201',
      '/members%0d%0aX-Injected:%201/',
      '/members/?a=%0d%0aX-Injected:%201',
      '/customers/1/orders/1/%0d%0aX-Injected:1',
    ]) {
      const answer = await get(path);
      expect(answer.headers['x-injected']).toBeUndefined();
      expect([308, 400, 404]).toContain(answer.status);
    }
    const type = await sendRaw(
      address(),
      `PUT ${file}x HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\nX-Injected: 1\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx`,
    );
    expect(type.head).not.toMatch(/^x-injected/im);
  });

  test.each([
    ['a space in the name', 'X Y: 1'],
    ['no colon', 'nonsense'],
    ['a space before the colon', 'Accept : */*'],
    ['NUL', 'X-A: a\u0000b'],
    ['two Content-Lengths', 'Content-Length: 1\r\nContent-Length: 2'],
    ['Content-Length and Transfer-Encoding', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
    ['a negative Content-Length', 'Content-Length: -1'],
    ['a Content-Length that is no number', 'Content-Length: x'],
    ['an unknown Transfer-Encoding', 'Transfer-Encoding: nonsense'],
  ])('%s → 400 and the connection ends', async (_, line) => {
    const answer = await sendRaw(
      address(),
      `POST /members HTTP/1.1\r\nHost: localhost\r\n${line}\r\n\r\n0\r\n\r\n`,
    );
    expect([400, 501]).toContain(answer.status);
    expect(answer.head).toMatch(/content-type: application\/problem\+json/i);
    expect(answer.head).toMatch(/connection: close/i);
  });

  // RFC 9112 §3.2: an HTTP/1.1 request without Host, or with two, is 400.
  test.each(['', 'Host: a\r\nHost: b\r\n'])('Host: %j → 400', async (host) => {
    const answer = await sendRaw(address(), `GET /health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expect(answer.status).toBe(400);
  });

  test.each([
    'GARBAGE\r\n\r\n',
    'GET\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / FTP/1.1\r\nHost: x\r\n\r\n',
  ])('what is no HTTP: %j', async (bytes) => {
    const answer = await sendRaw(address(), bytes, 3000);
    expect([0, 400, 501, 505]).toContain(answer.status);
  });

  test('Content-Encoding gzip → 415, unpacked or not', async () => {
    const body = gzipSync('{"name":"x"}');
    expectProblem(await post(body, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }), 415);
    expectProblem(await send('PUT', file, { body, headers: { 'Content-Encoding': 'gzip' } }), 415);
    expectProblem(await post(body), 400);
  });

  test.each([
    ['Accept', 'nonsense'],
    ['Accept', ';;;,,,'],
    ['Accept', `*/*;q=${'9'.repeat(1000)}`],
    ['Accept', Array.from({ length: 500 }, () => 'a/b;q=0.5').join(',')],
    ['If-None-Match', 'nonsense'],
    ['If-None-Match', `"${'x'.repeat(5000)}`],
    ['If-Modified-Since', 'Mon, 99 Foo 2026 25:61:61 GMT'],
    ['If-Modified-Since', '-1'],
    ['Range', 'bytes=9999999999999999999999-'],
    ['Content-Type', ';;;'],
    ['Origin', '<script>'],
    ['X-Forwarded-Host', 'evil.example'],
    ['Host', 'evil.example'],
    ['Expect', 'the-impossible'],
    ['Cookie', 'a=b; c'],
  ])('%s: %s is answered in our own words', async (name, value) => {
    const answer = await get(witness.path, { [name]: value });
    expect([200, 304, 400, 406, 417]).toContain(answer.status);
    expect(answer.text).not.toContain('evil.example');
    if (answer.status >= 400 && answer.status !== 417) expectProblem(answer, answer.status);
  });

  test('conflicting preconditions', async () => {
    const headers = { 'If-Match': witness.etag, 'If-None-Match': witness.etag };
    expectProblem(await send('PUT', witness.path, { json: { name: 'x' }, headers }), 412);
    expectProblem(await send('DELETE', witness.path, { headers }), 412);
    expect((await get(witness.path, headers)).status).toBe(304);
  });
});

describe('slow and aborted requests', () => {
  const opened = async (bytes: string): Promise<void> => {
    const { hostname, port } = new URL(address());
    await new Promise<void>((done) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.destroy()));
      socket.on('close', () => done());
      socket.on('error', () => done());
    });
  };

  test('aborted in the middle: nothing of it is done', async () => {
    const name = unique('aborted');
    await opened(`PUT /files/${name} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nonly this`);
    await opened(
      `PUT /files/${name} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`,
    );
    await opened(
      `PUT ${witness.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"name":"half"}`,
    );
    await opened('GET /mem');
    for (let at = 0; at < 20; at += 1) expectProblem(await get(`/files/${name}`), 404);
  });

  test('one that is slow does not hold up the others, and gets its answer', async () => {
    const { hostname, port } = new URL(address());
    const name = unique('slow');
    const socket = connect(Number(port), hostname);
    let text = '';
    const answered = new Promise<void>((done) => {
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (text.includes('\r\n\r\n')) done();
      });
      socket.on('close', () => done());
    });
    for (const part of [
      `PUT /files/${name} HT`,
      'TP/1.1\r\nHost: local',
      'host\r\nContent-Le',
      'ngth: 6\r\n\r\nsl',
    ]) {
      socket.write(part);
      expect((await get('/health')).status).toBe(200);
    }
    expect((await get('/members?limit=1')).status).toBe(200);
    socket.write('owly');
    await answered;
    socket.destroy();
    expect(text).toMatch(/^HTTP\/1\.1 201/);
    expect((await get(`/files/${name}`)).text).toBe('slowly');
  });

  test('several requests on one connection, pipelined', async () => {
    const one = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const last = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const { hostname, port } = new URL(address());
    const text = await new Promise<string>((done) => {
      let all = '';
      const socket = connect(Number(port), hostname, () => socket.write(one + one + last));
      socket.on('data', (chunk) => {
        all += chunk.toString('latin1');
      });
      socket.on('close', () => done(all));
    });
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  test('a body announced with Expect: 100-continue', async () => {
    const name = unique('expect');
    const answer = await send('PUT', `/files/${name}`, {
      body: 'expected',
      headers: { Expect: '100-continue' },
    });
    expect(answer.status).toBe(201);
    expect((await get(`/files/${name}`)).text).toBe('expected');
  });
});

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { sendRaw } from '../../support/client/raw.ts';
import { address, get, send, underTest } from '../../support/service/under-test.ts';
import { post, watch, witness } from '../../support/witness.ts';

underTest();
watch();

describe('a path or query', () => {
  test.each([
    '/members/%',
    '/members/%zz',
    '/members/%ff',
    '/members/%00',
    '/%',
    '/%c0%ae%c0%ae',
    '/members/1%2F2',
    '/problems/%ff',
  ])('%s gets 400 or 404', async (path) => {
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
  ])('%s is not normalized: it gets 404 or 400', async (path) => {
    const answer = await get(path);
    expectProblem(answer, answer.status === 400 ? 400 : 404);
  });

  // Invalid escapes in a query: 400, or ordinary text. Never 500.
  test.each(['?limit=%', '?limit=%zz', '?limit=%ff', '?%=1', '?fields=%c3', '?after=%00', '?sort=%ff'])(
    '/members%s never causes a 500',
    async (query) => {
      const answer = await get(`/members${query}`);
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 400) expectProblem(answer, 400);
    },
  );

  test.each(['?', '?&&', '?=', '?=x', '?limit', '?x&x=1&x=2', '?;'])(
    '/members%s gets a response',
    async (query) => {
      const answer = await get(`/members${query}`);
      expect([200, 400]).toContain(answer.status);
      if (query !== '?limit') expect(answer.status).toBe(200);
    },
  );

  // Source: RFC 9110 §4.2.5; RFC 9112 §2.3, §3.2; RFC 3986 §2.1.
  // Specification 10.5
  test.each([
    ['a fragment', 'GET /health#x HTTP/1.1\r\nHost: localhost'],
    ['no Host', 'GET /health HTTP/1.1'],
    ['two Hosts', 'GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost'],
    ['another version of HTTP', 'GET /health HTTP/2.0\r\nHost: localhost'],
    ['a path that is not percent-encoded', 'GET /files/%ff HTTP/1.1\r\nHost: localhost'],
    ['a brace in its query', 'GET /members?a={ HTTP/1.1\r\nHost: localhost'],
  ])('with %s gets 400 malformed-request', async (_, head) => {
    const { status, body } = await sendRaw(address(), `${head}\r\nConnection: close\r\n\r\n`);
    expect([status, JSON.parse(body).type]).toEqual([400, '/problems/malformed-request']);
  });

  // Source: HTML Living Standard §13.2.3.5.
  test('no page repeats a control character of its path', async () => {
    const answer = await get('/members/a%00b%1f', { Accept: 'text/html' });
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(answer.text).not.toMatch(/[\0-\x08\x0b\x0e-\x1f]/);
  });

  test('may be an absolute target', async () => {
    const host = new URL(address()).host;
    const answer = await sendRaw(
      address(),
      `GET http://${host}${new URL(address()).pathname.replace(/\/$/, '')}${witness().path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
  });

  // RFC 9112 §3.2.2: the target overrides Host.
  // Specification 11.7
  test.each(['evil.example', 'evil.example:80', 'localhost@evil.example'])(
    'gets 421 if it names the host %s',
    async (authority) => {
      const answer = await sendRaw(
        address(),
        `GET http://${authority}/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      expect(answer.status).toBe(421);
    },
  );
});

describe('a header field', () => {
  test('never results from CRLF in a query, a path or a name', async () => {
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
      `PUT /files/injected HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\nX-Injected: 1\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx`,
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
    ['an invalid Content-Length', 'Content-Length: x'],
    ['an unknown Transfer-Encoding', 'Transfer-Encoding: nonsense'],
  ])('%s gets 400 and the connection ends', async (_, line) => {
    const answer = await sendRaw(
      address(),
      `POST /members HTTP/1.1\r\nHost: localhost\r\n${line}\r\n\r\n0\r\n\r\n`,
    );
    expect([400, 501]).toContain(answer.status);
    expect(answer.head).toMatch(/content-type: application\/problem\+json/i);
    expect(answer.head).toMatch(/connection: close/i);
  });

  // RFC 9112 §3.2: an HTTP/1.1 request without Host, or with two, gets 400.
  test.each(['', 'Host: a\r\nHost: b\r\n'])('Host: %j gets 400', async (host) => {
    const answer = await sendRaw(address(), `GET /health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expect(answer.status).toBe(400);
  });

  // RFC 9112 §3.2.4: only OPTIONS has the target `*`.
  test.each(['GET', 'HEAD', 'POST', 'DELETE'])('%s * gets 400', async (method) => {
    const head = `${method} * HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(address(), head)).status).toBe(400);
  });

  test.each([
    'GARBAGE\r\n\r\n',
    'GET\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / FTP/1.1\r\nHost: x\r\n\r\n',
  ])('is never read from malformed HTTP: %j', async (bytes) => {
    const answer = await sendRaw(address(), bytes, 3000);
    expect([0, 400, 501, 505]).toContain(answer.status);
  });

  test.each(['0.9', '2.0'])('after an HTTP/%s request line gets a refusal', async (version) => {
    const answer = await sendRaw(
      address(),
      `GET /health HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect([400, 505]).toContain(answer.status);
  });

  test('is necessary for content in gzip, which otherwise gets 400', async () => {
    expectProblem(await post(gzipSync('{"name":"x"}')), 400);
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
  ])('%s: %s never appears in the response', async (name, value) => {
    const answer = await get(witness().path, { [name]: value });
    expect([200, 304, 400, 406, 417, 421]).toContain(answer.status);
    expect(answer.text).not.toContain('evil.example');
    if (answer.status >= 400 && answer.status !== 417) expectProblem(answer, answer.status);
  });

  test('with a contradicting precondition gets 304 or 412', async () => {
    const headers = { 'If-Match': witness().etag, 'If-None-Match': witness().etag };
    expectProblem(await send('PUT', witness().path, { json: { name: 'x' }, headers }), 412);
    expectProblem(await send('DELETE', witness().path, { headers }), 412);
    expect((await get(witness().path, headers)).status).toBe(304);
  });
});

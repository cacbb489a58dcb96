import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { gateway } from '../../../local/gateway/gateway.ts';
import type { Patience } from '../../../local/gateway/server.ts';

/**
 * The connections of the local gateway. Each test decides when a function responds and how long a request may take.
 */
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
});

const SHORT = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };

interface Listening {
  readonly port: number;
  /** The paths of the function's requests. */
  readonly asked: string[];
}

/** A gateway before a function that responds with its path once `answers` settles. */
async function listening(answers?: Promise<void>, patience?: Patience): Promise<Listening> {
  const asked: string[] = [];
  const server = gateway(
    {
      routes: [{ template: '/{proxy+}', resource: 'echo', isOpen: true }],
      handlers: new Map([
        [
          'echo',
          async ({ path }) => {
            asked.push(path);
            await answers;
            return { statusCode: 200, body: path };
          },
        ],
      ]),
      stage: { name: 'local', inPath: false },
    },
    patience,
  );
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { port: (server.address() as AddressInfo).port, asked };
}

/**
 * A connection for bytes, and all bytes until the server closes its side. `ends`: the client closes its side too.
 */
function send(port: number, bytes: string, { ends = false } = {}): Promise<string> {
  return new Promise((closed, failed) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }, () =>
      ends ? socket.end(bytes) : socket.write(bytes),
    );
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', failed);
    socket.on('end', () => {
      socket.destroy();
      closed(Buffer.concat(chunks).toString());
    });
  });
}

/** A promise, and the function that settles it. */
function gate(): { answers: Promise<void>; answer: () => void } {
  let answer = () => {};
  const answers = new Promise<void>((done) => {
    answer = done;
  });
  return { answers, answer };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const put = (field: string, body: string) =>
  `PUT /put HTTP/1.1\r\nHost: localhost\r\n${field}\r\n\r\n${body}`;
const LENGTH = 'Content-Length: 50';
const CHUNKED = 'Transfer-Encoding: chunked';

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Checks that the last response is this problem and announces the end of the connection. */
function expectLast(text: string, status: number, name: string): void {
  const [head = '', body = ''] = text.slice(text.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
  expect(head).toMatch(/^content-type: application\/problem\+json/im);
  expect(head).toMatch(/^connection: close/im);
  expect(JSON.parse(body)).toMatchObject({ type: `/problems/${name}`, status });
}

// Source: RFC 9112 §7.1, §8, §9.6.
describe('a broken body gets 400, ends the connection and reaches no function', () => {
  test.each([
    ['an invalid chunk size', 'zz\r\n'],
    ['a chunk that is longer than its size', '5\r\nabcdefgh\r\n0'],
    ['a second chunk that is broken', '5\r\nabcde\r\nzz\r\n'],
    ['a chunk size without an end', 'f'.repeat(64)],
  ])('if it has %s', async (_, body) => {
    for (const ends of [false, true]) {
      const { port, asked } = await listening();
      const text = await send(port, put(CHUNKED, body), { ends });
      expect(statuses(text)).toEqual([400]);
      expectLast(text, 400, 'malformed-request');
      expect(asked).toEqual([]);
    }
  });

  test.each([
    ['shorter than its Content-Length', LENGTH, '{}'],
    ['without a last chunk', CHUNKED, '5\r\nabcde\r\n'],
    ['cut off within a chunk', CHUNKED, '5\r\nab'],
  ])('if it is %s', async (_, field, body) => {
    const { port, asked } = await listening();
    const text = await send(port, put(field, body), { ends: true });
    expect(statuses(text)).toEqual([400]);
    expectLast(text, 400, 'malformed-request');
    expect(asked).toEqual([]);
  });

  test('and the service drops later bytes without a loss of the response', async () => {
    const { port } = await listening();
    const text = await send(port, put(CHUNKED, `zz\r\n${'x'.repeat(500_000)}`));
    expect(statuses(text)).toEqual([400]);
  });
});

// Source: RFC 9112 §6.1. HTTP/1.0 has no transfer codings, so a proxy may take the body for a request.
test('a body in chunks with HTTP/1.0 gets 400, ends the connection and reaches no function', async () => {
  const { port, asked } = await listening();
  const bytes = put(`Connection: keep-alive\r\n${CHUNKED}`, '5\r\nabcde\r\n0\r\n\r\n').replace('1.1', '1.0');
  const text = await send(port, bytes);
  expect(statuses(text)).toEqual([400]);
  expectLast(text, 400, 'malformed-request');
  expect(asked).toEqual([]);
});

// Source: RFC 9110 §15.5.9.
test.each([
  ['no request', ''],
  ['a header section', 'GET / HTTP/1.1\r\nHost: loc'],
  ['a body', put(LENGTH, '{}')],
  ['a body in chunks', put(CHUNKED, '5\r\nab')],
])('%s that does not arrive in time gets 408, and the connection ends', async (_, bytes) => {
  const { port, asked } = await listening(undefined, SHORT);
  const text = await send(port, bytes);
  expect(statuses(text)).toEqual([408]);
  expectLast(text, 408, 'request-timeout');
  expect(asked).toEqual([]);
});

test('a body in chunks that does not end gets 413 at 10 MiB, and the connection ends', async () => {
  const { port } = await listening();
  const bytes = put(CHUNKED, `a00001\r\n${'x'.repeat(0xa0_00_01)}\r\n`);
  expectLast(await send(port, bytes), 413, 'payload-too-large');
});

// RFC 9110 §10.1.1: if the header section decides, the response comes at once, without 100.
describe('a body with Expect: 100-continue', () => {
  const announced = (fields: string, target = '/put') =>
    `PUT ${target} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n${fields}\r\n\r\n`;

  test.each([
    ['too large', announced('Content-Length: 20000000'), 413, 'payload-too-large'],
    ['in an unknown coding', announced('Transfer-Encoding: gzip, chunked'), 501, 'not-implemented'],
    ['for a URI that is too long', announced(LENGTH, `/${'x'.repeat(11_000)}`), 414, 'uri-too-long'],
    [
      'with too many header fields',
      announced(`X: ${'x'.repeat(11_000)}\r\n${LENGTH}`),
      431,
      'headers-too-large',
    ],
  ])('gets a refusal without 100 for %s, and the connection ends', async (_, bytes, status, name) => {
    const { port, asked } = await listening();
    const text = await send(port, bytes);
    expect(statuses(text)).toEqual([status]);
    expectLast(text, status, name);
    expect(asked).toEqual([]);
  });

  test('gets 100 if it is acceptable', async () => {
    const { port } = await listening();
    const socket = connect({ host: '127.0.0.1', port });
    let text = '';
    const closed = new Promise((done) => socket.on('close', done));
    socket.on('data', (chunk) => {
      text += chunk;
      if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.end('12345');
    });
    socket.write(announced('Content-Length: 5\r\nConnection: close'));
    await closed;
    expect(statuses(text)).toEqual([100, 200]);
  });

  test('gets 100 after the response to an earlier request', async () => {
    const { answers, answer } = gate();
    const { port } = await listening(answers);
    setTimeout(answer, 100);
    const text = await send(port, `${get('/one')}${announced('Content-Length: 5')}12`, { ends: true });
    expect(statuses(text)).toEqual([200, 100, 400]);
  });
});

describe('an earlier request on the connection gets its response first', () => {
  test.each([
    ['a body that is broken', put(CHUNKED, 'zz\r\n'), false],
    ['a header section that is broken', 'GET / HTTP/1.1\r\nBad Header: 1\r\n\r\n', false],
    ['a body that ends too early', put(LENGTH, '{}'), true],
  ])('before %s', async (_, bytes, ends) => {
    const { answers, answer } = gate();
    const { port } = await listening(answers);
    setTimeout(answer, 100);
    const text = await send(port, get('/one') + get('/two') + bytes, { ends });
    expect(statuses(text)).toEqual([200, 200, 400]);
    expect(text).toMatch(/\/one.*\/two/s);
    expectLast(text, 400, 'malformed-request');
  });

  test('before a body that does not arrive in time, even if its function takes longer', async () => {
    const { answers, answer } = gate();
    const { port } = await listening(answers, SHORT);
    const both = send(port, get('/one') + put(LENGTH, '{}'));
    expect(statuses(await send(port, put(LENGTH, '{}')))).toEqual([408]);
    answer();
    expect(statuses(await both)).toEqual([200, 408]);
  });

  // RFC 9112 §9.6: a client may close its side of the connection after its last request.
  test('before the end of the connection', async () => {
    const { answers, answer } = gate();
    const { port } = await listening(answers);
    setTimeout(answer, 100);
    expect(statuses(await send(port, get('/one') + get('/two'), { ends: true }))).toEqual([200, 200]);
  });
});

// Specification 14.1
describe('more requests than can run at one time', () => {
  test('get 503 with Retry-After, /health still answers, and later requests run again', async () => {
    let release = () => {};
    const blocked = new Promise<void>((done) => {
      release = done;
    });
    const { port, asked } = await listening(blocked);
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    const running = Array.from({ length: 200 }, (_, at) => get(`/${at}`));
    while (asked.length < 200) await new Promise((later) => setTimeout(later, 5));
    const refused = await get('/more');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ type: '/problems/unavailable' });
    const health = get('/health');
    while (asked.length < 201) await new Promise((later) => setTimeout(later, 5));
    expect(asked.at(-1)).toBe('/health');
    release();
    for (const answer of [...running, health]) expect((await answer).status).toBe(200);
    expect((await get('/more')).status).toBe(200);
  });
});

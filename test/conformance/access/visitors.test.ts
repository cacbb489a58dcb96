import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, clientOf } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { sendRaw } from '../../support/client/raw.ts';
import { type Run, run, temporary } from '../../support/service/service.ts';

/** Web pages that `npm start` allows. Source: Specification 11.7. */
interface Started {
  readonly url: string;
  readonly client: Client;
}

function started(environment: Record<string, string> = {}, args: readonly string[] = []): () => Started {
  let place: Awaited<ReturnType<typeof temporary>>;
  let running: Run;
  beforeAll(async () => {
    place = await temporary();
    running = await run({ directory: place.directory, environment, args: ['--empty', ...args] });
  }, 40_000);
  afterAll(async () => {
    await running.stop();
    await place.remove();
  });
  return () => ({ url: running.url as string, client: clientOf(running.url as string) });
}

const LOOPBACK = [
  'http://localhost:5173',
  'http://127.0.0.1:4777',
  'http://[::1]:8080',
  'https://app.localhost',
];
const FOREIGN = [
  'https://evil.example',
  'http://localhost.evil.example',
  'http://10.0.0.7',
  'null',
  'file://',
];
const allowed = 'access-control-allow-origin';

describe('by default', () => {
  const service = started({ ALLOWED_ORIGIN: '' });

  test.each(LOOPBACK)(
    'a page of %s may read, sends a preflight before it writes, and may write',
    async (Origin) => {
      const { client } = service();
      const read = await client('GET', '/members', { headers: { Origin } });
      expect([read.status, read.headers[allowed]]).toEqual([200, Origin]);
      expect(read.headers.vary).toMatch(/\bOrigin\b/);
      const asked = { Origin, 'Access-Control-Request-Method': 'POST' };
      const preflight = await client('OPTIONS', '/members', { headers: asked });
      expect([preflight.status, preflight.headers[allowed]]).toEqual([204, Origin]);
      const made = await client('POST', '/members', { json: { name: 'x' }, headers: { Origin } });
      expect([made.status, made.headers[allowed]]).toEqual([201, Origin]);
      const missing = await client('GET', '/nothing', { headers: { Origin } });
      expect([missing.status, missing.headers[allowed]]).toEqual([404, Origin]);
    },
  );

  test.each(FOREIGN)('a page of %s may neither read responses nor write', async (Origin) => {
    const { client } = service();
    for (const path of ['/members', '/nothing', '/docs', '/files/%2F']) {
      const answer = await client('GET', path, { headers: { Origin } });
      expect([path, answer.headers[allowed]]).toEqual([path, undefined]);
    }
    const asked = { Origin, 'Access-Control-Request-Method': 'DELETE' };
    const preflight = await client('OPTIONS', '/customers', { headers: asked });
    expect(preflight.headers[allowed]).toBeUndefined();
  });

  test.each(FOREIGN)(
    'the service refuses unsafe requests of a page of %s, which change nothing',
    async (Origin) => {
      const { client } = service();
      const { headers } = await client('POST', '/customers', { json: { name: 'kept' } });
      const path = headers.location as string;
      const requests = [
        ['POST', '/customers', { json: { name: 'x' } }],
        ['PUT', path, { json: { name: 'x' } }],
        [
          'PATCH',
          path,
          { body: '{"name":"x"}', headers: { 'Content-Type': 'application/merge-patch+json' } },
        ],
        ['DELETE', path, {}],
        ['DELETE', '/customers', {}],
        ['POST', '/nothing', { json: {} }],
      ] as const;
      for (const [method, target, sent] of requests) {
        const own = 'headers' in sent ? sent.headers : {};
        const answer = await client(method, target, { ...sent, headers: { ...own, Origin } });
        expectProblem(answer, 403, 'forbidden');
      }
      expect((await client('GET', path)).json()).toMatchObject({ name: 'kept' });
    },
  );

  test('the service serves API clients, which send no Origin', async () => {
    const answer = await service().client('POST', '/members', { json: { name: 'x' } });
    expect(answer.status).toBe(201);
  });

  test.each(['evil.example', 'evil.example:3000', '127.0.0.1.evil.example', '10.0.0.7'])(
    'the service answers 421 to the host %j',
    async (Host) => {
      for (const method of ['GET', 'DELETE'])
        expectProblem(await service().client(method, '/members', { headers: { Host } }), 421);
    },
  );

  test.each(['localhost', 'LocalHost:3000', '127.0.0.1:1', '[::1]:3000', 'api.localhost'])(
    'the service serves the host %s',
    async (Host) => {
      expect((await service().client('GET', '/members', { headers: { Host } })).status).toBe(200);
    },
  );

  // RFC 9110 §7.4: a server must refuse a URI with https on a connection without TLS.
  test.each(['https', 'HTTPS', 'ftp'])('the service answers 421 to a URI with %s', async (scheme) => {
    const { host } = new URL(service().url);
    const request = `GET ${scheme}://${host}/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(service().url, request)).status).toBe(421);
  });

  test('the service answers 400 to an empty host', async () => {
    const request = 'GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n';
    expect((await sendRaw(service().url, request)).status).toBe(400);
  });

  test('a refusal names the origin of the page', async () => {
    for (const headers of [{ Origin: 'https://evil.example' }, { Origin: 'http://127.0.0.1.evil.example' }]) {
      const answer = await service().client('POST', '/members', { json: { name: 'x' }, headers });
      expectProblem(answer, 403);
      expect(answer.json().detail).toContain(headers.Origin);
    }
  });

  test('the service serves HTTP/1.0 without a host', async () => {
    expect((await sendRaw(service().url, 'GET /health HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});

// Specification 11.7
describe('with ALLOWED_HOSTS', () => {
  const service = started({ ALLOWED_HOSTS: 'api, Other.test' });

  test.each([
    ['api', 200],
    ['API:3000', 200],
    ['other.test', 200],
    ['localhost', 200],
    ['evil.example', 421],
    ['api.evil.example', 421],
  ])('the host %s gets %i', async (Host, status) => {
    expect((await service().client('GET', '/health', { headers: { Host } })).status).toBe(status);
  });
});

describe('with ALLOWED_ORIGIN below a stage', () => {
  const Origin = 'https://app.example';
  const service = started({ ALLOWED_ORIGIN: Origin }, ['--stage', 'v1']);

  test('pages of that origin may read and write', async () => {
    const answer = await service().client('POST', '/members', { json: { name: 'x' }, headers: { Origin } });
    expect([answer.status, answer.headers[allowed]]).toEqual([201, Origin]);
  });

  test('pages of other origins may not write', async () => {
    const headers = { Origin: 'https://evil.example' };
    expectProblem(
      await service().client('POST', '/members', { json: { name: 'x' }, headers }),
      403,
      'forbidden',
    );
  });
});

describe('with ALLOWED_ORIGIN=*', () => {
  const service = started({ ALLOWED_ORIGIN: '*' });

  test('pages of every origin may read and write', async () => {
    const headers = { Origin: 'https://app.example' };
    const answer = await service().client('POST', '/members', { json: { name: 'x' }, headers });
    expect([answer.status, answer.headers[allowed]]).toEqual([201, '*']);
  });
});

test.each(['app.example', 'https://app.example/', 'https://app.example/path', 'a, b'])(
  'reports that ALLOWED_ORIGIN=%j is not an origin',
  async (ALLOWED_ORIGIN) => {
    const { directory, remove } = await temporary();
    const { url, output, ended } = await run({ directory, environment: { ALLOWED_ORIGIN } });
    await ended;
    expect([url, output()]).toEqual([undefined, expect.stringContaining('ALLOWED_ORIGIN must be an origin')]);
    await remove();
  },
);

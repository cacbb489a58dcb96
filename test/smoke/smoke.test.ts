import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exitStatus } from '../../tools/smoke/check.ts';
import { expectBytes } from '../../tools/smoke/expect.ts';
import { clientOf } from '../support/client/client.ts';
import { command } from '../support/service/command.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';

/**
 * Runs `npm run tool -- smoke` against `npm start`, which imitates the services before the functions on AWS, and
 * against faulty proxies.
 */
const MAIN = join(import.meta.dirname, '../../tools/main.ts');
const SCOPES = 'members:read members:write files:read files:write';

/** Checks that need TLS. */
const SKIPPED_LOCALLY = ['S12', 'S12', 'S12'];

async function smoke(...args: readonly string[]) {
  const { code, log } = await command(process.execPath, [MAIN, 'smoke', ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const marked = (mark: string) =>
    log
      .split('\n')
      .filter((line) => line.startsWith(`${mark} `))
      .map((line) => line.slice(2));
  return { code, log, proven: marked('✓'), wrong: marked('✕'), skipped: marked('–') };
}

const idsOf = (lines: readonly string[]) => lines.map((line) => line.split(' ')[0]).sort();

interface Started {
  readonly service: Run;
  readonly url: string;
  stop(): Promise<void>;
}

async function start(args: readonly string[] = [], environment = {}): Promise<Started> {
  const place = await temporary();
  const service = await run({ directory: join(place.directory, 'data'), args, environment });
  return {
    service,
    url: service.url as string,
    stop: async () => {
      await service.stop();
      await place.remove();
    },
  };
}

/** A token of the issuer that the service names. */
async function tokenOf({ output }: Run): Promise<string> {
  for (let turn = 0; turn < 500 && !output().includes('/token'); turn += 1)
    await new Promise((later) => setTimeout(later, 20));
  const [, issuer = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/token/.exec(output()) ?? [];
  const answer = await clientOf(issuer)('POST', '/token', {
    headers: {
      Authorization: `Basic ${Buffer.from('ada:ada-secret').toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPES }).toString(),
  });
  return String(answer.json().access_token);
}

describe('the smoke test on an open service', () => {
  let open: Started;
  beforeAll(async () => {
    open = await start();
  }, 40_000);
  afterAll(() => open.stop());

  test('proves all that needs no credentials, AWS or manual step, and leaves nothing behind', async () => {
    const send = clientOf(open.url);
    const kept = async () =>
      (await Promise.all(['/members', '/files'].map((path) => send('GET', path)))).map(
        (answer) => answer.json().items.length,
      );
    const before = await kept();
    const { code, log, wrong, skipped } = await smoke(open.url);
    expect({ code, wrong, log }).toMatchObject({ code: 0, wrong: [] });
    expect(idsOf(skipped)).toEqual([...SKIPPED_LOCALLY, 'S3', 'S3', 'S3', 'S17'].sort());
    expect(await kept()).toEqual(before);
  }, 60_000);

  test('fails if it cannot delete its data', async () => {
    const front = await keeping(open.url);
    try {
      const { port } = front.address() as AddressInfo;
      const { code, log, wrong } = await smoke(`http://127.0.0.1:${port}`);
      expect({ code, log, wrong }).toMatchObject({ code: 1, log: expect.stringContaining(' 0 wrong') });
      expect(wrong.length).toBeGreaterThan(0);
      for (const line of wrong) expect(line).toMatch(/^ *Left behind: \/(members|files)\/.*: 503$/);
    } finally {
      front.close();
      front.closeAllConnections();
    }
  }, 60_000);

  test('refuses a needless token', async () => {
    expect(await smoke(open.url, 'token')).toMatchObject({
      code: 2,
      log: expect.stringContaining('is open'),
    });
  });
});

describe('the smoke test on other services', () => {
  let other: Started;
  beforeAll(async () => {
    other = await start([], withFixture('ruled'));
  }, 40_000);
  afterAll(() => other.stop());

  test.each([
    ['/cards', 'their parent'],
    ['/labels', 'what a required reference names'],
  ])(
    'creates items of %s and %s, and removes them',
    async (path) => {
      const { code, log, wrong } = await smoke(other.url, '--items', path);
      expect({ code, wrong, log }).toMatchObject({ code: 0, wrong: [] });
      const send = clientOf(other.url);
      for (const list of [path, '/shelves']) expect((await send('GET', list)).json().items).toEqual([]);
    },
    60_000,
  );

  test.each([
    ['/orders/totals', 'no POST that creates an item of /orders/totals'],
    ['/nothing', 'GET /nothing: 404'],
  ])('refuses %s', async (path, says) => {
    const { code, log } = await smoke(other.url, '--items', path);
    expect({ code, says: log.includes(says) }).toEqual({ code: 2, says: true });
  });
});

describe('the smoke test on a service with authentication, below a stage', () => {
  let closed: Started;
  let token: string;
  beforeAll(async () => {
    closed = await start(['--auth', '--stage', 'v1']);
    token = await tokenOf(closed.service);
  }, 40_000);
  afterAll(() => closed.stop());

  test('proves everything that needs no AWS and no manual step', async () => {
    const { code, log, wrong, skipped, proven } = await smoke(closed.url, token, '--gib', '0.07');
    expect({ code, wrong, log }).toMatchObject({ code: 0, wrong: [] });
    expect(idsOf(skipped)).toEqual(SKIPPED_LOCALLY);
    expect(proven.at(-1)).toMatch(/^S16 .* 72 MiB in 9 parts/);
  }, 60_000);

  test('reports a missing token', async () => {
    expect(await smoke(closed.url)).toMatchObject({
      code: 2,
      log: expect.stringContaining('asks for a token'),
    });
  });

  // Known changes that REST APIs make to responses, or would make without the measures of this service.
  test('the smoke test detects the changes of a proxy', async () => {
    const front = await spoiling(closed.url);
    try {
      const { port } = front.address() as AddressInfo;
      const { code, wrong } = await smoke(`http://127.0.0.1:${port}/v1`, token);
      expect(code).toBe(1);
      const found = (id: string, claim: string) =>
        expect(wrong).toContainEqual(expect.stringMatching(`^${id} +.*${claim}`));
      found('S1', 'HEAD of an item');
      found('S1', 'HEAD of a list');
      found('S1', 'HEAD of a file');
      found('S2', 'A range of a small file');
      found('S3', 'Without a token');
      found('S4', 'A path that nothing is at');
      found('S6', '4 MiB of every byte');
      found('S7', 'A file called 50%25');
      found('S17', 'A browser without a token');
    } finally {
      front.close();
      front.closeAllConnections();
    }
  }, 60_000);
});

test('the smoke test reports a missing service', async () => {
  expect(await smoke('http://127.0.0.1:9')).toMatchObject({
    code: 2,
    log: expect.stringContaining('does not answer'),
  });
  expect((await smoke()).code).toBe(2);
  expect((await smoke('members')).code).toBe(2);
});

test('the exit status distinguishes a TLS policy that has not arrived', () => {
  expect([[], ['S12', 'S12'], ['S12', 'S1'], ['/members/1: 503']].map(exitStatus)).toEqual([0, 3, 1, 1]);
});

test('the smoke test compares each byte', () => {
  expect(() => expectBytes(Buffer.from('same'), Buffer.from('same'))).not.toThrow();
  expect(() => expectBytes(Buffer.from('same'), Buffer.from('sane'))).toThrow('differ');
  expect(() => expectBytes(Buffer.from('same'), Buffer.from('same.'))).toThrow('4, not 5');
});

/** Passes requests on, except those to delete an item or a file. */
async function keeping(url: string): Promise<Server> {
  const { hostname, port } = new URL(url);
  const front = createServer((incoming, outgoing) => {
    const { method, url: path = '/', headers } = incoming;
    if (method === 'DELETE' && /^\/(?:members|files)\/./.test(path)) {
      incoming.resume();
      outgoing.writeHead(503).end();
      return;
    }
    const inner = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return front;
}

/** Passes requests on with the known changes of REST APIs: lengths, challenges, media types, bytes, paths. */
async function spoiling(url: string): Promise<Server> {
  const { hostname, port } = new URL(url);
  const front = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { headers } = incoming;
      const path = decodedOnceMore(incoming.url ?? '/');
      const inner = request({ hostname, port, method: incoming.method, path, headers, agent: false });
      inner.on('error', () => outgoing.destroy());
      inner.on('response', (answer) => {
        const body: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => body.push(chunk));
        answer.on('end', () => {
          const binary = answer.headers['content-type'] === 'application/octet-stream';
          const whole = Buffer.concat(body);
          const bytes = binary ? Buffer.from(whole.toString('utf8')) : whole;
          outgoing.writeHead(answer.statusCode ?? 0, {
            ...spoiled(answer.headers),
            'content-length': incoming.method === 'HEAD' ? 0 : bytes.length,
          });
          outgoing.end(bytes);
        });
      });
      inner.end(Buffer.concat(chunks));
    });
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return front;
}

const decodedOnceMore = (path: string) => path.replaceAll('%25', '%');

function spoiled({ 'content-length': _, 'transfer-encoding': __, ...headers }: IncomingHttpHeaders) {
  const { 'www-authenticate': challenge, 'content-type': type, 'set-cookie': _cookies, ...rest } = headers;
  return {
    ...rest,
    ...(challenge === undefined ? {} : { 'x-amzn-remapped-www-authenticate': challenge }),
    ...(type === undefined ? {} : { 'content-type': type.replace('problem+json', 'json') }),
  };
}

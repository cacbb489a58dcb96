import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Client, clientOf } from '../../support/client/client.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { type Run, run, temporary } from '../../support/service/service.ts';

/** Processes and folders of a test. They end after the test, whatever its result. */
const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanup.splice(0).reverse()) await end();
});

async function directory(): Promise<string> {
  const { directory, remove } = await temporary();
  cleanup.push(remove);
  return join(directory, 'data');
}

async function start(data: string, args: string[] = [], port = 0): Promise<Run & { client: Client }> {
  const running = await run({ directory: data, args, port });
  cleanup.push(() => running.stop('SIGKILL'));
  const client: Client = (...request) => {
    if (running.url === undefined) throw new Error(`It does not run: ${running.output()}`);
    return clientOf(running.url)(...request);
  };
  return { ...running, client };
}

/** Writes one item of each kind and returns a check that all still exist. */
async function fill(client: Client): Promise<[string, string][]> {
  const made: string[] = [];
  const create = async (path: string, json: unknown) => {
    const answer = await client('POST', path, { json });
    expect(answer.status).toBe(201);
    made.push(answer.headers.location as string);
    return answer.headers.location as string;
  };
  await create('/members', { name: 'Ada', open: { a: [1, null] } });
  const customer = await create('/customers', { name: 'C' });
  const product = await create('/products', { name: 'P', price: 0.1 });
  await client('PUT', `${product}?fields=productImage`, {
    body: 'image',
    headers: { 'Content-Type': 'image/png' },
  });
  await create(`${customer}/orders`, { productId: 1, quantity: 3 });
  await client('PUT', '/files/kept.bin', { body: Buffer.alloc(300_000, 'kept') });
  await client('PUT', '/files/gone.bin', { body: 'gone' });
  await client('DELETE', '/files/gone.bin');
  made.push(
    '/files/kept.bin',
    '/files',
    '/orders',
    '/members',
    `${customer}/orders`,
    `${product}?fields=productImage`,
  );
  return Promise.all(made.map(async (path): Promise<[string, string]> => [path, await seen(client, path)]));
}

async function seen(client: Client, path: string): Promise<string> {
  const { status, headers, bytes } = await client('GET', path);
  return `${status} ${headers.etag} ${bytes.toString('base64')}`;
}

async function expectKept(client: Client, before: [string, string][]): Promise<void> {
  for (const [path, value] of atLeastOne(before))
    expect([path, await seen(client, path)]).toEqual([path, value]);
  expect((await client('GET', '/files/gone.bin')).status).toBe(404);
}

describe('acknowledged writes survive', () => {
  test('a restart by SIGTERM, which ends with exit code 0', async () => {
    const data = await directory();
    const first = await start(data);
    const before = await fill(first.client);
    expect(await first.stop('SIGTERM')).toBe(0);
    const second = await start(data);
    await expectKept(second.client, before);
    expect((await second.client('POST', '/members', { json: { name: 'more' } })).status).toBe(201);
  });

  test('SIGKILL during writes', async () => {
    const data = await directory();
    const first = await start(data);
    const before = await fill(first.client);
    const acknowledged: string[] = [];
    const writing = (async () => {
      for (let at = 0; ; at += 1) {
        const path = `/files/w${at}`;
        const answer = await first.client('PUT', path, { body: `bytes ${at}`.repeat(1000) });
        if (answer.status === 201) acknowledged.push(path);
        if (acknowledged.length === 20) void first.stop('SIGKILL');
      }
    })().catch(() => undefined);
    await writing;
    expect(acknowledged.length).toBeGreaterThanOrEqual(20);
    const second = await start(data);
    for (const [path, value] of atLeastOne(before.filter(([each]) => each !== '/files'))) {
      expect([path, await seen(second.client, path)]).toEqual([path, value]);
    }
    // Specification 5.4
    const listed = new Map(
      (await second.client('GET', '/files?limit=1000'))
        .json()
        .items.map((item) => [item.filename, item.size]),
    );
    for (const path of acknowledged) {
      const answer = await second.client('GET', path);
      expect(answer.text).toBe(`bytes ${path.slice(8)}`.repeat(1000));
      expect(listed.get(path.slice(7))).toBe(answer.bytes.length);
    }
    for (const [filename, size] of atLeastOne(listed)) {
      const answer = await second.client('GET', `/files/${filename}`);
      expect([filename, answer.status, answer.bytes.length]).toEqual([filename, 200, size]);
    }
  });

  // After SIGTERM, the service finishes the running requests.
  test('because SIGTERM lets running requests finish', async () => {
    const { client, stop } = await start(await directory());
    const answers = Array.from({ length: 10 }, () => client('POST', '/members', { json: { name: 'x' } }));
    await answers[0];
    const [code, ...rest] = await Promise.all([
      stop('SIGTERM'),
      ...answers.map((one) => one.catch((error: Error) => error)),
    ]);
    expect(code).toBe(0);
    for (const answer of atLeastOne(rest)) {
      // The service may refuse a connection that it had not accepted yet. It must not break off a response.
      if ('status' in answer) expect(answer.status).toBe(201);
      else expect(answer.message).toMatch(/ECONNREFUSED|ECONNRESET|socket hang up/);
    }
  });
});

/** People read this: one or two sentences, no stack trace. */
function expectSentence({ url, output }: Run, ...words: RegExp[]): void {
  expect(url).toBeUndefined();
  const text = output().trim();
  expect(text).toMatch(/\w+ \w+ \w+/);
  for (const word of atLeastOne(words)) expect(text).toMatch(word);
  expect(text).not.toMatch(/^\s+at |node:internal|\.ts:\d+/m);
  expect(text.split('\n').length).toBeLessThanOrEqual(2);
}

describe('a failed start explains its cause', () => {
  test('if a second process uses the same DATA_DIR, and the first process continues', async () => {
    const data = await directory();
    const first = await start(data);
    const before = await fill(first.client);
    const second = await start(data);
    expectSentence(second, /data/i);
    expect(await second.stop()).toBeGreaterThan(0);
    await expectKept(first.client, before);
  });

  test('if the port is in use', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    cleanup.push(() => new Promise((done) => server.close(done)));
    const { port } = server.address() as AddressInfo;
    const refused = await start(await directory(), [], port);
    expectSentence(refused, new RegExp(String(port)), /PORT/);
    expect(await refused.stop()).toBeGreaterThan(0);
  });

  test('if the port is in use, and leaves a DATA_DIR that can start with its products', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    cleanup.push(() => new Promise((done) => server.close(done)));
    const data = await directory();
    await start(data, [], (server.address() as AddressInfo).port);
    const { client } = await start(data);
    expect((await client('GET', '/products/1')).status).toBe(200);
  });

  test.each([[['--nonsense']], [['--stage', 'a/b']], [['surplus']]])('for the options %j', async (args) => {
    const refused = await run({ directory: await directory(), args });
    expect(refused.url).toBeUndefined();
    expect(refused.output()).not.toMatch(/^\s+at /m);
    expect(await refused.stop()).toBeGreaterThan(0);
  });
});

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

describe('a new service', () => {
  test('has products 1 to 3 with PNG images in an empty DATA_DIR, and deleted ones stay deleted', async () => {
    const data = await directory();
    const first = await start(data);
    for (const id of [1, 2, 3]) {
      const product = await first.client('GET', `/products/${id}`);
      expect(product.status).toBe(200);
      expect(product.json()).toMatchObject({ id, name: expect.any(String), price: expect.any(Number) });
      const image = await first.client('GET', `/products/${id}?fields=productImage`);
      expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png']);
      expect(image.bytes.subarray(0, 8).equals(PNG)).toBe(true);
    }
    expect((await first.client('GET', '/products')).json().items).toHaveLength(3);
    for (const name of ['members', 'customers', 'orders', 'files']) {
      expect((await first.client('GET', `/${name}`)).json().items).toEqual([]);
    }
    expect((await first.client('DELETE', '/products/2')).status).toBe(204);
    await first.stop();
    const { client } = await start(data);
    expect((await client('GET', '/products')).json().items.map(({ id }) => id)).toEqual([1, 3]);
  });

  test('has nothing with --empty', async () => {
    const data = await directory();
    const { client, stop } = await start(data, ['--empty']);
    for (const name of ['members', 'customers', 'orders', 'products', 'files']) {
      expect((await client('GET', `/${name}`)).json().items).toEqual([]);
    }
    await stop();
    const again = await start(data, ['--empty']);
    expect((await again.client('GET', '/products')).json().items).toEqual([]);
  });

  test('has members, customers and their orders once with --seed', async () => {
    const data = await directory();
    const first = await start(data, ['--seed']);
    const counts = async (client: Client) =>
      Promise.all(
        ['members', 'customers', 'orders', 'products'].map(
          async (name) => (await client('GET', `/${name}`)).json().items.length,
        ),
      );
    const before = await counts(first.client);
    for (const count of atLeastOne(before)) expect(count).toBeGreaterThan(0);
    const [customer] = (await first.client('GET', '/customers')).json().items;
    expect(
      (await first.client('GET', `/customers/${customer?.id}/orders`)).json().items.length,
    ).toBeGreaterThan(0);
    await first.stop();
    const second = await start(data, ['--seed']);
    expect(await counts(second.client)).toEqual(before);
  });

  // Specification 2.33, 15.10
  test('has the stage of --stage in Location, links and problem types', async () => {
    const data = await directory();
    const { url = '', client } = await start(data, ['--stage', 'dev']);
    expect(url).toMatch(/\/dev$/);
    const root = clientOf(new URL(url).origin);
    const made = await client('POST', '/members', { json: { name: 'x' } });
    expect(made.headers.location).toBe(`/dev/members/${made.json().id}`);
    expect((await root('GET', made.headers.location as string)).status).toBe(200);
    expect(made.headers['content-location']).toBe(made.headers.location);
    for (const path of [
      '/',
      '/products/1',
      '/members?limit=1',
      '/customers',
      made.headers.location?.slice(4) as string,
    ]) {
      const answer = await client('GET', path);
      for (const { href, templated } of atLeastOne(answer.json().links)) {
        expect(href).toMatch(/^\/dev(\/|$|\?)/);
        if (!templated) expect((await root('GET', href)).status).toBe(200);
      }
      for (const [, href = ''] of atLeastOne((answer.headers.link ?? '').matchAll(/<([^>]*)>/g)))
        expect(href).toMatch(/^\/dev(\/|$|\?)/);
    }
    const problem = await client('GET', '/members/1');
    expect((await root('GET', problem.json().type)).status).toBe(200);
    const redirect = await client('GET', '/members/');
    expect(redirect.headers.location).toBe('/dev/members');
    const nested = await client('GET', '/customers/1/orders/99/products');
    expect(nested.json().links).toContainEqual(expect.objectContaining({ href: '/dev/orders/99/products' }));
    const product = await client('POST', '/orders', { json: { productId: 1 } });
    expect(product.headers.location).toMatch(/^\/dev\/orders\//);
    const file = await client('PUT', '/files/a%20b', { body: 'x' });
    expect(file.headers.location).toBe('/dev/files/a%20b');
    for (const { href } of atLeastOne((await client('GET', '/products?limit=1')).json().links)) {
      expect((await root('GET', href)).status).toBe(200);
    }
  });
});

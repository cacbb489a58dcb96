import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import type { Given } from '../../part.ts';
import { opened } from '../chromium.ts';
import { EMPTY_PAGE, pageServer } from './page-server.ts';

/** Samples in a second. At this rate, a browser cannot read the whole file before it seeks. */
const RATE = 48_000;
/** Seconds of sound in 3.7 MiB, which the function returns, and in 18 MiB, which S3 returns. */
const SHORT = 80;
const LONG = 400;

/** The typed client as a module for browsers. */
async function bundledClient(): Promise<string> {
  const input = join(import.meta.dirname, '../../../../client/index.ts');
  const build = await rolldown({ input, platform: 'browser' });
  const { output } = await build.generate({ format: 'esm' });
  return output[0].code;
}

/** Checks a page of another origin: it reads responses and plays sounds of the service. */
export async function foreign(browser: Browser, { service, check }: Given): Promise<void> {
  const other = await pageServer(EMPTY_PAGE);
  const { page, close } = await opened(browser, { baseURL: `http://127.0.0.1:${other.port}` });
  await page.goto('/');
  const put = (path: string, body: Buffer, type: string) =>
    service.client('PUT', path, { body, headers: { 'Content-Type': type } });
  await put('/files/text', Buffer.from('0123456789'), 'text/plain');
  await put('/files/short.wav', wav(SHORT, RATE), 'audio/wav');
  await service.storeLarge('long.wav', wav(LONG, RATE), 'audio/wav');

  await check('another origin creates a member and reads its Location', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const read = await fetched(page, `${service.url}/members`, {
      method: 'POST',
      headers,
      body: '{"name":"x"}',
    });
    assert.equal(read.status, 201);
    assert.match(read.headers.location ?? '', /^\/members\/\d+$/);
    assert.match(read.headers.etag ?? '', /^"/);
    assert.match(read.headers.link ?? '', /rel="?collection/);
  });

  await check('the typed client works on a page of another origin', async () => {
    const read = await page.evaluate(
      async ({ module, url }) => {
        const { client, Conflict } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
        const { customers } = client(url);
        const customer = await customers.create({ name: 'Browser' });
        await customer.patch({ name: 'Chromium' });
        const refused = await customer.patch({ name: 'late' }).catch((error: unknown) => error);
        const names: string[] = [];
        for await (const { name } of customers.list({ 'name.prefix': 'Chrom' })) names.push(name);
        return { isConflict: refused instanceof Conflict, etag: customer.etag, names };
      },
      { module: await bundledClient(), url: service.url },
    );
    assert.equal(read.isConflict, true);
    assert.match(read.etag, /^"1\./);
    assert.deepEqual(read.names, ['Chromium']);
  });

  await check('another origin pays an order by an empty POST to its link', async () => {
    const json = { productId: 1, orderValue: 5 };
    const order = (await service.client('POST', '/orders', { json })).json();
    const pay = order.links.find(({ rel }) => rel === 'pay')?.href;
    const read = await fetched(page, service.url + pay, { method: 'POST' });
    assert.deepEqual([read.status, JSON.parse(read.text).status], [200, 'paid']);
  });

  await check('another origin sends forms with and without a picture', async () => {
    const statuses = await page.evaluate(async (url) => {
      const form = new FormData();
      form.set('name', 'Ada');
      const png = new Uint8Array([
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 73, 72, 68, 82,
      ]);
      form.set('photo', new Blob([png]), 'blob');
      const files = new FormData();
      files.append('file', new Blob(['one']), 'foreign-1.txt');
      files.append('file', new Blob(['two']), 'foreign-2.txt');
      const bodies = [
        ['/members', form],
        ['/members', new URLSearchParams({ name: 'Ada' })],
        ['/files', files],
        ['/files', 'a text of no known format'],
      ] as const;
      const sent: number[] = [];
      for (const [path, body] of bodies)
        sent.push((await fetch(url + path, { method: 'POST', body })).status);
      return sent;
    }, service.url);
    // The collection of files does not accept a text.
    assert.deepEqual(statuses, [201, 201, 201, 415]);
  });

  await check('another origin sends Cache-Control, and reads digests', async () => {
    const headers = { 'Cache-Control': 'no-cache', Pragma: 'no-cache', 'X-Requested-With': 'fetch' };
    const read = await fetched(page, `${service.url}/files/text`, { headers });
    assert.equal(read.status, 200);
    assert.match(read.headers['repr-digest'] ?? '', /^sha-256=:/);
    const list = await fetched(page, `${service.url}/members`);
    assert.match(list.headers['link-template'] ?? '', /username/);
  });

  await check('another origin changes the member with a precondition', async () => {
    const [item] = (await service.client('GET', '/members')).json().items;
    const path = `${service.url}/members/${item?.id}`;
    const { etag = '' } = (await fetched(page, path)).headers;
    const headers = { 'Content-Type': 'application/merge-patch+json', 'If-Match': etag };
    const changed = await fetched(page, path, { method: 'PATCH', headers, body: '{"name":"y"}' });
    assert.equal(changed.status, 200);
    const stale = await fetched(page, path, { method: 'DELETE', headers: { 'If-Match': etag } });
    assert.equal(stale.status, 412);
  });

  await check('another origin reads a range and its Content-Range', async () => {
    const read = await fetched(page, `${service.url}/files/text`, { headers: { Range: 'bytes=2-4' } });
    assert.deepEqual([read.status, read.text, read.headers['content-range']], [206, '234', 'bytes 2-4/10']);
    assert.ok(read.headers.etag);
  });

  await check('another origin reads a range of a large file, behind a redirect', async () => {
    const url = `${service.url}/files/long.wav`;
    const read = await fetched(page, url, { headers: { Range: 'bytes=0-4999999' } });
    assert.equal(read.status, 206);
    assert.match(read.headers['content-range'] ?? '', /^bytes 0-4999999\//);
  });

  for (const [name, seconds] of [
    ['short.wav', SHORT],
    ['long.wav', LONG],
  ] as const) {
    await check(`<audio> seeks in ${name} by ranges`, async () => {
      const ranges: string[] = [];
      const answers: number[] = [];
      page.on('request', (request) => {
        const { range } = request.headers();
        if (request.resourceType() === 'media' && range) ranges.push(range);
      });
      page.on('response', (response) => answers.push(response.status()));
      await page.goto('/');
      const at = await seek(page, `${service.url}/files/${name}`, seconds - 5);
      assert.ok(Math.abs(at - (seconds - 5)) < 1, `It is at ${at} s`);
      const seeks = ranges.filter((range) => !range.startsWith('bytes=0-'));
      assert.ok(seeks.length > 0, `Asked for ${ranges.join(', ')}`);
      assert.ok(answers.includes(206), `Answered ${answers.join(', ')}`);
      page.removeAllListeners('request');
      page.removeAllListeners('response');
    });
  }
  await close();
  await other.close();
}

/** The parts of a response that a script of the page can read. */
const fetched = (page: Page, url: string, init: RequestInit = {}) =>
  page.evaluate(
    async ([address, options]) => {
      const response = await fetch(address as string, options as RequestInit);
      const headers: Record<string, string | undefined> = Object.fromEntries(response.headers);
      return { status: response.status, headers, text: await response.text() };
    },
    [url, init] as const,
  );

/** Plays a sound from `second`. Returns the position after that. */
const seek = (page: Page, url: string, second: number): Promise<number> =>
  page.evaluate(
    ([address, to]) =>
      new Promise<number>((done, failed) => {
        const audio = new Audio();
        audio.preload = 'metadata';
        audio.addEventListener('error', () => failed(new Error(audio.error?.message)));
        audio.addEventListener('loadedmetadata', () => {
          audio.currentTime = to;
        });
        audio.addEventListener('seeked', () => done(audio.currentTime));
        audio.src = address;
      }),
    [url, second] as const,
  );

/** A sound file for seeking: a quiet tone, 8 bits a sample, mono. Source: RIFF WAVE, PCM. */
export function wav(seconds: number, samplesPerSecond: number): Buffer {
  const samples = Buffer.alloc(seconds * samplesPerSecond);
  for (let at = 0; at < samples.length; at += 1) samples[at] = 128 + Math.round(20 * Math.sin(at / 5));
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(samplesPerSecond, 24);
  header.writeUInt32LE(samplesPerSecond, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { PutObjectCommand, type PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { names } from '../../../local/provision/names.ts';
import { type Service, start } from '../../../local/service.ts';
import { type Answer, type Client, clientOf, type SentRequest } from '../../support/client/client.ts';
import { testTime, withTimePassed } from '../../support/clock.ts';
import { temporary } from '../../support/service/service.ts';

// The tests are about the listener of the embedded engines, even if other tests run on real ones.
for (const name of Object.keys(process.env))
  if (name.startsWith('AWS_ENDPOINT_URL')) delete process.env[name];

const MIB = 1024 * 1024;
const LIMIT = 4 * MIB;
const bytes = randomBytes(9 * MIB + 5);

let directory: string;
let service: Service;
let client: Client;
let s3: S3Client;

/** Puts an object directly, because it is too large for a request of the service. */
const store = (
  name: string,
  Body: PutObjectCommandInput['Body'],
  more: Partial<PutObjectCommandInput> = {},
) => s3.send(new PutObjectCommand({ Bucket: names.bucket, Key: `files/${name}`, Body, ...more }));

const get = (path: string, headers: SentRequest['headers'] = {}): Promise<Answer> =>
  client('GET', path, { headers });
const head = (path: string, headers: SentRequest['headers'] = {}) => client('HEAD', path, { headers });

/** The target of a redirect. */
const target = ({ headers }: Answer): string => headers.location as string;

/** Follows a redirect with the same method and header fields, like any client. */
const follow = async (answer: Answer, init: RequestInit = {}) => {
  const got = await fetch(target(answer), init);
  return { status: got.status, headers: got.headers, bytes: Buffer.from(await got.arrayBuffer()) };
};

beforeAll(async () => {
  ({ directory } = await temporary());
  const options = {
    port: 0,
    host: '127.0.0.1',
    allowedOrigin: 'loopback',
    enginePort: 0,
    auth: false,
    throttle: false,
    allowedHosts: [],
    issuerPort: 0,
    empty: true,
    seed: false,
    stage: undefined,
    shards: undefined,
  };
  service = await start({ ...options, directory }, testTime);
  client = clientOf(service.url);
  s3 = new S3Client({
    endpoint: service.s3Url,
    region: 'us-east-1',
    credentials: service.credentials,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  await store('large.bin', bytes, { ContentType: 'video/mp4' });
});
afterAll(async () => {
  s3.destroy();
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

// Specification 5.1
test('a file that an earlier release stored decomposed has one name in both spellings', async () => {
  const [composed, decomposed] = ['/files/%C3%BC.txt', '/files/u%CC%88.txt'];
  await store('u\u0308.txt', 'before', { ContentType: 'text/plain' });
  expect([(await get(composed)).text, (await get(decomposed)).text]).toEqual(['before', 'before']);
  const once = { headers: { 'If-None-Match': '*' }, body: 'two' };
  expect((await client('PUT', composed, once)).status).toBe(412);
  expect((await client('PUT', composed, { body: 'after' })).json().filename).toBe('u\u0308.txt');
  expect((await get(decomposed)).text).toBe('after');
  expect((await client('DELETE', composed)).status).toBe(204);
  expect((await get(decomposed)).status).toBe(404);
  expect((await get(`${composed}/versions`)).json().items).toHaveLength(3);
});

// Specification 5.10
describe('S3 serves files that are too large for a response:', () => {
  test('the whole file', async () => {
    const answer = await get('/files/large.bin');
    expect(answer.status).toBe(307);
    expect(answer.bytes).toHaveLength(0);
    expect(answer.headers['cache-control']).toBe('no-store');
    for (const name of ['etag', 'last-modified', 'repr-digest', 'accept-ranges'])
      expect(answer.headers[name]).toBeUndefined();
    expect(new URL(target(answer)).origin).toBe(service.s3Url);
    expect(new URL(target(answer)).searchParams.get('X-Amz-Expires')).toBe('300');
    const got = await follow(answer);
    expect([got.status, got.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(got.bytes.equals(bytes)).toBe(true);
  });

  // Specification 5.13
  test('but HEAD gets the header fields of the whole file in place', async () => {
    const { etag } = (await get('/files/large.bin', { Range: 'bytes=0-0' })).headers;
    for (const headers of [{}, { Range: 'bytes=0-1' }]) {
      const answer = await head('/files/large.bin', headers);
      expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
      expect(answer.headers).toMatchObject({
        'content-length': String(bytes.length),
        'content-type': 'video/mp4',
        'accept-ranges': 'bytes',
        etag,
      });
    }
    expect((await head('/files/large.bin', { 'If-None-Match': etag })).status).toBe(304);
    expect((await head('/files/large.bin', { 'If-Match': '"other"' })).status).toBe(412);
  });

  // Specification 5.10: the service truncates no range.
  test.each([
    [`bytes=0-${LIMIT}`, 0, LIMIT],
    [`bytes=7-${LIMIT + 7}`, 7, LIMIT + 7],
    ['bytes=1-', 1, bytes.length - 1],
    [`bytes=-${LIMIT + 1}`, bytes.length - LIMIT - 1, bytes.length - 1],
  ])('a large range: %s', async (Range, first, last) => {
    const answer = await get('/files/large.bin', { Range });
    expect(answer.status).toBe(307);
    const got = await follow(answer, { headers: { Range } });
    expect(got.status).toBe(206);
    expect(got.headers.get('content-range')).toBe(`bytes ${first}-${last}/${bytes.length}`);
    expect(got.bytes.equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  test('several ranges that are too large together', async () => {
    const half = LIMIT / 2;
    const Range = `bytes=0-${half - 1},${half}-${2 * half - 1}`;
    expect((await get('/files/large.bin', { Range })).status).toBe(206);
    expect((await get('/files/large.bin', { Range: `${Range},-1` })).status).toBe(307);
  });

  // Specification 5.9
  test.each([
    ['bytes=0-0', 0, 0],
    [`bytes=0-${LIMIT - 1}`, 0, LIMIT - 1],
    [`bytes=${LIMIT}-${LIMIT + 9}`, LIMIT, LIMIT + 9],
    [`bytes=${2 * LIMIT}-`, 2 * LIMIT, bytes.length - 1],
    ['bytes=-5', bytes.length - 5, bytes.length - 1],
  ])('but not a small range: %s', async (Range, first, last) => {
    const answer = await get('/files/large.bin', { Range });
    expect(answer.status).toBe(206);
    expect(answer.headers['content-range']).toBe(`bytes ${first}-${last}/${bytes.length}`);
    expect(answer.bytes.equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  test('but not exactly 4 MiB', async () => {
    await store('exactly', bytes.subarray(0, LIMIT));
    await store('more', bytes.subarray(0, LIMIT + 1));
    expect([(await get('/files/exactly')).status, (await head('/files/exactly')).status]).toEqual([200, 200]);
    expect([(await get('/files/more')).status, (await head('/files/more')).status]).toEqual([307, 200]);
  });

  test('a file with a strange name and an active type', async () => {
    const name = 'ü "q" +%&?#.html';
    await store(name, bytes, { ContentType: 'text/html; charset="utf-8"' });
    const got = await follow(await get(`/files/${encodeURIComponent(name)}`));
    expect(got.status).toBe(200);
    expect(got.headers.get('content-type')).toBe('text/html; charset="utf-8"');
    expect(got.headers.get('content-disposition')).toBe('attachment');
  });
});

describe('the service checks a request before the redirect', () => {
  test('by its preconditions and ranges', async () => {
    const { etag } = (await get('/files/large.bin', { Range: 'bytes=0-0' })).headers;
    const statusOf = async (headers: SentRequest['headers']) =>
      (await get('/files/large.bin', headers)).status;
    expect(await statusOf({ 'If-None-Match': etag })).toBe(304);
    expect(await statusOf({ 'If-None-Match': '"other"' })).toBe(307);
    expect(await statusOf({ 'If-Match': '"other"' })).toBe(412);
    expect(await statusOf({ 'If-Match': etag })).toBe(307);
    expect(await statusOf({ Range: `bytes=${bytes.length}-` })).toBe(416);
    expect(await statusOf({ Range: 'bytes=0-0', 'If-Range': '"other"' })).toBe(307);
    expect(await statusOf({ Range: 'bytes=0-0', 'If-Range': etag })).toBe(206);
  });

  test('and a client resumes a download behind the redirect if the file is the same', async () => {
    const begun = await follow(await get('/files/large.bin', { Range: 'bytes=0-4999999' }), {
      headers: { Range: 'bytes=0-4999999' },
    });
    const etag = begun.headers.get('etag') as string;
    const headers = { Range: 'bytes=5000000-', 'If-Range': etag };
    const rest = await follow(await get('/files/large.bin', headers), { headers });
    expect([begun.status, rest.status, rest.headers.get('etag')]).toEqual([206, 206, etag]);
    expect(Buffer.concat([begun.bytes, rest.bytes]).equals(bytes)).toBe(true);
    const other = await follow(await get('/files/large.bin'), { headers: { ...headers, 'If-Range': '"x"' } });
    expect([other.status, other.bytes.length]).toEqual([200, bytes.length]);
  });

  test('and preconditions have the same meaning behind the redirect', async () => {
    const answer = await get('/files/large.bin');
    const etag = (await follow(answer, { headers: { Range: 'bytes=0-0' } })).headers.get('etag') as string;
    expect((await follow(answer, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await follow(answer, { headers: { 'If-Match': '"other"' } })).status).toBe(412);
    const beyond = await follow(answer, { headers: { Range: `bytes=${bytes.length}-` } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
  });
});

describe('a presigned URL', () => {
  test.each<[string, (url: string) => string]>([
    ['another file', (url) => url.replace('large.bin', 'exactly')],
    ['another signature', (url) => url.replace(/(Signature=)\w{8}/, '$100000000')],
    ['a later end', (url) => url.replace('X-Amz-Expires=300', 'X-Amz-Expires=3000')],
    ['another type', (url) => url.replace('video%2Fmp4', 'text%2Fhtml')],
    ['no signature', (url) => url.replace(/\?.*/, '')],
  ])('gets 403 for %s', async (_case, tampered) => {
    const answer = await fetch(tampered(target(await get('/files/large.bin'))));
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringMatching(/^<Error><Code>\w+/)]);
  });

  test('expires', async () => {
    const url = target(await get('/files/large.bin'));
    const answer = await withTimePassed(301_000, () => fetch(url));
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('has expired')]);
  });

  test('works in a browser for a page that may read it', async () => {
    const answer = await get('/files/large.bin', { Origin: 'http://localhost:5173' });
    expect(answer.headers['access-control-allow-origin']).toBe('http://localhost:5173');
    // Behind a redirect from another host, the origin of a page is "null". Source: Fetch §4.4, tainted origin.
    const got = await follow(answer, { headers: { Origin: 'null', Range: 'bytes=0-3' } });
    expect(got.headers.get('access-control-allow-origin')).toBe('*');
    expect(got.headers.get('access-control-expose-headers')).toMatch(/ETag, Content-Range, Content-Length/);
    const preflight = await fetch(target(answer), {
      method: 'OPTIONS',
      headers: {
        Origin: 'null',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'if-range,range',
      },
    });
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('if-range,range');
  });
});

test('objects pass through the listener in little memory, in both directions', async () => {
  const size = 160 * MIB;
  const piece = randomBytes(MIB);
  const hash = createHash('sha256');
  let most = 0;
  const pieces = function* () {
    for (let at = 0; at < size / MIB; at += 1) {
      most = Math.max(most, process.memoryUsage().rss);
      hash.update(piece);
      yield piece;
    }
  };
  const before = process.memoryUsage().rss;
  await store('huge.bin', Readable.from(pieces()), { ContentLength: size });
  const sent = hash.digest('hex');
  const received = createHash('sha256');
  const got = await fetch(target(await get('/files/huge.bin')));
  for await (const chunk of got.body as unknown as AsyncIterable<Uint8Array>) {
    most = Math.max(most, process.memoryUsage().rss);
    received.update(chunk);
  }
  expect(received.digest('hex')).toBe(sent);
  expect(most - before).toBeLessThan(100 * MIB);
}, 60_000);

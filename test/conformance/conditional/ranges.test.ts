import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, SentRequest } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, dated, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const BYTES = Buffer.from('0123456789abcdefghij');
const paths: Record<string, string> = {};

beforeAll(async () => {
  paths.file = `/files/${unique('range')}`;
  await send('PUT', paths.file, { body: BYTES, headers: { 'Content-Type': 'text/plain' } });
  const product = await create('/products', { name: unique('range') });
  paths.image = `${product.path}?fields=productImage`;
  await send('PUT', paths.image, { body: BYTES, headers: { 'Content-Type': 'image/png' } });
  paths.empty = `/files/${unique('empty')}`;
  await send('PUT', paths.empty, { body: '' });
});

const ranged = (name: string, range: string, headers: SentRequest['headers'] = {}): Promise<Answer> =>
  get(paths[name] as string, { Range: range, ...headers });

describe.each(['file', 'image'])('a range of the %s', (name) => {
  // Specification 5.11, C.102, C.103
  test.each([
    ['bytes=0-0', '0', '0-0'],
    ['bytes=0-9', '0123456789', '0-9'],
    ['bytes=5-5', '5', '5-5'],
    ['bytes=10-', 'abcdefghij', '10-19'],
    ['bytes=0-', BYTES.toString(), '0-19'],
    ['bytes=-1', 'j', '19-19'],
    ['bytes=-5', 'fghij', '15-19'],
    ['bytes=-20', BYTES.toString(), '0-19'],
    ['bytes=-21', BYTES.toString(), '0-19'],
    ['bytes=-99999999999999999999', BYTES.toString(), '0-19'],
    ['bytes=15-100', 'fghij', '15-19'],
    ['bytes=19-19', 'j', '19-19'],
    ['bytes=0-99999999999999999999999999', BYTES.toString(), '0-19'],
    ['BYTES=0-1', '01', '0-1'],
    ['bytes=00-01', '01', '0-1'],
  ])('gets 206 for %s', async (range, text, span) => {
    const whole = await dated(paths[name] as string);
    const answer = await ranged(name, range);
    expect(answer.status).toBe(206);
    expect(answer.text).toBe(text);
    expect(answer.headers['content-range']).toBe(`bytes ${span}/20`);
    expect(answer.headers['content-length']).toBe(String(text.length));
    for (const field of ['etag', 'content-type', 'last-modified', 'cache-control']) {
      expect(answer.headers[field]).toBe(whole.headers[field]);
    }
  });

  // Specification 5.12
  test.each(['bytes=20-', 'bytes=20-30', 'bytes=99999999999999999999-', 'bytes=-0'])(
    'gets 416 for %s',
    async (range) => {
      const answer = await ranged(name, range);
      expectProblem(answer, 416);
      expect(answer.headers['content-range']).toBe('bytes */20');
    },
  );

  // RFC 9110 §14.2: an invalid Range or one of an unknown unit has no effect. A 416 for an invalid Range is right
  // too.
  test.each([
    'items=0-1',
    'bytes',
    'bytes=',
    'bytes=x-y',
    'bytes=5-2',
    'bytes=1-2-3',
    'bytes 0-1',
    '0-1',
    'bytes=--1',
    'bytes=0x0-1',
    'bytes=-',
  ])('has no effect as Range: %s', async (range) => {
    const answer = await ranged(name, range);
    if (answer.status === 416) {
      expect(range).toMatch(/^bytes=/);
      expect(answer.headers['content-range']).toBe('bytes */20');
    } else expect([answer.status, answer.text]).toEqual([200, BYTES.toString()]);
  });

  // Specification 15.5
  test('has no effect on HEAD', async () => {
    for (const range of ['bytes=0-1', 'bytes=50-']) {
      const answer = await send('HEAD', paths[name] as string, { headers: { Range: range } });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-length']).toBe('20');
      expect(answer.headers['content-range']).toBeUndefined();
    }
  });

  // Specification 5.11. RFC 9110 §13.1.5: if If-Range is false, the response has the whole.
  test('depends on If-Range', async () => {
    const { etag } = (await get(paths[name] as string)).headers;
    const status = async (value: string) => (await ranged(name, 'bytes=0-1', { 'If-Range': value })).status;
    expect(await status(etag as string)).toBe(206);
    expect(await status('"other"')).toBe(200);
    expect(await status(`W/${etag}`)).toBe(200);
    expect(await status('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(200);
    expect(await status('nonsense')).toBe(200);
    // The range is unsatisfiable, but the condition is false: the response has the whole.
    expect((await ranged(name, 'bytes=50-', { 'If-Range': '"other"' })).status).toBe(200);
    expectProblem(await ranged(name, 'bytes=50-', { 'If-Range': etag }), 416);
  });

  // RFC 9110 §13.1.5, §8.8.2.2: a date must be equal, and is strong when the second of the change is over.
  test('depends on a date in If-Range', async () => {
    const { headers } = await dated(paths[name] as string);
    const modified = Date.parse(headers['last-modified'] as string);
    const status = async (time: number) =>
      (await ranged(name, 'bytes=0-1', { 'If-Range': new Date(time).toUTCString() })).status;
    expect(await status(modified)).toBe(206);
    expect(await status(modified + 1000)).toBe(200);
    expect(await status(modified - 1000)).toBe(200);
  });

  // RFC 9110 §13.2.2: the other preconditions precede the range.
  test('follows the other preconditions', async () => {
    const { etag } = (await get(paths[name] as string)).headers;
    const status = async (headers: SentRequest['headers'], range = 'bytes=0-1') =>
      (await ranged(name, range, headers)).status;
    expect(await status({ 'If-None-Match': etag })).toBe(304);
    expect(await status({ 'If-Match': '"other"' })).toBe(412);
    expect(await status({ 'If-Match': etag })).toBe(206);
    expect(await status({ 'If-None-Match': '"other"' })).toBe(206);
    // Specification 3.3: without preconditions the range gets 416. Range comes last, so 304 and 412 are right as
    // well.
    expect([416, 304]).toContain(await status({ 'If-None-Match': etag }, 'bytes=50-'));
    expect([416, 412]).toContain(await status({ 'If-Match': '"other"' }, 'bytes=50-'));
  });

  // Specification 5.11. The whole is right as well (RFC 9110 §14.2).
  test('may repeat: the response has parts or the whole', async () => {
    const answer = await ranged(name, 'bytes=0-1, 4-5 ,-2');
    if (answer.status === 206) {
      expect(answer.headers['content-type']).toMatch(/^multipart\/byteranges; *boundary=/);
      const spans = [...answer.text.matchAll(/^content-range: (.*?)\r?$/gim)].map(([, span]) => span);
      expect(spans).toEqual(['bytes 0-1/20', 'bytes 4-5/20', 'bytes 18-19/20']);
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    } else expect([answer.status, answer.text]).toEqual([200, BYTES.toString()]);
  });

  test('may repeat very often without harm', async () => {
    const range = `bytes=${Array.from({ length: 900 }, () => '0-').join(',')}`;
    const answer = await ranged(name, range);
    expect([200, 206, 416]).toContain(answer.status);
    expect(answer.bytes.length).toBeLessThan(1000);
  });

  test('in two Range lines gets one valid response', async () => {
    const answer = await get(paths[name] as string, { Range: ['bytes=0-1', 'bytes=4-5'] });
    expect([200, 206, 400, 416]).toContain(answer.status);
    if (answer.status === 200) expect(answer.text).toBe(BYTES.toString());
  });
});

// RFC 9110 §14.2: a server may ignore Range. Caches that read a file in slices begin with bytes=0-….
// Specification 5.12
test.each(['bytes=0-', 'bytes=0-0', 'bytes=-1'])(
  'a range of an empty file has no effect: %s',
  async (range) => {
    const answer = await ranged('empty', range);
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
  },
);

// RFC 9110 §14.2: Range works with GET only. A resource without ranges ignores it.
test('Range has no effect on resources without ranges', async () => {
  for (const path of ['/', '/members?limit=1', '/health']) {
    const answer = await get(path, { Range: 'bytes=0-1' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-range']).toBeUndefined();
  }
  expectProblem(await get('/members/1', { Range: 'bytes=0-1' }), 404);
});

test('Range has no effect on PUT and DELETE', async () => {
  const path = `/files/${unique('put')}`;
  expect((await send('PUT', path, { body: 'all of it', headers: { Range: 'bytes=0-1' } })).status).toBe(201);
  expect((await get(path)).text).toBe('all of it');
  expect((await send('DELETE', path, { headers: { Range: 'bytes=50-' } })).status).toBe(204);
});

// Specification 5.11
describe('several ranges', () => {
  test('come each with their span and type', async () => {
    const path = `/files/${unique('several')}`;
    await send('PUT', path, { body: '0123456789', headers: { 'Content-Type': 'text/plain' } });
    const answer = await get(path, { Range: 'bytes=0-1, 4-4, -2' });
    expect(answer.status).toBe(206);
    const [, boundary] =
      /^multipart\/byteranges; boundary=(\S+)$/.exec(answer.headers['content-type'] ?? '') ?? [];
    expect(boundary).toBeDefined();
    expect(answer.headers['content-range']).toBeUndefined();
    expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
    const [before, ...parts] = answer.text.split(`\r\n--${boundary}`);
    expect(before).toBe('');
    expect(parts.pop()).toBe('--\r\n');
    expect(parts).toEqual(
      ['0-1/10\r\n\r\n01', '4-4/10\r\n\r\n4', '8-9/10\r\n\r\n89'].map(
        (part) => `\r\nContent-Type: text/plain\r\nContent-Range: bytes ${part}`,
      ),
    );
  });

  test('get the whole if there are six, or if they have more bytes than the file', async () => {
    const path = `/files/${unique('several')}`;
    await send('PUT', path, { body: '0123456789' });
    for (const Range of ['bytes=0-0,1-1,2-2,3-3,4-4,5-5', 'bytes=0-8,1-9']) {
      const answer = await get(path, { Range });
      expect([answer.status, answer.text]).toEqual([200, '0123456789']);
    }
  });
});

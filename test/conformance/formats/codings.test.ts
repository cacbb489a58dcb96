import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const DECODE = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const;
const CODINGS = ['zstd', 'br', 'gzip'] as const;
const GZIP = { 'Accept-Encoding': 'gzip' };

/** Values whose representation in each format has more than 1 KB. */
const long = () => ({ name: unique('coded'), note: 'ä “quoted” text, '.repeat(100) });
const decoded = ({ bytes, headers }: Answer): string =>
  DECODE[headers['content-encoding'] as keyof typeof DECODE](bytes).toString('utf8');
const varies = ({ headers }: Answer): readonly string[] => (headers.vary ?? '').split(', ');

// Specification 2.52
describe('a response in a content coding', () => {
  test.each(CODINGS)('is the same as without coding after decoding: %s', async (coding) => {
    const { path } = await create('/customers', long());
    for (const uri of [path, '/customers?limit=5', '/', '/problems/not-found']) {
      for (const Accept of ['application/json', 'application/xml']) {
        const plain = await get(uri, { Accept });
        const answer = await get(uri, { Accept, 'Accept-Encoding': coding });
        expect([answer.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
        if (plain.bytes.length < 1000) continue;
        expect(answer.headers['content-encoding']).toBe(coding);
        expect(decoded(answer)).toBe(plain.text);
        expect(answer.bytes.length).toBeLessThan(plain.bytes.length);
        expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
        expect(answer.headers['content-type']).toBe(plain.headers['content-type']);
        expect(answer.headers.etag).toBe(plain.headers.etag?.replace(/"$/, `-${coding}"`));
        expect(varies(answer)).toEqual(varies(plain));
        expect(varies(answer)).toContain('Accept-Encoding');
      }
    }
  });

  test('is a page that a browser decodes', async () => {
    const browser = { Accept: 'text/html, */*;q=0.8', 'Accept-Encoding': 'gzip, deflate, br, zstd' };
    const { path } = await create('/customers', long());
    const answer = await get(path, browser);
    expect(answer.headers['content-encoding']).toBe('zstd');
    expect(answer.headers.etag).toBeUndefined();
    expect(decoded(answer)).toMatch(/^<!doctype html>/i);
  });

  test.each(['/customers/1', '/members?age=x'])('has each name in Vary once: %s as a page', async (uri) => {
    const names = varies(await get(uri, { Accept: 'text/html' }));
    expect(names).toEqual([...new Set(names)]);
    expect(names).toContain('Accept-Encoding');
  });

  test('has the same header fields for HEAD', async () => {
    const { path } = await create('/customers', long());
    for (const uri of [path, '/customers?limit=3']) {
      const read = await get(uri, GZIP);
      const head = await send('HEAD', uri, { headers: GZIP });
      expect(head.bytes.length).toBe(0);
      for (const name of [
        'content-encoding',
        'content-length',
        'etag',
        'vary',
        'content-type',
        'last-modified',
      ])
        expect([name, head.headers[name]]).toEqual([name, read.headers[name]]);
    }
  });

  test('is only for clients that prefer one, and for long content', async () => {
    const { path, etag } = await create('/customers', long());
    for (const field of ['identity', 'identity, gzip;q=0.5', 'gzip;q=0', 'deflate', '', 'identity;q=0']) {
      const answer = await get(path, { 'Accept-Encoding': field });
      expect([field, answer.status, answer.headers['content-encoding']]).toEqual([field, 200, undefined]);
      expect(answer.headers.etag).toBe(etag);
      expect(varies(answer)).toContain('Accept-Encoding');
    }
    const short = await get('/health', GZIP);
    expect([short.status, short.headers['content-encoding']]).toEqual([200, undefined]);
    const forced = await get('/health', { 'Accept-Encoding': 'gzip, identity;q=0' });
    expect([forced.headers['content-encoding'], decoded(forced)]).toEqual(['gzip', short.text]);
  });

  test('is a problem with many faults', async () => {
    const json = Array.from({ length: 40 }, () => ({ price: 'wrong' }));
    const answer = await send('POST', '/products', { json, headers: GZIP });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([400, 'gzip']);
    expect(JSON.parse(decoded(answer)).errors).toHaveLength(40);
  });

  test('is never a stored file, a part of one, or a response without content', async () => {
    const path = `/files/${unique('coded')}.txt`;
    const text = 'a file of text '.repeat(500);
    const type = { 'Content-Type': 'text/plain' };
    const stored = await send('PUT', path, { body: text, headers: { ...type, ...GZIP } });
    const read = await get(path, GZIP);
    expect([read.headers['content-encoding'], read.text]).toEqual([undefined, text]);
    expect(read.headers.etag).toBe(stored.headers.etag);
    const part = await get(path, { ...GZIP, Range: 'bytes=0-1' });
    expect([part.status, part.headers['content-encoding'], part.text]).toEqual([206, undefined, 'a ']);
    const gone = await send('DELETE', path, { headers: { ...GZIP, 'If-Match': read.headers.etag } });
    expect([gone.status, gone.headers['content-encoding']]).toEqual([204, undefined]);
  });

  test('shows the metadata of a stored file with the entity tag of its bytes', async () => {
    const path = `/files/${unique('ä')}${'ö'.repeat(100)}`.replaceAll(/[äö]/g, encodeURIComponent);
    const stored = await send('PUT', path, {
      body: 'x',
      headers: { 'Content-Type': 'text/plain', 'Accept-Encoding': 'gzip' },
    });
    expect([stored.status, stored.headers['content-encoding']]).toEqual([201, 'gzip']);
    expect(stored.headers.etag).toBe((await get(path)).headers.etag);
    const replaced = await send('PUT', path, {
      body: 'y',
      headers: { ...GZIP, 'If-Match': stored.headers.etag },
    });
    expect(replaced.status).toBe(200);
  });
});

// Specification 2.52
test.each(['/openapi.json', '/schemas/member', '/assets/swagger-ui.css'])(
  'the published document %s has the codings and tags of a representation',
  async (path) => {
    const plain = await get(path);
    const zipped = await get(path, GZIP);
    expect([zipped.status, zipped.headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(decoded(zipped)).toBe(plain.text);
    expect(zipped.headers.etag).toBe(plain.headers.etag?.replace(/"$/, '-gzip"'));
    const head = await send('HEAD', path, { headers: GZIP });
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary', 'repr-digest', 'accept-ranges'])
      expect([name, head.headers[name]]).toEqual([name, zipped.headers[name]]);
    const tag = { 'If-None-Match': zipped.headers.etag };
    const unchanged = await get(path, { ...tag, ...GZIP });
    expect([unchanged.status, unchanged.headers.etag]).toEqual([304, zipped.headers.etag]);
    expect(unchanged.headers.vary).toBe(plain.headers.vary);
    expect((await get(path, tag)).status).toBe(200);
    const part = await get(path, { ...GZIP, Range: 'bytes=0-9' });
    expect([part.status, part.headers.etag, part.headers['content-encoding']]).toEqual([
      206,
      plain.headers.etag,
      undefined,
    ]);
    const guarded = await get(path, { ...GZIP, Range: 'bytes=0-9', 'If-Range': zipped.headers.etag });
    expect([guarded.status, guarded.headers['content-encoding']]).toEqual([200, 'gzip']);
  },
);

// Specification 2.52, 3.1, 3.2; RFC 9110 §8.8.3.3, §13.1.2
describe('the entity tag of a coding', () => {
  test.each(['item', 'list'])('gives a 304 for an %s only in the same coding', async (kind) => {
    const { path } = await create('/customers', long());
    const uri = kind === 'item' ? path : `/customers?limit=2&fields=name,note&sort=-id`;
    const plain = (await get(uri)).headers.etag as string;
    const zipped = (await get(uri, GZIP)).headers.etag as string;
    const conditional = (tag: string, more = {}) => get(uri, { 'If-None-Match': tag, ...more });
    const unchanged = await conditional(zipped, GZIP);
    expect([unchanged.status, unchanged.headers.etag, unchanged.bytes.length]).toEqual([304, zipped, 0]);
    expect(unchanged.headers['content-encoding']).toBeUndefined();
    expect(varies(unchanged)).toEqual(varies(await get(uri)));
    const same = await conditional(plain);
    expect([same.status, same.headers.etag]).toEqual([304, plain]);
    expect(varies(same)).toContain('Accept-Encoding');
    expect((await conditional(plain, GZIP)).status).toBe(200);
    expect((await conditional(zipped)).status).toBe(200);
    expect((await conditional(zipped, { 'Accept-Encoding': 'br' })).status).toBe(200);
    expect((await conditional(`${plain}, ${zipped}`, GZIP)).headers.etag).toBe(zipped);
    expect((await get(uri, { 'If-Match': zipped, ...GZIP })).status).toBe(200);
    const failed = await get(uri, { 'If-Match': plain, ...GZIP });
    expectProblem(failed, 412);
    expect(failed.headers.etag).toBe(zipped);
  });

  test('is not a tag of short content', async () => {
    const { path, etag } = await create('/members', { name: unique('short') });
    const guessed = etag.replace(/"$/, '-gzip"');
    expect((await get(path, { 'If-None-Match': guessed, ...GZIP })).status).toBe(200);
    expect((await get(path, { 'If-None-Match': etag, ...GZIP })).status).toBe(304);
  });

  test('guards a write of every method, because a write changes all representations', async () => {
    const { path } = await create('/customers', long());
    const tagOf = async (coding: string) =>
      (await get(path, { 'Accept-Encoding': coding })).headers.etag as string;
    const patch = { 'Content-Type': 'application/merge-patch+json' };
    const stale = await tagOf('gzip');
    const replaced = await send('PUT', path, {
      json: long(),
      headers: { ...GZIP, 'If-Match': stale },
    });
    expect([replaced.status, replaced.headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(replaced.headers.etag).toBe(await tagOf('gzip'));
    const patched = await send('PATCH', path, {
      body: '{"name":"z"}',
      headers: { ...patch, 'If-Match': await tagOf('br') },
    });
    expect(patched.status).toBe(200);
    expectProblem(await send('DELETE', path, { headers: { 'If-Match': stale } }), 412);
    expect((await send('DELETE', path, { headers: { 'If-Match': await tagOf('zstd') } })).status).toBe(204);
  });

  test('guards the removal of a collection', async () => {
    const customer = await create('/customers', long());
    await create(`${customer.path}/orders`, { productId: 1, orderValue: 1, note: 'x'.repeat(2000) });
    const uri = `${customer.path}/orders`;
    const { etag } = (await get(uri, { ...GZIP, Accept: 'application/xml' })).headers;
    expect(etag).toMatch(/-xml-gzip"$/);
    const other = etag?.replace('"', '"x');
    expectProblem(await send('DELETE', uri, { headers: { 'If-Match': other } }), 412);
    expect((await send('DELETE', uri, { headers: { 'If-Match': etag } })).status).toBe(204);
  });
});

// Specification 2.52, 10.2, 7.3
describe('a recorded answer', () => {
  test('gets the coding of the request that repeats it', async () => {
    const key = unique('key');
    const json = long();
    const post = (headers: Record<string, string>) =>
      send('POST', '/customers', { json, headers: { 'Idempotency-Key': key, ...headers } });
    const first = await post({ 'Accept-Encoding': 'br' });
    expect([first.status, first.headers['content-encoding']]).toEqual([201, 'br']);
    const plain = await post({});
    expect([plain.status, plain.headers['content-encoding']]).toEqual([201, undefined]);
    expect(plain.headers['idempotency-replayed']).toBe('true');
    const zipped = await post(GZIP);
    expect(decoded(zipped)).toBe(plain.text);
    expect(decoded(first)).toBe(plain.text);
    const tags = [first, plain, zipped].map(({ headers }) => headers.etag);
    const [, tag = ''] = /^"(.*)"$/.exec(plain.headers.etag ?? '') ?? [];
    expect(tags).toEqual([`"${tag}-br"`, `"${tag}"`, `"${tag}-gzip"`]);
    expect((await get(plain.headers.location as string, { ...GZIP, 'If-None-Match': tags[2] })).status).toBe(
      304,
    );
  });

  test('of an accepted request has the coding of each request, too', async () => {
    const headers = {
      Prefer: 'respond-async',
      'Idempotency-Key': unique('key'),
      'Accept-Encoding': 'gzip, identity;q=0',
    };
    const json = long();
    const accepted = await send('POST', '/customers', { json, headers });
    expect([accepted.status, accepted.headers['content-encoding']]).toEqual([202, 'gzip']);
    const again = await send('POST', '/customers', {
      json,
      headers: { ...headers, 'Accept-Encoding': 'identity' },
    });
    expect([again.status, again.headers['content-encoding']]).toEqual([202, undefined]);
    expect(decoded(accepted)).toBe(again.text);
  });
});

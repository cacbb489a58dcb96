import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { listed, put } from '../../support/client/files.ts';
import { expectProblem } from '../../support/client/problem.ts';
import {
  announce,
  completeParts,
  digestOf,
  endedUpload,
  linksIn,
  sendParts,
  toStorage,
} from '../../support/client/uploads.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const MIB = 1024 * 1024;
const pathOf = (name: string) => `/files/${encodeURIComponent(name)}`;
/** Just too large for a single request. */
const large = randomBytes(64 * MIB + 1);

// Specification 5.15
describe('a direct upload to storage', () => {
  test('responds at once to Prefer: wait, because the operation waits for its client', async () => {
    const { headers } = await announce({ filename: unique('never'), size: 1 });
    const {
      status,
      headers: seen,
      ...answer
    } = await get(headers.location as string, {
      Prefer: 'wait=20',
    });
    expect([status, answer.json().status, seen['retry-after']]).toEqual([200, 'Running', '1']);
    expect(seen['preference-applied']).toBeUndefined();
  });

  test('gets 202, takes the bytes, and then gets 303 to the file', async () => {
    const name = `${unique('whole')} ü+&%.bin`;
    const bytes = randomBytes(5 * MIB);
    const digest = digestOf(bytes);
    const answer = await announce({ filename: name, size: bytes.length, contentType: 'video/mp4', digest });
    expect(answer.status).toBe(202);
    const { location } = answer.headers;
    expect(location).toMatch(/^\/operations\/\d+$/);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({
      kind: 'files.upload',
      status: 'Running',
      progress: { done: 0, total: 1, failed: 0 },
    });
    const [link] = linksIn(answer);
    expect(link).toMatchObject({ filename: name, size: bytes.length, method: 'PUT' });
    expect(Date.parse(link?.expiresAt ?? '')).toBeGreaterThan(Date.now());
    expectProblem(await get(pathOf(name)), 404);
    expect((await toStorage(link as never, bytes)).status).toBe(200);
    const end = await endedUpload(location);
    expect([end.status, end.headers.location]).toEqual([303, pathOf(name)]);
    expect(end.operation).toMatchObject({ status: 'Succeeded', progress: { done: 1, total: 1, failed: 0 } });
    expect(end.operation.links).toContainEqual({ rel: 'result', href: pathOf(name), method: 'GET' });
    // Every later poll gets the same response, without the links.
    expect((await get(location as string)).status).toBe(303);
    expect(end.operation.uploads).toBeUndefined();
    expect(await listed(name)).toMatchObject({ size: bytes.length, contentType: 'video/mp4', digest });
    const got = await fetch((await get(pathOf(name))).headers.location as string);
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('may have several files in any order', async () => {
    const names = [unique('a'), unique('b'), unique('c')];
    const items = names.map((filename, at) => ({ filename, size: at }));
    const answer = await announce({ items });
    expect(answer.json()).toMatchObject({ progress: { total: 3 } });
    for (const link of atLeastOne([...linksIn(answer)].reverse()))
      expect((await toStorage(link, 'x'.repeat(link.size))).status).toBe(200);
    const end = await endedUpload(answer.headers.location);
    expect([end.status, end.headers.location]).toEqual([303, '/files']);
    expect(end.operation.progress).toEqual({ done: 3, total: 3, failed: 0 });
    for (const [at, name] of names.entries()) expect(await listed(name)).toMatchObject({ size: at });
  });

  // Specification 7.8, 15.2
  test('ends with 200 if it replaces files and with 303 if some are new', async () => {
    const [old, other] = [unique('old'), unique('new')];
    const upload = async (...names: string[]) => {
      const answer = await announce(names.map((filename) => ({ filename, size: 1 })));
      for (const link of atLeastOne(linksIn(answer))) expect((await toStorage(link, 'x')).status).toBe(200);
      const { status, headers, operation } = await endedUpload(answer.headers.location);
      return [status, headers.location, operation.result];
    };
    expect(await upload(old)).toEqual([303, pathOf(old), { status: 201 }]);
    expect(await upload(old)).toEqual([200, undefined, { status: 200 }]);
    expect(await upload(old, other)).toEqual([303, '/files', { status: 201 }]);
    expect(await upload(old, other)).toEqual([200, undefined, { status: 200 }]);
  });

  test('may have the largest allowed number of files', async () => {
    const prefix = unique('many');
    const answer = await announce(
      Array.from({ length: 100 }, (_, at) => ({ filename: `${prefix}-${at}`, size: 1 })),
    );
    const sent = await Promise.all(linksIn(answer).map((link) => toStorage(link, 'x')));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
    const end = await endedUpload(answer.headers.location);
    expect(end.operation).toMatchObject({
      status: 'Succeeded',
      progress: { done: 100, total: 100, failed: 0 },
    });
  }, 60_000);

  test('works with XML', async () => {
    const answer = await announce({ filename: unique('x'), size: 1 }, { Accept: 'application/xml' });
    expect(answer.status).toBe(202);
    expect(answer.text).toMatch(/<uploads><item><filename>.*<headers>.*<\/headers>.*<\/item><\/uploads>/);
  });

  test('returns the same links to a repeat with its key', async () => {
    const sent = { filename: unique('once'), size: 3 };
    const key = { 'Idempotency-Key': unique('key') };
    const first = await announce(sent, key);
    const again = await announce(sent, key);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([202, 'true']);
    expect(again.text).toBe(first.text);
    expectProblem(await announce({ ...sent, size: 4 }, key), 422);
  });
});

// Specification 5.15
describe('a multipart upload', () => {
  const manifest = (more = {}) => ({ filename: unique('parts'), size: large.length, ...more });

  test('becomes a file when it is complete and its digest matches', async () => {
    const sent = manifest({ digest: digestOf(large), contentType: 'application/zip' });
    const answer = await announce([sent]);
    const [link] = linksIn(answer);
    expect(link).toMatchObject({ partSize: 8 * MIB });
    expect(link?.parts.map(({ partNumber, size }) => [partNumber, size])).toEqual([
      ...Array.from({ length: 8 }, (_, at) => [at + 1, 8 * MIB]),
      [9, 1],
    ]);
    // The upload stops and later sends the missing parts.
    const begun = { ...(link as NonNullable<typeof link>), parts: link?.parts.slice(2, 5) ?? [] };
    await sendParts(begun, large);
    expectProblem(await get(pathOf(sent.filename)), 404);
    await sendParts(link as never, large);
    expect((await completeParts(link as never)).status).toBe(200);
    const end = await endedUpload(answer.headers.location);
    expect([end.status, end.headers.location]).toEqual([303, pathOf(sent.filename)]);
    expect(await listed(sent.filename)).toMatchObject({ size: large.length, digest: digestOf(large) });
    const got = await fetch((await get(pathOf(sent.filename))).headers.location as string);
    expect(got.headers.get('content-type')).toBe('application/zip');
    expect(Buffer.from(await got.arrayBuffer()).equals(large)).toBe(true);
  }, 60_000);

  test('with a wrong digest is removed, and its operation fails', async () => {
    const sent = manifest({ digest: digestOf('other') });
    const answer = await announce(sent);
    const [link] = linksIn(answer);
    await sendParts(link as never, large);
    expect((await completeParts(link as never)).status).toBe(200);
    const { operation, status } = await endedUpload(answer.headers.location);
    expect(status).toBe(200);
    expect(operation).toMatchObject({
      status: 'Failed',
      progress: { done: 0, total: 1, failed: 1 },
      error: { type: '/problems/validation-error', failures: [{ href: pathOf(sent.filename) }] },
    });
    expect(JSON.stringify(operation.error)).toContain(digestOf(large).slice('sha-256='.length));
    expectProblem(await get(pathOf(sent.filename)), 404);
    expect(await listed(sent.filename)).toBeUndefined();
  }, 60_000);

  test('with a missing part creates no file', async () => {
    const answer = await announce(manifest());
    const [link] = linksIn(answer);
    await sendParts({ ...(link as NonNullable<typeof link>), parts: link?.parts.slice(0, 8) ?? [] }, large);
    expect(await completeParts(link as never)).toMatchObject({ status: 400, code: 'InvalidRequest' });
    expect((await toStorage(link?.abort as never)).status).toBe(204);
    await send('DELETE', answer.headers.location as string);
  }, 60_000);

  test('that is canceled loses its parts', async () => {
    const sent = manifest();
    const answer = await announce([sent, { filename: unique('small'), size: 1 }]);
    const [link, small] = linksIn(answer);
    await toStorage(link?.parts[8] as never, 'x');
    const { location = '' } = answer.headers;
    expect((await send('DELETE', location)).status).toBe(202);
    expect((await endedUpload(location)).operation.status).toBe('Canceled');
    expect(await toStorage(link?.sent as never)).toMatchObject({ status: 404, code: 'NoSuchUpload' });
    // The service discards parts that arrive too late.
    expect((await toStorage(small as never, 'x')).status).toBe(200);
    const late = pathOf(small?.filename ?? '');
    for (let tries = 0; tries < 100 && (await get(late)).status !== 404; tries += 1)
      await new Promise((later) => setTimeout(later, 100));
    expectProblem(await get(late), 404);
    expect(await listed(small?.filename ?? '')).toBeUndefined();
    expectProblem(await send('DELETE', location), 409, 'operation-finished');
  }, 60_000);
});

describe('storage refuses an upload that was not announced:', () => {
  test.each<[string, string, Record<string, string>, number, string]>([
    ['a longer one', 'abcd', {}, 403, 'SignatureDoesNotMatch'],
    ['other bytes', 'abx', {}, 400, 'BadDigest'],
    ['another type', 'abc', { 'Content-Type': 'text/html' }, 403, 'SignatureDoesNotMatch'],
    ['additional metadata', 'abc', { 'x-amz-meta-x': '1' }, 403, 'AccessDenied'],
  ])('%s', async (_case, body, more, status, code) => {
    const sent = { filename: unique('refused'), size: 3, contentType: 'text/plain', digest: digestOf('abc') };
    const [link] = linksIn(await announce(sent));
    const headers = { ...link?.headers, ...more };
    expect(await toStorage({ ...(link as NonNullable<typeof link>), headers }, body)).toMatchObject({
      status,
      code,
    });
    expectProblem(await get(pathOf(sent.filename)), 404);
  });
});

// Specification 5.15
describe('preconditions of an upload', () => {
  const manifest = () => ({ filename: unique('condition'), size: 3 });

  test('are evaluated when the client requests the links', async () => {
    const sent = manifest();
    await put(pathOf(sent.filename), 'old');
    expectProblem(await announce(sent, { 'If-None-Match': '*' }), 412);
    expectProblem(await announce(sent, { 'If-Match': '"other"' }), 412);
    expectProblem(await announce(manifest(), { 'If-Match': '*' }), 412);
    expect((await announce(manifest(), { 'If-None-Match': '*' })).status).toBe(202);
  });

  test('are evaluated again when the bytes arrive', async () => {
    const sent = manifest();
    const { headers } = await put(pathOf(sent.filename), 'old');
    const answer = await announce(sent, { 'If-Match': headers.etag as string });
    const [replaced] = linksIn(answer);
    expect((await toStorage(replaced as never, 'abc')).status).toBe(200);
    expect((await endedUpload(answer.headers.location)).operation.status).toBe('Succeeded');
    expect((await get(pathOf(sent.filename))).text).toBe('abc');
    expect(await listed(sent.filename)).toMatchObject({ size: 3 });
  });
});

describe('a manifest with an error', () => {
  const size = 5;
  test.each<[string, unknown, readonly string[]]>([
    ['neither size nor content', [{ filename: 'never' }], ['/0/content']],
    ['a size of text', { items: [{ filename: 'never', size: '5' }] }, ['/items/0/size']],
    ['a negative size', { filename: 'never', size: -1 }, ['/size']],
    ['half a byte', { filename: 'never', size: 1.5 }, ['/size']],
    ['more than there can be', { filename: 'never', size: 5e12 + 1 }, ['/size']],
    [
      'more than there can be together',
      [
        { filename: 'never', size: 5e12 },
        { filename: 'never2', size },
      ],
      [''],
    ],
    ['no name', { items: [{ size }] }, ['/items/0/filename']],
    [
      'wrong names',
      [
        { filename: 'a/b', size },
        { filename: 'x', size },
        { filename: 'x', size },
      ],
      ['/0/filename', '/2/filename'],
    ],
    ['no media type', { filename: 'never', size, contentType: 'text' }, ['/contentType']],
    ['a range of media types', { filename: 'never', size, contentType: '*/*' }, ['/contentType']],
    ['no digest', { filename: 'never', size, digest: 'sha' }, ['/digest']],
    ['a digest that is not verified', { filename: 'never', size, digest: 'md5=:AAAA:' }, ['/digest']],
    ['a short digest', { filename: 'never', size, digest: 'sha-256=:AAAA:' }, ['/digest']],
    [
      'too much to be verified',
      { filename: 'never', size: 33 * 1024 ** 3, digest: digestOf('x') },
      ['/digest'],
    ],
    [
      'content for some',
      [
        { filename: 'never', content: 'eA==' },
        { filename: 'never2', size },
      ],
      ['/1/content'],
    ],
    ['too many', Array.from({ length: 101 }, (_, at) => ({ filename: `never-${at}`, size })), ['']],
    ['several', [{ filename: '.', size: null, digest: 1 }, 5], ['/0/size', '/0/digest', '/1', '/0/filename']],
  ])('gets 400: %s', async (_case, json, pointers) => {
    const answer = await announce(json);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  // Specification 5.15
  test('a direct PUT that is too large gets a link to the upload', async () => {
    const answer = await put(`/files/${unique('direct')}`, Buffer.alloc(4 * MIB + 1));
    expectProblem(answer, 413, 'payload-too-large');
    expect(answer.json()).toMatchObject({
      maximum: 4 * MIB,
      links: [{ rel: 'collection', href: '/files', method: 'POST' }],
    });
  });
});

test('a response can hold the links of a very large file', async () => {
  const answer = await announce({ filename: unique('huge'), size: 5e12 });
  expect(answer.status).toBe(202);
  const [link] = linksIn(answer);
  expect([link?.parts.length, link?.partSize]).toEqual([1000, 4769 * MIB]);
  expect(answer.bytes.length).toBeLessThan(6_000_000);
  expect((await send('DELETE', answer.headers.location as string)).status).toBe(202);
});

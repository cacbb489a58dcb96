import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { put } from '../../support/client/files.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

describe('PUT /files/{filename}', () => {
  // Specification 5.6
  test('gets 201 with Location and metadata, then 200', async () => {
    const name = unique('report');
    const path = `/files/${name}.txt`;
    const made = await put(path, 'one', { 'Content-Type': 'text/plain; charset=utf-8' });
    expect(made.status).toBe(201);
    expect(made.headers.location).toBe(path);
    expect(made.json()).toMatchObject({
      filename: `${name}.txt`,
      size: 3,
      contentType: 'text/plain; charset=utf-8',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      links: expect.any(Array),
    });
    const replaced = await put(path, 'four', { 'Content-Type': 'text/html' });
    expect(replaced.status).toBe(200);
    expect(replaced.json()).toMatchObject({ filename: `${name}.txt`, size: 4, contentType: 'text/html' });
    expect(replaced.json().createdAt).toBe(made.json().createdAt);
    const got = await get(path);
    expect(got.text).toBe('four');
    expect(got.headers['content-type']).toBe('text/html');
    expect(replaced.headers.etag).toBe(got.headers.etag);
    expect(made.headers.etag).not.toBe(replaced.headers.etag);
  });

  // Specification 3.1; RFC 9110 §8.8.1
  test('of the same bytes as another type makes another entity tag', async () => {
    const path = `/files/${unique('typed')}`;
    const made = await put(path, '<b>', { 'Content-Type': 'text/plain' });
    const before = String(made.headers.etag);
    const replaced = await put(path, '<b>', { 'Content-Type': 'text/html', 'If-Match': before });
    expect([replaced.status, replaced.headers.etag === before]).toEqual([200, false]);
    const got = await get(path, { 'If-None-Match': before });
    expect([got.status, got.headers['content-type']]).toEqual([200, 'text/html']);
    expect((await get(path, { 'If-None-Match': String(got.headers.etag) })).status).toBe(304);
    const ranged = { Range: 'bytes=0-0', 'If-Range': before };
    expect((await get(path, ranged)).status).toBe(200);
    expect((await get(path, { ...ranged, 'If-Range': String(got.headers.etag) })).status).toBe(206);
    expectProblem(await put(path, 'other', { 'If-Match': before }), 412);
    expectProblem(await send('DELETE', path, { headers: { 'If-Match': before } }), 412);
    const again = await put(path, '<b>', { 'Content-Type': 'text/plain' });
    expect(again.headers.etag).toBe(before);
  });

  // Specification 2.48
  test.each([
    [undefined, 'application/octet-stream'],
    ['image/x-whatever', 'image/x-whatever'],
    ['application/json', 'application/json'],
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
    ['text/plain;charset=iso-8859-1', 'text/plain;charset=iso-8859-1'],
  ])('with Content-Type %s stores the type %s', async (type, expected) => {
    const path = `/files/${unique('type')}`;
    expect((await put(path, '{not json', type === undefined ? {} : { 'Content-Type': type })).status).toBe(
      201,
    );
    const got = await get(path);
    expect(got.headers['content-type']?.replace('; ', ';')).toBe(expected);
    expect(got.text).toBe('{not json');
  });

  test('stores an empty file and a file with every byte', async () => {
    const path = `/files/${unique('empty')}`;
    expect((await put(path, '')).status).toBe(201);
    const empty = await get(path);
    expect([empty.status, empty.bytes.length, empty.headers['content-length']]).toEqual([200, 0, '0']);
    const bytes = Buffer.from(Array.from({ length: 1024 }, (_, at) => at % 256));
    expect((await put(path, bytes)).status).toBe(200);
    expect((await get(path)).bytes.equals(bytes)).toBe(true);
    expect((await put(path, '')).status).toBe(200);
    expect((await get(path)).bytes.length).toBe(0);
  });

  // Specification 5.6
  test('takes a chunked body', async () => {
    const path = `/files/${unique('chunked')}`;
    const answer = await put(path, 'chunked bytes', {
      'Transfer-Encoding': 'chunked',
      'Content-Length': undefined,
    });
    expect(answer.status).toBe(201);
    expect((await get(path)).text).toBe('chunked bytes');
  });

  // Specification 5.9, 5.15
  test('stores 4 MiB, and refuses a byte more with 413', async () => {
    const path = `/files/${unique('large')}`;
    const bytes = randomBytes(4 * 1024 * 1024);
    const answer = await put(path, bytes);
    expect(answer.status).toBe(201);
    expect(answer.json().size).toBe(bytes.length);
    const got = await get(path);
    expect(got.status).toBe(200);
    expect(got.bytes.equals(bytes)).toBe(true);
    const refused = await put(path, Buffer.concat([bytes, Buffer.from('x')]));
    expectProblem(refused, 413);
    expect(refused.text).toMatch(/4(\.\d+)? ?MiB|4194304|4,194,304/);
    const { instance: _, ...said } = refused.json();
    expect(JSON.stringify(said)).toMatch(/\/files(?![/\w])/);
    expect((await send('HEAD', path)).headers.etag).toBe(got.headers.etag);
  });

  // Specification 5.7
  test('with Content-Range gets 400', async () => {
    const path = `/files/${unique('part')}`;
    expectProblem(await put(path, 'part', { 'Content-Range': 'bytes 0-3/10' }), 400);
    expectProblem(await get(path), 404);
  });

  test.each(['text', '*/*', 'text/*'])('with the invalid Content-Type %s gets 415', async (type) => {
    const path = `/files/${unique('typed')}`;
    expectProblem(await put(path, 'text', { 'Content-Type': type }), 415);
    expectProblem(await get(path), 404);
  });

  // Specification 2.48
  test('with Content-Encoding gets 415', async () => {
    const path = `/files/${unique('encoded')}`;
    expectProblem(await put(path, 'zip', { 'Content-Encoding': 'gzip' }), 415);
    expectProblem(await get(path), 404);
  });

  // Specification 4.21, 4.22
  test('ignores an unknown query parameter, but DELETE with one gets 400', async () => {
    const path = `/files/${unique('query')}`;
    expect((await put(`${path}?x=1`, 'x')).status).toBe(201);
    expectProblem(await send('DELETE', `${path}?x=1`), 400, 'validation-error');
    expect((await get(`${path}?x=1`)).status).toBe(200);
  });
});

describe('GET and HEAD of a file', () => {
  // Specification 5.13, C.100
  test('return the same header fields', async () => {
    const path = `/files/${unique('head')}`;
    await put(path, 'twelve bytes', { 'Content-Type': 'text/plain' });
    const [got, head] = [await get(path), await send('HEAD', path)];
    expect(head.bytes.length).toBe(0);
    expect(head.headers['content-length']).toBe('12');
    expect(got.headers['accept-ranges']).toBe('bytes');
    // A response to HEAD has no content to digest, but a cache in front answers HEAD from its GET.
    const changing = { date: '', 'last-modified': '', 'content-digest': '' };
    expect({ ...head.headers, ...changing }).toEqual({ ...got.headers, ...changing });
  });

  // Specification 5.5
  test('return the stored bytes, whatever Accept says', async () => {
    const path = `/files/${unique('accept')}`;
    await put(path, 'bytes', { 'Content-Type': 'text/plain' });
    for (const accept of ['application/json', 'text/html', 'image/png', 'text/plain;q=0', '*/*']) {
      const answer = await get(path, { Accept: accept });
      expect([answer.status, answer.text]).toEqual([200, 'bytes']);
    }
  });

  // Specification 5.21
  test.each([
    ['text/html', true],
    ['image/svg+xml', true],
    ['application/xml', true],
    ['text/xml', true],
    ['application/xhtml+xml', true],
    ['TEXT/HTML; charset=utf-8', true],
    ['text/plain', false],
    ['image/png', false],
  ])('serve %s safely', async (type, attachment) => {
    const path = `/files/${unique('safe')}`;
    await put(path, '<script>alert(1)</script>', { 'Content-Type': type });
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await send(method, path);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toMatch(/sandbox/);
      if (attachment) expect(headers['content-disposition']).toMatch(/^attachment/);
    }
    const part = await get(path, { Range: 'bytes=0-3' });
    expect(part.headers['x-content-type-options']).toBe('nosniff');
    if (attachment) expect(part.headers['content-disposition']).toMatch(/^attachment/);
  });

  test('write a strange filename safely in Content-Disposition', async () => {
    const name = `${unique('q')}"; evil="1\u00FC.html`;
    const path = `/files/${encodeURIComponent(name)}`;
    await put(path, '<p>', { 'Content-Type': 'text/html' });
    const disposition = (await get(path)).headers['content-disposition'] ?? '';
    expect(disposition).toMatch(/^attachment/);
    expect(disposition.replace(/"(\\.|[^"\\])*"/g, '')).not.toContain('evil=');
  });

  test('get 404 if the file is missing', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE'])
      expectProblem(await send(method, `/files/${unique('no')}`), 404);
  });
});

// Specification C.114, 15.7
test('DELETE gets 204 without a body, then 404', async () => {
  const path = `/files/${unique('gone')}`;
  await put(path, 'x');
  const answer = await send('DELETE', path);
  expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
  expectProblem(await send('DELETE', path), 404);
  expectProblem(await get(path), 404);
  expect((await put(path, 'again')).status).toBe(201);
});

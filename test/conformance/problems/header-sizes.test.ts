import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const typeOf = (bytes: number) => `text/plain;x="${'y'.repeat(bytes - 15)}"`;

/** One file in each kind of body that POST /files takes. */
const bodies: readonly (readonly [
  string,
  (filename: string, type: string) => { type: string; body: string },
])[] = [
  [
    'an array',
    (filename, contentType) => ({
      type: 'application/json',
      body: JSON.stringify([{ filename, contentType, content: '' }]),
    }),
  ],
  [
    'items',
    (filename, contentType) => ({
      type: 'application/json',
      body: JSON.stringify({ items: [{ filename, contentType, content: '' }] }),
    }),
  ],
  [
    'a manifest',
    (filename, contentType) => ({
      type: 'application/json',
      body: JSON.stringify([{ filename, contentType, size: 1 }]),
    }),
  ],
  [
    'one upload',
    (filename, contentType) => ({
      type: 'application/json',
      body: JSON.stringify({ filename, contentType, size: 1 }),
    }),
  ],
  [
    'a form',
    (filename, contentType) => ({
      type: 'multipart/form-data; boundary=b',
      body: `--b\r\nContent-Disposition: form-data; name="f"; filename="${filename}"\r\nContent-Type: ${contentType}\r\n\r\nx\r\n--b--\r\n`,
    }),
  ],
];

describe('the media type of a file', () => {
  test('has at most 255 bytes in PUT', async () => {
    const path = `/files/${unique('type')}`;
    const answer = await send('PUT', path, { body: 'x', headers: { 'Content-Type': typeOf(256) } });
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toEqual([{ header: 'Content-Type', detail: 'must have at most 255 bytes' }]);
    expect((await get(path)).status).toBe(404);
    expect((await send('PUT', path, { body: 'x', headers: { 'Content-Type': typeOf(255) } })).status).toBe(
      201,
    );
    const read = await get(path);
    expect({ status: read.status, type: read.headers['content-type'] }).toEqual({
      status: 200,
      type: typeOf(255),
    });
  });

  test('has at most 255 bytes in PUT of an image', async () => {
    const { path } = await create('/products', { name: 'x' });
    const put = (type: string) =>
      send('PUT', `${path}?fields=productImage`, { body: 'x', headers: { 'Content-Type': type } });
    expectProblem(await put(`image/png;x="${'y'.repeat(300)}"`), 400, 'validation-error');
    expect((await put('image/png')).status).toBe(201);
  });

  test.each(bodies)('has at most 255 bytes in POST of %s', async (_, bodyOf) => {
    const filename = unique('type');
    const { type, body } = bodyOf(filename, typeOf(20_000));
    const answer = await send('POST', '/files', { body, headers: { 'Content-Type': type } });
    expectProblem(answer, 400);
    expect(answer.json().errors).toEqual([
      expect.objectContaining({ detail: expect.stringContaining('must have at most 255 bytes') }),
    ]);
    const [fault] = answer.json().errors;
    expect(fault?.pointer ?? fault?.header).toMatch(/contentType$|^Content-Type$/);
    expect((await get(`/files/${filename}`)).status).toBe(404);
    const longest = bodyOf(filename, typeOf(255));
    expect([201, 202]).toContain(
      (await send('POST', '/files', { body: longest.body, headers: { 'Content-Type': longest.type } }))
        .status,
    );
  });
});

describe('header fields of a response', () => {
  test('stay small if filenames are long', async () => {
    for (const name of ['n'.repeat(255), '😀'.repeat(63), "'".repeat(255), '%'.repeat(255)]) {
      const path = `/files/${encodeURIComponent(name)}`;
      for (const type of ['text/plain', 'text/html', typeOf(255)]) {
        expect(
          (await send('PUT', path, { body: 'x', headers: { 'Content-Type': type } })).status,
        ).toBeLessThan(300);
        for (const method of ['GET', 'HEAD']) expect((await send(method, path)).status).toBe(200);
        expect((await get(path, { Range: 'bytes=0-0' })).status).toBe(206);
      }
      expect((await send('DELETE', path)).status).toBe(204);
      const body = JSON.stringify([{ filename: name, content: '' }]);
      const several = await send('POST', '/files', { body, headers: { 'Content-Type': 'application/json' } });
      expect(several.status).toBe(201);
      expect((await get('/files?limit=1')).status).toBe(200);
    }
  });

  test('leave out links that long list parameters make too long', async () => {
    for (const [at, path] of ['/members', '/orders', '/products', '/customers'].entries()) {
      await create(path, path === '/orders' ? { productId: 1, orderValue: 1 } : { name: `x${at}` });
      const fields = Array.from({ length: 700 }, () => 'createdAt').join(',');
      const answer = await get(`${path}?limit=1&fields=${fields}`);
      expect(answer.status).toBe(200);
      expect(answer.json().links.map(({ rel }) => rel)).toContain('first');
    }
  });

  test('stay small if preferences are long', async () => {
    const long = '0'.repeat(8000);
    for (const Prefer of [
      `wait=${long}1`,
      `max-affected=${long}1`,
      `return=${long}`,
      `handling=${long}`,
      `count=${long}`,
    ])
      for (const [method, path] of [
        ['GET', '/members?limit=1'],
        ['DELETE', '/members/1'],
        ['POST', '/members'],
      ] as const)
        expect((await send(method, path, { headers: { Prefer } })).status).toBeLessThan(500);
  });

  test('stay small if entity tags and keys are long', async () => {
    const { path } = await create('/members', { name: 'x' });
    for (const headers of [
      { 'If-Match': `"${'t'.repeat(8000)}"` },
      { 'If-None-Match': `"${'t'.repeat(8000)}"` },
      { Range: `bytes=${'0'.repeat(8000)}-1` },
      { Accept: `application/json;x="${'a'.repeat(8000)}"` },
      { Origin: `https://${'o'.repeat(8000)}.example` },
    ])
      expect((await get(path, headers)).status).toBeLessThan(500);
    const keyed = await send('POST', '/members', {
      json: { name: 'x' },
      headers: { 'Idempotency-Key': 'k'.repeat(8000) },
    });
    expect(keyed.status).toBeLessThan(500);
  });
});

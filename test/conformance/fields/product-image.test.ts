import { describe, expect, test } from '@jest/globals';
import type { Answer, SentRequest } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { type Created, create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const imageOf = ({ path }: Created) => `${path}?fields=productImage`;
const put = (
  path: string,
  body: Buffer | string,
  headers: SentRequest['headers'] = { 'Content-Type': 'image/png' },
): Promise<Answer> => send('PUT', path, { body, headers });
const product = () => create('/products', { name: unique('product'), price: 5 });

// Specification C.34, 2.26
describe('the image of a product', () => {
  test('is stored by PUT and served with its own Content-Type, ETag and ranges', async () => {
    const one = await product();
    const path = imageOf(one);
    expectProblem(await get(path), 404);
    expectProblem(await send('HEAD', path), 404);
    const stored = await put(path, PNG);
    // The image is new: 201. It is a part of an existing product, so 200 and 204 are right too.
    expect([200, 201, 204]).toContain(stored.status);
    const got = await get(path);
    expect(got.status).toBe(200);
    expect(got.bytes.equals(PNG)).toBe(true);
    expect(got.headers['content-type']).toBe('image/png');
    expect(got.headers['accept-ranges']).toBe('bytes');
    expect(got.headers.etag).toMatch(/^"/);
    expect(got.headers.etag).not.toBe((await get(one.path)).headers.etag);
    expect(got.headers['x-content-type-options']).toBe('nosniff');
    const head = await send('HEAD', path);
    expect(head.bytes.length).toBe(0);
    // HEAD has no content to digest, and the second of a change has no date yet.
    const changing = { date: undefined, 'content-digest': undefined, 'last-modified': undefined };
    expect({ ...head.headers, ...changing }).toEqual({ ...got.headers, ...changing });
    const part = await get(path, { Range: 'bytes=1-3' });
    expect([part.status, part.text]).toEqual([206, 'PNG']);
  });

  test('can be replaced by another type, whatever Accept says', async () => {
    const path = imageOf(await product());
    await put(path, PNG);
    const before = (await get(path)).headers.etag;
    expect([200, 204]).toContain((await put(path, 'GIF89a', { 'Content-Type': 'image/gif' })).status);
    const got = await get(path, { Accept: 'application/json' });
    if (got.status !== 406)
      expect([got.status, got.text, got.headers['content-type']]).toEqual([200, 'GIF89a', 'image/gif']);
    expect((await get(path)).headers.etag).not.toBe(before);
    expect((await get(path, { 'If-None-Match': before })).status).toBe(200);
  });

  // The representation links the image only while the image exists.
  test('has a link in the product', async () => {
    const one = await product();
    const hrefs = async () => (await get(one.path)).json().links.map(({ href }) => href);
    expect(await hrefs()).not.toContain(imageOf(one));
    await put(imageOf(one), PNG);
    expect(await hrefs()).toContain(imageOf(one));
    await send('DELETE', imageOf(one));
    expect(await hrefs()).not.toContain(imageOf(one));
  });

  // Specification 2.27
  test('is removed by DELETE, which leaves the product', async () => {
    const one = await product();
    await put(imageOf(one), PNG);
    const answer = await send('DELETE', imageOf(one));
    expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
    expectProblem(await get(imageOf(one)), 404);
    expectProblem(await send('DELETE', imageOf(one)), 404);
    const got = await get(one.path);
    expect(got.status).toBe(200);
    expect(got.json()).toMatchObject({ name: one.answer.json().name, price: 5 });
  });

  test('goes with its product, and the next product has none', async () => {
    const one = await product();
    await put(imageOf(one), PNG);
    expect((await send('DELETE', one.path)).status).toBe(204);
    expectProblem(await get(imageOf(one)), 404);
    expectProblem(await get(imageOf(await product())), 404);
  });

  test('stays when the product changes', async () => {
    const one = await product();
    await put(imageOf(one), PNG);
    expect((await send('PUT', one.path, { json: { name: 'other' } })).status).toBe(200);
    expect(
      (
        await send('PATCH', one.path, {
          json: { name: 'third' },
          headers: { 'Content-Type': 'application/merge-patch+json' },
        })
      ).status,
    ).toBe(200);
    expect((await get(imageOf(one))).bytes.equals(PNG)).toBe(true);
    expect((await get(one.path)).json().name).toBe('third');
  });

  // Specification 2.27
  test.each(['text/html', 'application/json', 'application/octet-stream', 'image/*', undefined])(
    'cannot be %s: 415',
    async (type) => {
      const one = await product();
      const answer = await put(
        imageOf(one),
        '{"name":"x"}',
        type === undefined ? {} : { 'Content-Type': type },
      );
      expectProblem(answer, 415);
      expect(answer.headers.accept).toMatch(/image\//);
      expectProblem(await get(imageOf(one)), 404);
      expect((await get(one.path)).headers.etag).toBe(one.etag);
    },
  );

  // Specification 2.27
  test('has at most 4 MiB, and a byte more gets 413', async () => {
    const path = imageOf(await product());
    const bytes = Buffer.alloc(4 * 1024 * 1024, 7);
    expect([200, 201, 204]).toContain((await put(path, bytes)).status);
    expectProblem(await put(path, Buffer.concat([bytes, PNG])), 413);
    expect((await get(path)).bytes.equals(bytes)).toBe(true);
  });

  // Specification 2.28
  test('is served in a sandbox if it is SVG', async () => {
    const path = imageOf(await product());
    await put(path, '<svg xmlns="http://www.w3.org/2000/svg"/>', { 'Content-Type': 'image/svg+xml' });
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await send(method, path);
      expect(headers['content-type']).toBe('image/svg+xml');
      expect(headers['content-security-policy']).toMatch(/sandbox/);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  // Specification 4.20
  test.each(['GET', 'HEAD', 'PUT', 'DELETE'])(
    'gets 400 for %s if fields names other properties too',
    async (method) => {
      const one = await product();
      await put(imageOf(one), PNG);
      const headers = { 'Content-Type': 'image/png' };
      for (const fields of ['productImage,name', 'name,productImage', 'price%2CproductImage']) {
        const answer = await send(
          method,
          `${one.path}?fields=${fields}`,
          method === 'PUT' ? { body: PNG, headers } : {},
        );
        expectProblem(answer, 400, 'validation-error');
      }
      expect((await get(imageOf(one))).status).toBe(200);
      expect((await get(one.path)).status).toBe(200);
    },
  );

  // Specification 4.22: the whole product is not the target.
  test('gets 400 for DELETE with other fields, and the product stays', async () => {
    const one = await product();
    for (const fields of ['name', '', 'price', 'id'])
      expectProblem(await send('DELETE', `${one.path}?fields=${fields}`), 400, 'validation-error');
    expect((await get(one.path)).headers.etag).toBe(one.etag);
  });

  test('has a link exactly if it exists, after concurrent PUTs and DELETEs', async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = await product();
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          at % 2 === 0 ? put(imageOf(one), `image ${at}`) : send('DELETE', imageOf(one)),
        ),
      );
      for (const { status } of answers) expect([200, 201, 204, 404, 409, 412, 503]).toContain(status);
      const links = (await get(one.path)).json().links.filter(({ href }) => href === imageOf(one));
      expect(links).toHaveLength((await get(imageOf(one))).status === 200 ? 1 : 0);
    }
  });

  // A patch does not fit an image: 400, 405 and 415 are right. The product stays as it is.
  test('refuses PATCH', async () => {
    const one = await product();
    const answer = await send('PATCH', imageOf(one), {
      json: { name: 'patched' },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    expect([400, 405, 415]).toContain(answer.status);
    expectProblem(answer, answer.status);
    expect((await get(one.path)).headers.etag).toBe(one.etag);
  });

  test('of a missing product gets 404', async () => {
    const path = '/products/4000000000000?fields=productImage';
    for (const method of ['GET', 'HEAD', 'DELETE']) expectProblem(await send(method, path), 404);
    for (const condition of ['"x"', '*'])
      expectProblem(await put(path, 'png', { 'Content-Type': 'image/png', 'If-Match': condition }), 404);
    expectProblem(await put(path, PNG), 404);
    expectProblem(await get('/members/1?fields=productImage'), 404);
  });

  // Specification 3.5
  test('has conditional PUT and DELETE', async () => {
    const path = imageOf(await product());
    const type = { 'Content-Type': 'image/png' };
    const statuses = (
      await Promise.all(Array.from({ length: 8 }, () => put(path, PNG, { ...type, 'If-None-Match': '*' })))
    ).map(({ status }) => status);
    expect(statuses.filter((status) => status === 412)).toHaveLength(7);
    const { etag } = (await get(path)).headers;
    expectProblem(await put(path, 'x', { ...type, 'If-Match': '"other"' }), 412);
    expect([200, 204]).toContain((await put(path, 'new', { ...type, 'If-Match': etag })).status);
    expectProblem(await send('DELETE', path, { headers: { 'If-Match': etag } }), 412);
    expect((await get(path)).text).toBe('new');
    const now = (await get(path)).headers.etag;
    expect((await send('DELETE', path, { headers: { 'If-Match': now } })).status).toBe(204);
  });
});

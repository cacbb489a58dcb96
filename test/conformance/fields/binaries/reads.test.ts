import { describe, expect, test } from '@jest/globals';
import { MERGE_PATCH } from '../../../support/client/patches.ts';
import { expectProblem } from '../../../support/client/problem.ts';
import { dated, get, send, underTest } from '../../../support/service/under-test.ts';
import { bytesAt, FACTS, member, PNG, shownIn, withPhoto } from './photos.ts';

underTest();

// Specification 2.21, 2.23
describe('a representation shows a binary property', () => {
  test('with the address, the type, the size and the digest of its bytes', async () => {
    const one = await withPhoto();
    expect(await shownIn(one)).toEqual({ href: `/members/${one.id}?fields=photo`, ...FACTS });
    const got = await get(bytesAt(one));
    const { digest } = (await shownIn(one)) as { digest: string };
    expect(got.headers['repr-digest']).toBe(digest);
  });

  test('in lists', async () => {
    const one = await withPhoto();
    const { items } = (await get('/members?sort=-createdAt&limit=100')).json();
    expect(items.find(({ id }) => id === one.id)?.photo).toMatchObject(FACTS);
  });

  test('in XML', async () => {
    const one = await withPhoto();
    const { text } = await get(one.path, { Accept: 'application/xml' });
    expect(text).toContain(`<photo><href>/members/${one.id}?fields=photo</href><contentType>image/png<`);
  });

  test('only if it has bytes', async () => {
    expect(await shownIn(await member())).toBeUndefined();
  });
});

// Specification 2.26, D.5
describe('GET of a binary property', () => {
  test('returns the bytes with type, entity tag, time and ranges of their own', async () => {
    const one = await withPhoto();
    const got = await dated(bytesAt(one));
    expect([got.status, got.headers['content-type']]).toEqual([200, 'image/png']);
    expect(got.bytes.equals(PNG)).toBe(true);
    // The bytes came soon after the item.
    const age = Date.parse(one.answer.json().createdAt) - Date.parse(got.headers['last-modified'] ?? '');
    expect(Math.abs(age)).toBeLessThan(10_000);
    expect(got.headers['accept-ranges']).toBe('bytes');
    const head = await send('HEAD', bytesAt(one));
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([
      200,
      String(PNG.length),
      0,
    ]);
    const part = await get(bytesAt(one), { Range: 'bytes=1-3' });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([
      206,
      'PNG',
      `bytes 1-3/${PNG.length}`,
    ]);
    expect((await get(bytesAt(one), { 'If-None-Match': got.headers.etag })).status).toBe(304);
    expect((await get(bytesAt(one), { Range: `bytes=${PNG.length}-` })).status).toBe(416);
  });

  test('without bytes gets 404', async () => {
    const one = await member();
    for (const method of ['GET', 'HEAD', 'DELETE']) expectProblem(await send(method, bytesAt(one)), 404);
    expectProblem(await get('/members/4000000000000?fields=photo'), 404);
  });

  // Specification 4.20
  test('together with other properties gets 400', async () => {
    const one = await withPhoto();
    expectProblem(await get(`${one.path}?fields=photo,name`), 400, 'validation-error');
    expectProblem(await get(`${one.path}?fields=name&fields=photo`), 400, 'validation-error');
  });

  test('describes its methods in Allow', async () => {
    const { path } = await member();
    expect((await send('OPTIONS', `${path}?fields=photo`)).headers.allow).toBe(
      'GET, HEAD, PUT, DELETE, OPTIONS',
    );
    expect((await send('PATCH', `${path}?fields=photo`, { body: '{}', headers: MERGE_PATCH })).status).toBe(
      405,
    );
  });
});

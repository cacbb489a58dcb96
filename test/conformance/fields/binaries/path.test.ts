import { beforeAll, describe, expect, test } from '@jest/globals';
import { create, get, send, underTest } from '../../../support/service/under-test.ts';

underTest();

const PNG = { 'Content-Type': 'image/png' };

let item = '';
beforeAll(async () => {
  item = (await create('/products', { name: 'Mug', price: 14.5 })).path;
  const { status, headers } = await send('PUT', `${item}/productImage`, { body: 'image', headers: PNG });
  expect([status, headers.location]).toEqual([201, `${item}?fields=productImage`]);
  expect(headers).not.toHaveProperty('content-location');
});

// Specification 2.26
describe('the path of a binary property', () => {
  test('has the bytes, with the address in links as Content-Location', async () => {
    const own = await get(`${item}/productImage`);
    expect([own.status, own.text]).toEqual([200, 'image']);
    expect(own.headers['content-location']).toBe(`${item}?fields=productImage`);
    const linked = await get(`${item}?fields=productImage`);
    expect(linked.headers).not.toHaveProperty('content-location');
    for (const name of ['etag', 'content-type', 'last-modified', 'repr-digest'])
      expect([name, own.headers[name]]).toEqual([name, linked.headers[name]]);
  });

  test('has ranges, conditions and HEAD', async () => {
    const part = await get(`${item}/productImage`, { Range: 'bytes=1-2' });
    expect([part.status, part.text]).toEqual([206, 'ma']);
    const current = await get(`${item}/productImage`, { 'If-None-Match': part.headers.etag ?? '' });
    expect([current.status, current.headers['content-location']]).toEqual([
      304,
      `${item}?fields=productImage`,
    ]);
    const head = await send('HEAD', `${item}/productImage`);
    expect([head.status, head.headers['content-length']]).toEqual([200, '5']);
    const stale = await send('PUT', `${item}/productImage`, {
      body: 'other',
      headers: { ...PNG, 'If-Match': '"stale"' },
    });
    expect([stale.status, stale.headers['content-location']]).toEqual([412, undefined]);
    expect(stale.json()).toMatchObject({ instance: `${item}/productImage` });
  });

  test('has the methods of the bytes', async () => {
    const { headers } = await send('OPTIONS', `${item}/productImage`);
    expect(headers.allow).toBe('GET, HEAD, PUT, DELETE, OPTIONS');
    const post = await send('POST', `${item}/productImage`, { body: 'x', headers: PNG });
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, PUT, DELETE, OPTIONS']);
  });

  test('takes no other fields, and leads from a slash at its end', async () => {
    expect((await get(`${item}/productImage?fields=name`)).status).toBe(400);
    const slash = await get(`${item}/productImage/`);
    expect([slash.status, slash.headers.location]).toEqual([308, `${item}?fields=productImage`]);
  });

  test('has the bytes of a version', async () => {
    const version = `${item}/versions/1/productImage`;
    expect((await get(version)).status).toBe(404);
    await send('PATCH', item, {
      json: { name: 'Cup' },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    const past = await get(`${item}/versions/2/productImage`);
    expect([past.status, past.text]).toEqual([200, 'image']);
    expect(past.headers['content-location']).toBe(`${item}/versions/2?fields=productImage`);
  });

  test('stores bytes later', async () => {
    const accepted = await send('PUT', `${item}/productImage`, {
      body: 'later',
      headers: { ...PNG, Prefer: 'respond-async' },
    });
    expect(accepted.status).toBe(202);
    const done = await get(accepted.headers.location ?? '', { Prefer: 'wait=20' });
    expect(done.json().status).toBe('Succeeded');
    expect((await get(`${item}/productImage`)).text).toBe('later');
  });

  test('is gone with the bytes, as is the one of an unknown property', async () => {
    expect((await send('DELETE', `${item}/productImage`)).status).toBe(204);
    expect((await get(`${item}/productImage`)).status).toBe(404);
    expect((await get(`${item}/name`)).status).toBe(404);
  });
});

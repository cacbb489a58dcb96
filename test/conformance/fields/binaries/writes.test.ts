import { describe, expect, test } from '@jest/globals';
import { MERGE_PATCH } from '../../../support/client/patches.ts';
import { expectProblem } from '../../../support/client/problem.ts';
import { create, get, send, underTest } from '../../../support/service/under-test.ts';
import { bytesAt, FACTS, GIF, member, PNG, put, TYPE } from './photos.ts';

underTest();

// Specification 2.27
describe('PUT of a binary property', () => {
  test('creates and replaces the bytes, and changes the item', async () => {
    const one = await member();
    const created = await put(bytesAt(one));
    expect([created.status, created.headers.location]).toEqual([201, `/members/${one.id}?fields=photo`]);
    expect(created.json()).toMatchObject({ id: one.id, photo: FACTS });
    const before = (await get(one.path)).headers.etag;
    const replaced = await put(bytesAt(one), GIF, { 'Content-Type': 'image/gif' });
    expect(replaced.status).toBe(200);
    expect(replaced.headers.etag).toBe((await get(bytesAt(one))).headers.etag);
    expect((await get(one.path)).headers.etag).not.toBe(before);
    expect((await get(bytesAt(one))).bytes.equals(GIF)).toBe(true);
  });

  test('takes at most 4 MiB and only its media type', async () => {
    const one = await member();
    expectProblem(await put(bytesAt(one), Buffer.alloc(4 * 1024 * 1024 + 1)), 413);
    for (const type of ['text/plain', 'application/json'])
      expectProblem(await put(bytesAt(one), PNG, { 'Content-Type': type }), 415);
    for (const headers of [{}, { 'Content-Type': 'application/octet-stream' }])
      expectProblem(await put(bytesAt(one), Buffer.from('no picture'), headers), 415);
    expect((await get(one.path)).headers.etag).toBe(one.etag);
  });

  // Specification 2.48
  test('takes the media type from the first bytes if the client does not know it', async () => {
    for (const headers of [{}, { 'Content-Type': 'application/octet-stream' }]) {
      const one = await member();
      expect((await put(bytesAt(one), GIF, headers)).json().photo).toMatchObject({
        contentType: 'image/gif',
      });
      expect((await get(bytesAt(one))).headers['content-type']).toBe('image/gif');
    }
  });

  // Specification 4.22
  test('does nothing for a name that is not that of a binary property', async () => {
    const one = await member();
    for (const name of ['name', 'Photo', 'photo,name', 'createdAt']) {
      const answer = await send('PUT', `${one.path}?fields=${name}`, { json: { name: 'Other' } });
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toMatchObject([{ parameter: 'fields' }]);
    }
    expect((await get(one.path)).headers.etag).toBe(one.etag);
    const order = await create('/orders', { productId: 1, orderValue: 1, quantity: 2 });
    expectProblem(await send('PUT', `${order.path}?fields=quantity`, { json: { productId: 1 } }), 400);
    expect((await get(order.path)).headers.etag).toBe(order.etag);
  });

  // Specification 3.5
  test('with a precondition succeeds once among concurrent requests', async () => {
    const one = await member();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => put(bytesAt(one), PNG, { ...TYPE, 'If-None-Match': '*' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412, 412, 412]);
    const { etag } = (await get(bytesAt(one))).headers;
    expectProblem(await put(bytesAt(one), GIF, { ...TYPE, 'If-Match': '"x"' }), 412);
    expect((await put(bytesAt(one), GIF, { ...TYPE, 'If-Match': etag })).status).toBe(200);
    expectProblem(await send('DELETE', bytesAt(one), { headers: { 'If-Match': etag } }), 412);
  });

  test('does not disturb concurrent changes of the item', async () => {
    const one = await member();
    const answers = await Promise.all([
      put(bytesAt(one)),
      send('PATCH', one.path, { json: { age: 5 }, headers: MERGE_PATCH }),
      put(bytesAt(one, 'scan')),
      send('PATCH', one.path, { json: { email: 'a@b.c' }, headers: MERGE_PATCH }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 200]);
    expect((await get(one.path)).json()).toMatchObject({ age: 5, email: 'a@b.c', photo: FACTS, scan: FACTS });
  });

  test('runs as an operation', async () => {
    const one = await member();
    const accepted = await put(bytesAt(one), PNG, { ...TYPE, Prefer: 'respond-async, wait=10' });
    expect([201, 202]).toContain(accepted.status);
    for (let left = 100; left > 0 && (await get(bytesAt(one))).status !== 200; left -= 1)
      await new Promise((done) => setTimeout(done, 50));
    expect((await get(bytesAt(one))).bytes.equals(PNG)).toBe(true);
  });
});

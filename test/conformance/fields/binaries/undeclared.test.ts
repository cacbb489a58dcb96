import { describe, expect, test } from '@jest/globals';
import { form } from '../../../support/client/form.ts';
import { MERGE_PATCH } from '../../../support/client/patches.ts';
import { expectProblem } from '../../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../../support/service/under-test.ts';
import { bytesAt, FACTS, GIF, member, PNG, put, SVG, shownIn } from './photos.ts';

underTest();

// Specification D.5, 2.28
describe('an undeclared binary property', () => {
  test.each(['/members', '/customers', '/products'])(
    'of %s is created, read, replaced and removed',
    async (list) => {
      const one = await create(list, { name: unique('item') });
      const path = bytesAt(one, 'scan');
      expect((await put(path, SVG, { 'Content-Type': 'image/svg+xml' })).status).toBe(201);
      expect(await shownIn(one, 'scan')).toMatchObject({ href: path, contentType: 'image/svg+xml' });
      const got = await get(path, { Accept: 'image/*' });
      expect([got.status, got.text]).toEqual([200, SVG.toString()]);
      expect(got.headers).toMatchObject({
        'content-type': 'image/svg+xml',
        'content-security-policy': expect.stringContaining('sandbox'),
        'content-disposition': 'attachment',
        'x-content-type-options': 'nosniff',
      });
      expect((await get(path, { Range: 'bytes=0-3' })).text).toBe('<svg');
      expect((await put(path, Buffer.from('x'), { 'Content-Type': 'text/plain' })).status).toBe(200);
      expect((await send('DELETE', path)).status).toBe(204);
      expectProblem(await send('DELETE', path), 404);
      expect(await shownIn(one, 'scan')).toBeUndefined();
    },
  );

  // Specification 2.49
  test('with the name __proto__ stays in the item', async () => {
    const one = await create('/members', { name: unique('m') });
    const path = bytesAt(one, '__proto__');
    expect((await put(path)).status).toBe(201);
    expect((await get(one.path)).text).toContain(`"__proto__":{"href":"${path}"`);
    expect((await send('PATCH', one.path, { json: { age: 3 }, headers: MERGE_PATCH })).status).toBe(200);
    expect((await get(path)).bytes.equals(PNG)).toBe(true);
  });

  test('of an order is created', async () => {
    const order = await create('/orders', { productId: 1, orderValue: 5 });
    expect(
      (await put(bytesAt(order, 'invoice'), Buffer.from('%PDF'), { 'Content-Type': 'application/pdf' }))
        .status,
    ).toBe(201);
    expect((await get(order.path)).json()).toMatchObject({
      status: 'created',
      orderValue: 5,
      invoice: { size: 4 },
    });
    expect((await get(bytesAt(order, 'invoice'))).text).toBe('%PDF');
  });

  test('replaces a value of the same name, and a value replaces it', async () => {
    const one = await create('/members', { name: 'a', note: 'text', other: 1 });
    expect((await put(bytesAt(one, 'note'))).status).toBe(201);
    expect((await get(one.path)).json()).toMatchObject({ note: FACTS, other: 1 });
    await send('PATCH', one.path, { json: { note: 'again' }, headers: MERGE_PATCH });
    expect(await shownIn(one, 'note')).toBe('again');
    expect((await get(bytesAt(one, 'note'))).json().note).toBe('again');
  });

  test('together with other properties gets 400', async () => {
    const one = await member();
    await put(bytesAt(one, 'scan'));
    expectProblem(await get(`${one.path}?fields=scan,name`), 400, 'validation-error');
    expect((await get(`${one.path}?fields=nothing,name`)).status).toBe(200);
  });

  test('has a name that a property can have', async () => {
    const one = await member();
    for (const name of ['name', 'id', 'createdAt', 'links', 'a%20b', '7a'])
      expect([400, 415]).toContain((await put(bytesAt(one, name))).status);
    for (const name of ['__proto__', 'constructor', 'toJSON', 'then', 'kind']) {
      expect((await put(bytesAt(one, name))).status).toBe(201);
      expect((await get(bytesAt(one, name))).bytes.equals(PNG)).toBe(true);
    }
    expect(Object.keys((await get(one.path)).json())).toEqual(
      expect.arrayContaining(['constructor', 'then']),
    );
  });

  test('is one of at most 50', async () => {
    const one = await member();
    for (let at = 0; at < 50; at += 1) await put(bytesAt(one, `scan${at}`), GIF);
    expectProblem(await put(bytesAt(one, 'more')), 409);
    expect((await put(bytesAt(one, 'scan7'))).status).toBe(200);
    const json = { name: 'x', photo: 'data:image/png;base64,AAAA' };
    expect((await send('PUT', one.path, { json })).status).toBe(200);
    expect((await send('POST', one.path, { json: { age: 3 } })).status).toBe(200);
    expectProblem(
      await send('POST', one.path, form({ name: 'scan51', filename: 'a.txt', content: 'x' })),
      409,
    );
  });
});

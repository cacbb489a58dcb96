import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { linkOf } from '../../support/client/walk.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** A cursor that the service never issued, with the digest that anyone can compute. */
function forged(identity: unknown[], payload: unknown): string {
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  const digest = createHash('sha256')
    .update(JSON.stringify(identity))
    .update('\n')
    .update(text)
    .digest('base64url');
  return text + digest.slice(0, 16);
}

const key = (...bytes: number[]) => Buffer.from(bytes).toString('base64url');

describe('a forged cursor', () => {
  underTest();

  // Specification 4.5
  test.each([
    ['/members', 'id', [key(0, 1), 'abc', 0]],
    ['/members', 'id', [key(0, 1), -5, 0]],
    ['/members', 'id', [key(0, 1), 1.5, 0]],
    ['/members', 'id', [key(), 5, 0]],
    ['/members', 'id', 'text'],
    ['/members', 'id', [key(0, 1)]],
    ['/files', 'filename', [key(0, 1), 5, 0]],
    ['/files', 'filename', [key(0, 1), '', 0]],
    ['/files', 'filename', [key(0, 1), 'x'.repeat(3000), 0]],
  ])('for %s in the order of %s gets 200 or 400: %j', async (path, sort, payload) => {
    const after = forged([path, [[sort, false]], []], payload);
    const answer = await get(`${path}?after=${after}`);
    expect([200, 400]).toContain(answer.status);
    if (answer.status === 400) expectProblem(answer, 400);
  });

  // Specification 4.5. The list named this offset, and its items came from the cursor.
  test.each([
    [
      'offset',
      (next: URLSearchParams) => next.set('offset', '50'),
      'must be 1 with this cursor, or be left out',
    ],
    ['after', (next: URLSearchParams) => next.set('sort', 'quantity'), 'is not a cursor of this list'],
    ['after', (next: URLSearchParams) => next.set('status', 'paid'), 'is not a cursor of this list'],
  ])('or one beside another %s than that of its link gets 400', async (parameter, change, detail) => {
    for (const orderValue of [5, 6]) await create('/orders', { productId: 1, orderValue });
    const next = linkOf((await get('/orders?limit=1')).json(), 'next');
    const { pathname, searchParams } = new URL(next ?? '', 'http://a.example');
    change(searchParams);
    const answer = await get(`${pathname}?${searchParams}`);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toEqual([{ parameter, detail }]);
    for (const name of ['offset', 'sort', 'status']) searchParams.delete(name);
    // Generated clients send the default of every parameter.
    for (const more of ['', '&offset=0']) {
      const alone = (await get(`${pathname}?${searchParams}${more}`)).json();
      expect([alone.offset, alone.items.length]).toEqual([1, 1]);
    }
  });

  test('cannot point to an item that the filter excludes', async () => {
    await create('/orders', { productId: 1, orderValue: 5 });
    const identity = ['/orders', [['orderValue', false]], [['orderValue', '>=', ['5']]]];
    const after = forged(identity, [key(1, 0), 1, 0]);
    const answer = await get(`/orders?minCost=5&limit=1000&after=${after}`);
    expect(answer.status).toBe(200);
    for (const { orderValue } of atLeastOne(answer.json().items))
      expect(Number(orderValue)).toBeGreaterThanOrEqual(5);
  });
});

describe('a special case', () => {
  underTest();

  // RFC 9110 §13.1.5: a date is a strong validator only after its second has ended.
  test('If-Range with the date of a second that has not ended gets the whole file', async () => {
    const path = `/files/${unique('second')}`;
    await send('PUT', path, { body: 'A'.repeat(10) });
    const { headers } = await get(path);
    await send('PUT', path, { body: 'B'.repeat(10) });
    for (const date of [headers['last-modified'] ?? headers.date, headers.date]) {
      const answer = await get(path, { Range: 'bytes=5-', 'If-Range': date ?? '' });
      expect([answer.status, answer.text]).toEqual([200, 'B'.repeat(10)]);
    }
  });

  // Specification 4.2
  test('a page of markup characters ends early in JSON and in XML', async () => {
    const { path } = await create('/customers', { name: unique('markup') });
    const text = '&'.repeat(200_000);
    const tag = unique('markup');
    for (let at = 0; at < 8; at += 1) await create('/products', { name: tag, text });
    for (const Accept of ['application/json', 'application/xml']) {
      expect((await get('/products?sort=-createdAt', { Accept })).status).toBe(200);
    }
    expect((await get(path)).status).toBe(200);
  });

  test('an identifier with a zero fraction is the same number', async () => {
    const { path, id } = await create('/members', { name: 'a' });
    const answer = await send('PUT', path, {
      body: `{"id":${id}.0,"name":"b"}`,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(200);
  });
});

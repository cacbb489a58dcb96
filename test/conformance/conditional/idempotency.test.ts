import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { randomNumbers } from '../../support/random-numbers.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Idempotency keys. Source: Specification 10.1, 10.2. */
underTest();

const post = (path: string, json: unknown, key: string, headers: Record<string, string> = {}) =>
  send('POST', path, { headers: { 'Idempotency-Key': key, ...headers }, json });

describe('POST with an Idempotency-Key', () => {
  test.each(['/members', '/customers', '/products', '/orders'])(
    'to %s replays the answer for a repeat',
    async (path) => {
      const values = { name: unique('n'), productId: 1, orderValue: 3 };
      const key = unique('k');
      const first = await post(path, values, key);
      expect(first.status).toBe(201);
      expect(first.headers['idempotency-replayed']).toBeUndefined();
      for (const written of [key, `"${key}"`]) {
        const again = await post(path, values, written);
        expect(again.status).toBe(201);
        expect(again.text).toBe(first.text);
        for (const name of ['location', 'etag', 'last-modified', 'content-type', 'content-location', 'link'])
          expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
        expect(again.headers['idempotency-replayed']).toBe('true');
      }
    },
  );

  test('creates one item for 100 concurrent requests with one key', async () => {
    const name = unique('race');
    const key = unique('k');
    const answers = await Promise.all(Array.from({ length: 100 }, () => post('/customers', { name }, key)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
  });

  test('gets 422 without any effect if the payload differs', async () => {
    const key = unique('k');
    const first = await post('/members', { name: 'a' }, key);
    const other = await post('/members', { name: 'b' }, key);
    expectProblem(other, 422, 'idempotency-key-reused');
    expect((await get(first.headers.location as string)).json().name).toBe('a');
  });

  test('keeps the keys of two paths apart', async () => {
    const key = unique('k');
    const member = await post('/members', { name: 'a' }, key);
    const customer = await post('/customers', { name: 'a' }, key);
    expect([member.status, customer.status]).toEqual([201, 201]);
    expect(customer.headers['idempotency-replayed']).toBeUndefined();
  });

  // Specification 10.13
  test('may be corrected under the same key after a refusal', async () => {
    const key = unique('k');
    expectProblem(await post('/members', { age: 'x' }, key), 400);
    expect((await post('/members', { age: 1 }, key)).status).toBe(201);
  });

  test('replays the recorded answer even if the item has changed since', async () => {
    const key = unique('k');
    const first = await post('/members', { name: 'a' }, key);
    await send('DELETE', first.headers.location as string);
    expect((await post('/members', { name: 'a' }, key)).text).toBe(first.text);
  });

  test('replays everything: without a body, with XML and with preferences', async () => {
    const wishes: Record<string, string>[] = [{ Prefer: 'return=minimal' }, { Accept: 'application/xml' }];
    for (const headers of wishes) {
      const key = unique('k');
      const first = await post('/members', { name: 'a' }, key, headers);
      const again = await post('/members', { name: 'a' }, key);
      expect([again.status, again.text]).toEqual([first.status, first.text]);
      expect(again.headers['content-type']).toBe(first.headers['content-type']);
      expect(again.headers['preference-applied']).toBe(first.headers['preference-applied']);
    }
  });

  test('records a large answer too', async () => {
    const key = unique('k');
    const values = { name: unique('n'), text: '<é>&"'.repeat(30_000) };
    const first = await post('/members', values, key, { Accept: 'application/xml' });
    expect(first.status).toBe(201);
    expect((await post('/members', values, key)).text).toBe(first.text);
  });

  test('records an answer that is larger than an item of DynamoDB', async () => {
    const key = unique('k');
    const random = randomNumbers(7);
    const letter = () => String.fromCodePoint(0x4e00 + Math.floor(random() * 20_000));
    // Random letters, because the service compresses answers.
    const members = Array.from({ length: 50 }, () => ({
      username: unique('n'),
      text: Array.from({ length: 4000 }, letter).join(''),
    }));
    const first = await post('/members', members, key);
    expect(first.status).toBe(201);
    expect(first.text.length * 3).toBeGreaterThan(500_000);
    const again = await post('/members', members, key);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect(again.text === first.text).toBe(true);
  });

  test('replays the creation of an order under a customer', async () => {
    const { path } = await create('/customers', { name: unique('c') });
    const key = unique('k');
    const first = await post(`${path}/orders`, { productId: 1, orderValue: 1 }, key);
    const again = await post(`${path}/orders`, { productId: 1, orderValue: 1 }, key);
    expect([first.status, again.text]).toEqual([201, first.text]);
    expect((await get(`${path}/orders`)).json().items).toHaveLength(1);
  });

  test('replays a change of a member and a form', async () => {
    const { path } = await create('/members', { name: unique('m') });
    const key = unique('k');
    const first = await post(path, { age: 1 }, key);
    expect(first.status).toBe(200);
    await send('PATCH', path, {
      headers: { 'Content-Type': 'application/merge-patch+json' },
      json: { age: 2 },
    });
    expect((await post(path, { age: 1 }, key)).text).toBe(first.text);
    expect((await get(path)).json().age).toBe(2);
  });

  // RFC 9651 §3.1.2: a recipient ignores unknown parameters.
  test('ignores parameters of the key', async () => {
    const key = unique('k');
    const first = await post('/members', { name: 'a' }, `"${key}"; p=1`);
    expect(first.status).toBe(201);
    const again = await post('/members', { name: 'a' }, `"${key}";q="x"`);
    expect([again.status, again.headers['idempotency-replayed'], again.text]).toEqual([
      201,
      'true',
      first.text,
    ]);
  });

  test.each(['%s', '"%s"'])('refuses two keys: %s', async (written) => {
    const key = unique('k');
    for (const keys of [
      [key, unique('k')],
      [key, key],
    ]) {
      const answer = await send('POST', '/members', {
        headers: { 'Idempotency-Key': keys.map((one) => written.replace('%s', one)) },
        json: { name: 'a' },
      });
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toEqual([{ header: 'Idempotency-Key', detail: expect.any(String) }]);
    }
  });

  test.each(['', 'x'.repeat(256), '"open', 'ü'])('refuses an invalid key: %j', async (key) => {
    const answer = await post('/members', { name: 'a' }, Buffer.from(key).toString('latin1'));
    expectProblem(answer, 400);
    expect(answer.json().errors).toEqual([{ header: 'Idempotency-Key', detail: expect.any(String) }]);
  });
});

describe('PATCH with an Idempotency-Key', () => {
  const patch = (path: string, body: unknown, key: string, headers: Record<string, string> = {}) =>
    send('PATCH', path, {
      headers: { 'Content-Type': 'application/json-patch+json', 'Idempotency-Key': key, ...headers },
      json: body,
    });

  test('appends once, however often the client sends it', async () => {
    const { path } = await create('/members', { name: 'a', list: [] });
    const body = [{ op: 'add', path: '/list/-', value: 1 }];
    const key = unique('k');
    const first = await patch(path, body, key);
    const again = await patch(path, body, key);
    expect([first.status, again.text, again.headers.etag]).toEqual([200, first.text, first.headers.etag]);
    expect((await get(path)).json().list).toEqual([1]);
    expectProblem(await patch(path, [], key), 422);
  });

  test('replays before it evaluates preconditions, which its own effect would fail', async () => {
    const { path, etag } = await create('/members', { name: 'a', list: [] });
    const body = [{ op: 'add', path: '/list/-', value: 1 }];
    const key = unique('k');
    const first = await patch(path, body, key, { 'If-Match': etag });
    expect(first.status).toBe(200);
    expect((await patch(path, body, key, { 'If-Match': etag })).status).toBe(200);
  });

  test('has no later effect if the first request changed nothing', async () => {
    const { path } = await create('/members', { name: 'a' });
    const body = [{ op: 'replace', path: '/name', value: 'a' }];
    const key = unique('k');
    const first = await patch(path, body, key);
    await send('PUT', path, { json: { name: 'b' } });
    expect((await patch(path, body, key)).text).toBe(first.text);
    expect((await get(path)).json().name).toBe('b');
  });

  test('has one effect for concurrent repeats', async () => {
    const { path } = await create('/orders', { productId: 1, orderValue: 1, quantity: 1 });
    const key = unique('k');
    const body = [{ op: 'replace', path: '/quantity', value: 9 }];
    const answers = await Promise.all(Array.from({ length: 20 }, () => patch(path, body, key)));
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.etag}`)).size).toBe(1);
    expect((await get(path)).headers.etag).toMatch(/^"2\./);
  });
});

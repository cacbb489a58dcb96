import { beforeAll, describe, expect, test } from '@jest/globals';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import {
  ALL,
  type Conditions,
  headersOf,
  oracle,
  type Validators,
  validatorsOf,
} from '../../support/oracle.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

// Specification 3.6
describe('a PUT that changes nothing', () => {
  test.each([
    ['/members', { name: 'Ada', age: 36, nick: { a: [1.5, null] } }],
    ['/customers', { name: 'Acme', address: { city: 'Hull' } }],
    ['/orders', { productId: 1, quantity: 3, orderValue: 43.5 }],
  ])('keeps version, time and entity tag of an item of %s', async (collection, values) => {
    const { path } = await create(collection, values);
    const { headers, text, json } = await get(path);
    for (const body of [values, json()]) {
      const answer = await send('PUT', path, { json: body });
      expect([answer.status, answer.headers.etag, answer.text]).toEqual([200, headers.etag, text]);
    }
    const changed = await send('PUT', path, { json: { ...values, name: unique('other') } });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(headers.etag);
  });

  test('keeps the unchanged items of a list', async () => {
    const [one, two] = [
      await create('/customers', { name: 'one' }),
      await create('/customers', { name: 'two' }),
    ];
    const json = [
      { id: one.id, name: 'one' },
      { id: two.id, name: 'changed' },
    ];
    const answer = await send('PUT', '/customers', { json });
    expect([answer.status, answer.json().items.map(({ name }) => name)]).toEqual([200, ['one', 'changed']]);
    expect((await get(one.path)).headers.etag).toBe(one.etag);
    expect((await get(two.path)).headers.etag).not.toBe(two.etag);
  });

  test('is one if it removes no bytes, and none if it does', async () => {
    const { path, etag } = await create('/members', { name: 'Ada' });
    const empty = await send('PUT', path, { json: { name: 'Ada', photo: null } });
    expect(empty.headers.etag).toBe(etag);
    const body = Buffer.from('picture');
    await send('PUT', `${path}?fields=photo`, { body, headers: { 'Content-Type': 'image/png' } });
    const before = (await get(path)).headers.etag;
    expect((await send('PUT', path, { json: { name: 'Ada' } })).headers.etag).toBe(before);
    const removed = await send('PUT', path, { json: { name: 'Ada', photo: null } });
    expect(removed.headers.etag).not.toBe(before);
    expect(removed.json().photo).toBeUndefined();
  });
});

/** Compares every combination with the oracle and returns all differences, so that one failure shows all. */
async function differences(
  method: string,
  expected: (conditions: Conditions) => number,
  request: (headers: Record<string, string>) => Promise<number>,
  validators: () => Validators,
  combinations = ALL,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const conditions of combinations) {
    const headers = headersOf(conditions, validators());
    const status = await request(headers);
    if (status !== expected(conditions)) {
      wrong.push(`${method} ${JSON.stringify(conditions)}: ${status}, not ${expected(conditions)}`);
    }
  }
  return wrong.slice(0, 10);
}

describe('preconditions follow RFC 9110 §13.2, in its order', () => {
  const paths: Record<string, string> = {};
  beforeAll(async () => {
    paths.item = (await create('/members', { name: unique('condition') })).path;
    const customer = await create('/customers', { name: unique('condition') });
    paths.list = `${customer.path}/orders`;
    await create(paths.list, { productId: 1, orderValue: 5 });
    paths.file = `/files/${unique('condition')}`;
    await send('PUT', paths.file, { body: 'some bytes', headers: { 'Content-Type': 'text/plain' } });
    const product = await create('/products', { name: unique('condition') });
    paths.image = `${product.path}?fields=productImage`;
    await send('PUT', paths.image, { body: 'some bytes', headers: { 'Content-Type': 'image/png' } });
  });

  test.each(['item', 'list', 'file', 'image'])(
    'for GET and HEAD of %s',
    async (name) => {
      const path = paths[name] as string;
      const validators = await validatorsOf(path);
      expect(validators.etag).toMatch(/^"/);
      for (const method of ['GET', 'HEAD']) {
        const combinations = ALL.filter((_, at) => at % (method === 'GET' ? 2 : 7) === 0);
        const wrong = await differences(
          method,
          (conditions) => {
            const verdict = oracle(true, conditions, validators);
            return verdict === 'continue' ? 200 : verdict;
          },
          async (headers) => (await send(method, path, { headers })).status,
          () => validators,
          combinations,
        );
        expect(wrong).toEqual([]);
      }
    },
    90_000,
  );

  // If-Modified-Since is not a condition of a write.
  test.each([
    ['PUT', 'item', 200, 'application/json', '{"name":"again"}'],
    ['PATCH', 'item', 200, 'application/merge-patch+json', '{"name":"again"}'],
    ['PUT', 'file', 200, 'text/plain', 'other bytes'],
  ])(
    'for %s of %s',
    async (method, name, success, type, body) => {
      const path = paths[name] as string;
      let validators = await validatorsOf(path);
      const wrong = await differences(
        method,
        (conditions) => (oracle(false, conditions, validators) === 412 ? 412 : success),
        async (headers) => {
          const { status } = await send(method, path, {
            body,
            headers: { 'Content-Type': type, ...headers },
          });
          return status;
        },
        () => validators,
        ALL.filter((_, at) => at % 5 === 0).filter((one) => {
          // A successful write changes the validators. The tests below check those.
          return oracle(false, one, validators) === 412;
        }),
      );
      expect(wrong).toEqual([]);
      for (const one of atLeastOne(
        ALL.filter((each) => oracle(false, each, validators) === 'continue').filter((_, at) => at % 4 === 0),
      )) {
        validators = await validatorsOf(path);
        const headers = { 'Content-Type': type, ...headersOf(one, validators) };
        const answer = await send(method, path, { body, headers });
        expect({ one, status: answer.status }).toEqual({ one, status: success });
      }
    },
    90_000,
  );

  test.each(['/members', '/files'])(
    'for DELETE of an item of %s',
    async (collection) => {
      const fresh = async () => {
        if (collection === '/members') return (await create(collection, { name: 'x' })).path;
        const path = `/files/${unique('delete')}`;
        expect((await send('PUT', path, { body: 'x' })).status).toBe(201);
        return path;
      };
      let path = await fresh();
      let validators = await validatorsOf(path);
      for (const one of atLeastOne(ALL.filter((_, at) => at % 11 === 0))) {
        const expected = oracle(false, one, validators) === 412 ? 412 : 204;
        const answer = await send('DELETE', path, { headers: headersOf(one, validators) });
        expect({ one, status: answer.status }).toEqual({ one, status: expected });
        expect((await get(path)).status).toBe(expected === 412 ? 200 : 404);
        if (expected === 204) {
          path = await fresh();
          validators = await validatorsOf(path);
        }
      }
    },
    90_000,
  );
});

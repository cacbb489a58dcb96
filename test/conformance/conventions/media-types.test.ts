import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Media types and header fields. Source: Specification C.91 to C.104. */
underTest();

const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' };
const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };

describe('representations', () => {
  // Specification C.91 to C.93
  test.each(['members', 'customers', 'orders', 'products', 'files'])(
    'of %s are available as JSON and as XML',
    async (name) => {
      if (name === 'files') await send('PUT', `/files/${unique('f')}`, { body: 'x' });
      else await create(`/${name}`, { name: 'a', productId: 1, orderValue: 1 });
      for (const [type, beginning] of [
        ['application/json', '{'],
        ['application/xml', '<?xml'],
      ] as const) {
        const answer = await get(`/${name}`, { Accept: type });
        expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
        expect(answer.text.startsWith(beginning)).toBe(true);
      }
    },
  );

  test('that a client sends as XML are readable as JSON, and the reverse', async () => {
    const made = await send('POST', '/orders', {
      headers: { 'Content-Type': 'application/xml', Accept: 'application/xml' },
      body: '<order><productId>7</productId><quantity>2</quantity><orderValue>0.30</orderValue></order>',
    });
    expect([made.status, made.headers['content-type']]).toEqual([201, 'application/xml']);
    expect((await get(made.headers.location as string)).json()).toMatchObject({
      productId: 7,
      quantity: 2,
      orderValue: 0.3,
    });
  });
});

describe('PATCH supports two JSON formats', () => {
  // Specification C.95
  test('JSON Patch with its operations', async () => {
    const { path } = await create('/members', { name: 'a', list: [] });
    const json = [
      { op: 'test', path: '/name', value: 'a' },
      { op: 'add', path: '/list/-', value: 1 },
      { op: 'move', from: '/name', path: '/username' },
    ];
    const patched = (await send('PATCH', path, { headers: JSON_PATCH, json })).json();
    expect(patched).toMatchObject({ username: 'a', list: [1] });
    expect(patched).not.toHaveProperty('name');
  });

  // Specification C.97, C.98
  test('JSON merge patch, in which null removes a field', async () => {
    const { path } = await create('/members', { name: 'a', age: 5, own: { x: 1, y: 2 } });
    const json = { age: 6, name: null, own: { x: null, z: 3 } };
    const patched = (await send('PATCH', path, { headers: MERGE_PATCH, json })).json();
    expect(patched).toMatchObject({ age: 6, own: { y: 2, z: 3 } });
    expect([patched.name, (patched.own as { x?: number }).x]).toEqual([undefined, undefined]);
  });

  // Specification C.98: merge patch cannot set an explicit null. JSON Patch can.
  test('only JSON Patch sets an explicit null; merge patch removes the property', async () => {
    const { path } = await create('/members', { own: 1 });
    const set = [{ op: 'replace', path: '/own', value: null }];
    expect((await send('PATCH', path, { headers: JSON_PATCH, json: set })).json().own).toBeNull();
    expect(
      (await send('PATCH', path, { headers: MERGE_PATCH, json: { own: null } })).json(),
    ).not.toHaveProperty('own');
  });
});

describe('partial responses of large binary resources', () => {
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 256));

  // Specification C.100, C.101
  test('GET shows support for ranges and HEAD shows the total size', async () => {
    const path = `/files/${unique('f')}`;
    await send('PUT', path, { body: bytes });
    expect((await get(path)).headers['accept-ranges']).toBe('bytes');
    const head = await send('HEAD', path);
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, '1000', 0]);
  });

  // Specification C.102, C.103, 15.6
  test.each([
    ['bytes=0-99', 0, 99],
    ['bytes=990-', 990, 999],
    ['bytes=-1', 999, 999],
    ['bytes=0-0', 0, 0],
    ['bytes=500-5000', 500, 999],
  ])('GET with Range: %s gets 206', async (range, first, last) => {
    const path = `/files/${unique('f')}`;
    await send('PUT', path, { body: bytes });
    const { status, headers, bytes: part } = await get(path, { Range: range });
    expect([status, headers['content-range']]).toEqual([206, `bytes ${first}-${last}/1000`]);
    expect(headers['content-length']).toBe(String(last - first + 1));
    expect(part.equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  test('an image supports ranges too', async () => {
    const { status, headers } = await get('/products/1?fields=productImage', { Range: 'bytes=0-7' });
    expect([status, headers['content-length']]).toEqual([206, '8']);
  });
});

// Specification C.104
test('Location names the created resource', async () => {
  for (const [path, values] of [
    ['/members', { name: 'a' }],
    ['/customers', { name: 'a' }],
    ['/orders', { productId: 1, orderValue: 1 }],
    ['/products', { name: 'a' }],
  ] as const) {
    const { answer } = await create(path, values);
    expect((await get(answer.headers.location as string)).text).toBe(answer.text);
  }
  expectProblem(await get('/members/1'), 404);
});

import { describe, expect, test } from '@jest/globals';
import { clientOf } from '../../support/client/client.ts';
import { address, create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** General statements about the service. Source: Specification C.1 to C.17. */
underTest();

// Specification C.5, C.8
test('collections have plural nouns and items are below them', async () => {
  for (const name of ['members', 'files', 'customers', 'orders', 'products'])
    expect({ name, status: (await get(`/${name}`)).status }).toEqual({ name, status: 200 });
  for (const singular of ['member', 'file', 'customer', 'order', 'product'])
    expect((await get(`/${singular}`)).status).toBe(404);
  const { path } = await create('/customers', { name: unique('c') });
  expect(path).toMatch(/^\/customers\/\d+$/);
});

// Specification C.7
test('each resource has a unique URI', async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => create('/members', { name: 'same' })));
  expect(new Set(made.map(({ path }) => path)).size).toBe(50);
});

// Specification C.6
test('one client reads the representation that another one sent', async () => {
  const { path } = await create('/members', { username: 'ada' });
  expect((await clientOf(address())('GET', path)).json().username).toBe('ada');
});

// Specification C.9
test('each method has its own effect on the same URI', async () => {
  const { path } = await create('/members', { name: 'a' });
  expect((await send('GET', path)).json().name).toBe('a');
  expect((await send('PUT', path, { json: { name: 'b' } })).json().name).toBe('b');
  const merge = { 'Content-Type': 'application/merge-patch+json' };
  expect((await send('PATCH', path, { headers: merge, json: { age: 1 } })).json().name).toBe('b');
  expect((await send('DELETE', path)).status).toBe(204);
  expect((await send('GET', path)).status).toBe(404);
});

// Specification C.10
test('any client can read any page of a list in any order', async () => {
  for (let n = 0; n < 4; n += 1) await create('/products', { name: unique('p') });
  const first = await get('/products?limit=2');
  const next = first.json().links.find(({ rel }) => rel === 'next')?.href as string;
  const [one, two, again] = [
    await get(next),
    await clientOf(address())('GET', next),
    await get('/products?limit=2'),
  ];
  expect(one.text).toBe(two.text);
  expect(again.text).toBe(first.text);
  expect([first, one, two].map(({ headers }) => headers['set-cookie'])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

// Specification C.11
test('responses expose nothing of the storage', async () => {
  const { path } = await create('/products', { name: unique('p') });
  await send('PUT', `${path}?fields=productImage`, { headers: { 'Content-Type': 'image/png' }, body: 'png' });
  const { path: file } = { path: `/files/${unique('f')}` };
  const stored = await send('PUT', file, { body: 'x' });
  for (const { text } of [await get(path), await get('/products'), await get('/files'), stored])
    expect(text).not.toMatch(/"_|_shard|_version|_by_|imageType|bucket|dynamodb|arn:|x-amz|sqlite/i);
});

// Specification C.12
test('a client needs only HTTP and one of the formats', async () => {
  for (const [type, body] of [
    ['application/json', '{"name":"x"}'],
    ['application/xml', '<member><name>x</name></member>'],
    ['application/x-www-form-urlencoded', 'name=x'],
  ] as const) {
    const made = await send('POST', '/members', { headers: { 'Content-Type': type }, body });
    expect({ type, status: made.status }).toEqual({ type, status: 201 });
    expect((await get(made.headers.location as string)).json().name).toBe('x');
  }
});

// Specification C.13
test('the service accepts unknown parameters, preferences, header fields and properties', async () => {
  const answer = await get('/members?limit=1&someday=1', { Prefer: 'someday=1', 'X-Someday': '1' });
  expect(answer.status).toBe(200);
  const kept = await create('/members', { name: 'a', someday: { any: ['thing'] } });
  expect(kept.answer.json().someday).toEqual({ any: ['thing'] });
});

describe('the three styles', () => {
  // Specification C.15
  test('collection: the server chooses the URI', async () => {
    const { answer } = await create('/members', { name: 'a', id: 7 });
    expect(answer.json().id).not.toBe(7);
    expect((await send('PUT', '/members/7', { json: { name: 'a' } })).status).toBe(404);
  });

  // Specification C.16
  test('store: the client chooses the URI', async () => {
    const path = `/files/${unique('f')}`;
    expect((await send('PUT', path, { body: 'x' })).headers.location).toBe(path);
    expect((await send('POST', path, { body: 'x' })).status).toBe(405);
  });

  // Specification C.17
  test('form: GET and POST are enough for every action', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const made = await send('POST', '/members', { headers, body: 'name=a' });
    const path = made.headers.location as string;
    expect((await send('POST', `${path}/edit`, { headers, body: 'name=b' })).json().name).toBe('b');
    expect((await send('POST', `${path}/delete`, { headers, body: '' })).status).toBe(204);
    expect((await get(path)).status).toBe(404);
  });
});

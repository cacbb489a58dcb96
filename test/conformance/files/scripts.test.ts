import { describe, expect, test } from '@jest/globals';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Files that a browser could run as a script of this origin. Specification 5.21. */
underTest();

const SCRIPTS = [
  'text/javascript',
  'application/javascript; charset=utf-8',
  'application/x-javascript',
  'text/ecmascript',
  'application/json',
  'application/manifest+json',
  'application/wasm',
];
const BODY = 'alert(1)';
const RUNNING: readonly Readonly<Record<string, string>>[] = [
  ...['script', 'worker', 'sharedworker', 'serviceworker', 'json'].map((dest) => ({
    'Sec-Fetch-Dest': dest,
    'Sec-Fetch-Mode': 'no-cors',
  })),
  { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate' },
  { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Mode': 'navigate' },
];

async function stored(type: string): Promise<string> {
  const path = `/files/${unique('script')}`;
  const answer = await send('PUT', path, { body: BODY, headers: { 'Content-Type': type } });
  expect(answer.status).toBe(201);
  return path;
}

/** The undeclared binary property of a customer. */
async function property(type: string): Promise<string> {
  const path = `${(await create('/customers', { name: 'a' })).path}?fields=code`;
  const answer = await send('PUT', path, { body: BODY, headers: { 'Content-Type': type } });
  expect(answer.status).toBe(201);
  return path;
}

describe.each(SCRIPTS)('of the type %s', (type) => {
  test.each([
    ['a file', stored],
    ['a property', property],
  ])('%s is a download where a browser would run or show it', async (_, make) => {
    const path = await make(type);
    const plain = await get(path);
    expect(plain.headers['content-type']).toBe(type);
    expect(plain.headers.vary).toMatch(/Sec-Fetch-Dest, Sec-Fetch-Mode/);
    for (const headers of RUNNING) {
      // A copy that the browser has as a script does not become one by 304.
      for (const more of [{}, { 'If-None-Match': plain.headers.etag }]) {
        const answer = await get(path, { ...headers, ...more });
        expect([headers, answer.status, answer.text]).toEqual([headers, 200, BODY]);
        expect(answer.headers).toMatchObject({
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment',
          'content-security-policy': 'sandbox',
          'x-content-type-options': 'nosniff',
        });
      }
    }
    const again = await get(path, {
      'Sec-Fetch-Dest': 'empty',
      'Sec-Fetch-Mode': 'cors',
      'If-None-Match': plain.headers.etag,
    });
    expect(again.status).toBe(304);
  });
});

test('an earlier version of a script is asked for again, and is a download too', async () => {
  const path = await stored('text/javascript');
  await send('PUT', path, { body: 'b', headers: { 'Content-Type': 'text/javascript' } });
  const { items } = (await get(`${path}/versions`)).json();
  const version = `${path}/versions/${items[1]?.version}`;
  const headers = { 'Sec-Fetch-Dest': 'script' };
  expect((await get(version)).headers['cache-control']).toBe('private, no-cache');
  expect((await get(version, headers)).headers['content-type']).toBe('application/octet-stream');
});

test('another file, and a script of the service, are as before', async () => {
  const headers = { 'Sec-Fetch-Dest': 'script', 'Sec-Fetch-Mode': 'navigate' };
  const { headers: image } = await get(await stored('image/png'), headers);
  expect([image['content-type'], image['content-disposition']]).toEqual(['image/png', undefined]);
  expect((await get('/assets/pages.js', headers)).headers['content-type']).toContain('text/javascript');
});

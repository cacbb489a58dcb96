import { expect, test } from '@jest/globals';
import { BROWSER } from '../../support/client/page.ts';
import { linkOf } from '../../support/client/walk.ts';
import { get, send, underTestAlone } from '../../support/service/under-test.ts';

// A link to the next page contains the last name of a file, and other tests store long names.
underTestAlone();

const ORIGIN = { Origin: 'http://localhost:5173' };

/** The bytes of the header fields of a response, as HTTP/1.1 sends them. */
async function headerSize(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { rawHeaders } = await get(path, headers);
  return rawHeaders.reduce((size, text) => size + text.length + 2, 0);
}

// Some proxies have room for 4 KB of header fields.
test.each([ORIGIN, { ...ORIGIN, ...BROWSER }])(
  'the header fields of the home document have less than 2 KB for %j',
  async (headers) => {
    expect(await headerSize('/', headers)).toBeLessThan(2048);
  },
);

/** The address of a page in the middle of a list of operations. Its header fields are the longest of all lists. */
async function pageOfOperations(): Promise<string> {
  for (let made = 0; made < 3; made++) {
    const sent = { json: { name: 'sizes' }, headers: { Prefer: 'respond-async' } };
    expect((await send('POST', '/members', sent)).status).toBe(202);
  }
  return linkOf((await get('/operations?limit=1')).json(), 'next') as string;
}

const LISTS = ['/customers', '/members', '/orders', '/products', '/files', '/operations'];

test.each(LISTS)('the header fields of the list %s have less than 1.5 KB', async (list) => {
  expect(await headerSize(list, {})).toBeLessThan(1536);
});

test('the header fields of a page within a list have less than 1.5 KB', async () => {
  expect(await headerSize(await pageOfOperations(), {})).toBeLessThan(1536);
});

test('the header fields of a list have less than 2 KB for a page of another origin', async () => {
  expect(await headerSize(await pageOfOperations(), ORIGIN)).toBeLessThan(2048);
});

import { expect, test } from '@jest/globals';
import { BROWSER } from '../../support/client/page.ts';
import { linkOf } from '../../support/client/walk.ts';
import { create, get, underTest, unique } from '../../support/service/under-test.ts';

underTest();

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

test.each(['/customers', '/members', '/orders', '/products', '/files', '/operations'])(
  'the header fields of the list %s have less than 1.5 KB, also for pages of other origins',
  async (list) => {
    expect(await headerSize(list, ORIGIN)).toBeLessThan(1536);
  },
);

test('the header fields of a page within a list have less than 1.5 KB', async () => {
  for (let made = 0; made < 3; made++) await create('/customers', { name: unique('sizes') });
  const next = linkOf((await get('/customers?limit=1')).json(), 'next') as string;
  expect(await headerSize(next, ORIGIN)).toBeLessThan(1536);
});

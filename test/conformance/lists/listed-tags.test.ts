import { expect, test } from '@jest/globals';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const MERGE = { 'Content-Type': 'application/merge-patch+json' };

interface Listed {
  readonly links: readonly { readonly rel: string; readonly href: string; readonly etag?: string }[];
}
const selfOf = ({ links }: Listed) => links.find(({ rel }) => rel === 'self');

// Specification 2.35
test.each([
  ['/members', 'name'],
  ['/customers', 'name'],
  ['/products', 'name'],
  ['/orders', 'note'],
])('an item in a list of %s has its entity tag, with which a client changes it', async (collection, name) => {
  const value = unique('tag');
  const sent = collection === '/orders' ? { productId: 1, orderValue: 1 } : {};
  const { path } = await create(collection, { ...sent, [name]: value });
  for (const query of ['', '&fields=links', '&expand=', '&limit=1']) {
    const list = await get(`${collection}?sort=-createdAt${query}`);
    const self = list
      .json()
      .items.map(selfOf)
      .find((one) => one?.href === path);
    expect(self).toMatchObject({ etag: (await get(path)).headers.etag });
  }
  const Accept = 'application/xml';
  const xml = await get(`${collection}?sort=-createdAt&limit=1`, { Accept });
  const tag = /<etag>(.*?)<\/etag>/.exec(xml.text)?.[1]?.replaceAll('&quot;', '"');
  expect(tag).toBe((await get(path, { Accept })).headers.etag);
  const headers = { ...MERGE, 'If-Match': tag ?? '' };
  expect((await send('PATCH', path, { body: `{"${name}":"changed"}`, headers })).status).toBe(200);
  expect((await send('PATCH', path, { body: `{"${name}":"again"}`, headers })).status).toBe(412);
});

// Specification 2.35
test.each([
  ['POST', 201, {}],
  ['PUT', 200, {}],
  ['PUT', 207, { Prefer: 'handling=lenient' }],
])(
  'an item in the answer of a %s of several items has its entity tag: %i',
  async (method, status, headers) => {
    const id = method === 'PUT' ? (await create('/customers', { name: unique('tag') })).id : undefined;
    const json = [
      { ...(id === undefined ? {} : { id }), name: unique('tag') },
      ...(status === 207 ? [{ name: 1 }] : []),
    ];
    const answer = await send(method, '/customers', { json, headers });
    expect(answer.status).toBe(status);
    const [first] = answer.json().items as unknown as (Listed & { readonly item?: Listed })[];
    const self = selfOf((first?.item ?? first) as Listed);
    expect(self).toMatchObject({ etag: (await get(self?.href ?? '')).headers.etag });
  },
);

// Specification 2.35
test('a file has none in a list, and an item outside a list has it in ETag alone', async () => {
  expect((await send('PUT', `/files/${unique('tag')}`, { body: 'x' })).status).toBe(201);
  const [file] = (await get('/files?sort=-createdAt&limit=1')).json().items;
  expect(selfOf(file as Listed)).toEqual({ rel: 'self', href: expect.any(String), method: 'GET' });
  const { path } = await create('/members', { name: unique('tag') });
  expect(selfOf((await get(path)).json() as unknown as Listed)).not.toHaveProperty('etag');
});

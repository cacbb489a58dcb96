import type { Adapter, Values } from '../adapter.ts';
import { type Api, unique } from '../api.ts';
import { met, part, refuses } from '../statement.ts';
import { must, ok, present, refusal, same } from '../verdict.ts';

const query = <K extends keyof Adapter>(api: Api, name: K) => present(api.adapter[name], name);

const idsOf = (api: Api, items: readonly Values[]) => items.map((one) => api.idIn('products', one));

/** Products of a new category: their names are a to e, and their prices 10, 9, 100, 9 and 20. */
async function five(api: Api) {
  const category = unique();
  const prices = [10, 9, 100, 9, 20];
  for (const [at, price] of prices.entries())
    await api.make('products', { name: 'abcde'[at], price, category });
  return { category, only: query(api, 'equal')('category', category) };
}

/** The names of the five products that a query selects, in their order. */
const names = async (api: Api, more: (only: string) => string) => {
  const { only } = await five(api);
  const items = await api.list('products', more(only));
  return items.map(({ name }) => name).join('');
};

/** Walks a list to its end. `between` runs after each page. Returns the ids. @throws Unmet if it does not end */
async function walk(api: Api, start: string, between: (page: number) => Promise<unknown> = async () => {}) {
  const next = present(api.adapter.next, 'link to the next page');
  const found: string[] = [];
  let path: string | undefined = `${api.collection('products')}?${start}`;
  for (let page = 0; path !== undefined; page += 1) {
    must(page < 200, 'the walk does not end');
    const answer = ok(await api.get(path), 200);
    found.push(...idsOf(api, api.itemsIn(answer, 'products')));
    path = next(answer, path.slice(path.indexOf('?') + 1));
    if (path !== undefined) await between(page);
  }
  return found;
}

/** A walk by two items over ten products of one category, with a change after each page. */
async function walkedBy(
  api: Api,
  change: (category: string, ids: string[], page: number) => Promise<unknown>,
) {
  const category = unique();
  const ids: string[] = [];
  for (let at = 0; at < 10; at += 1)
    ids.push(
      api.idIn(
        'products',
        await api.values(await api.make('products', { category, name: `m${at}`, price: 50 })),
      ),
    );
  const start = `${query(api, 'equal')('category', category)}&${query(api, 'limit')(2)}`;
  return { ids, category, start, found: await walk(api, start, (page) => change(category, ids, page)) };
}

const once = (found: readonly string[]) => must(new Set(found).size === found.length, 'an item comes twice');
const bad = (api: Api, text: string) =>
  api.get(`${api.collection('products')}?${query(api, 'limit')(1).replace('1', text)}`);

export const lists = part('lists and pages', [
  met('limit sets the number of items', 'C.84', async (api) => {
    const { only } = await five(api);
    same((await api.list('products', `${only}&${query(api, 'limit')(2)}`)).length, 2);
  }),
  met('the first page links the next one', 'RFC 8288 §3.3, 2.34', async (api) => {
    await five(api);
    const start = query(api, 'limit')(2);
    const answer = ok(await api.get(`${api.collection('products')}?${start}`), 200);
    must(present(api.adapter.next, 'link to the next page')(answer, start), 'no link');
  }),
  met('the last page links no next one', '2.34', async (api) => {
    const { only } = await five(api);
    same((await walk(api, `${only}&${query(api, 'limit')(3)}`)).length, 5);
  }),
  met('a walk has each item once', '4.5', async (api) => {
    const { ids, found } = await walkedBy(api, async () => {});
    once(found);
    same([...found].sort(), [...ids].sort());
  }),
  met('a walk loses no item while others are created', '4.5', async (api) => {
    const { ids, found } = await walkedBy(api, (category) =>
      api.make('products', { category, name: 'a', price: 1 }),
    );
    must(
      ids.every((id) => found.includes(id)),
      'an item is missing',
    );
  }),
  met('a walk repeats no item while others are created', '4.5', async (api) => {
    const { found } = await walkedBy(api, (category) =>
      api.make('products', { category, name: 'a', price: 1 }),
    );
    once(found);
  }),
  met('a walk loses no item while others are removed', '4.5', async (api) => {
    const removed: string[] = [];
    const { ids, found } = await walkedBy(api, async (_, all, page) => {
      const id = all[page] ?? '';
      removed.push(id);
      return api.ask('DELETE', api.itemPath('products', id));
    });
    must(
      ids.every((id) => removed.includes(id) || found.includes(id)),
      'an item is missing',
    );
  }),
  met('a walk in an order loses and repeats nothing while others are created', '4.5', async (api) => {
    const sort = query(api, 'sort')('name', false);
    const category = unique();
    for (let at = 0; at < 8; at += 1) await api.make('products', { category, name: `m${at}` });
    const start = `${query(api, 'equal')('category', category)}&${sort}&${query(api, 'limit')(2)}`;
    const found = await walk(api, start, () => api.make('products', { category, name: 'a' }));
    once(found);
    must(found.length >= 8, `${found.length} items instead of at least 8`);
  }),
  met('the server limits the number of items in a response', 'C.127, 4.1', async (api) => {
    const sending: Promise<unknown>[] = [];
    for (let at = 0; at < 1010; at += 1) {
      sending.push(api.make('members'));
      if (sending.length % 10 === 0) await Promise.all(sending.splice(0));
    }
    must((await api.list('members', query(api, 'limit')(100_000))).length <= 1000, 'more than 1,000 items');
  }),
  ...[
    ['a limit that is not a number', 'many'],
    ['a negative limit', '-1'],
  ].map(([what, text = '']) =>
    refuses(
      `${what} with 400`,
      'RFC 9110 §15.5.1, 4.1',
      async (api) => ok(await bad(api, '2'), 200),
      async (api) => refusal(await bad(api, text), 400),
    ),
  ),
  met('a list without items is 200 with none', '2.34', async (api) =>
    same(await api.list('products', query(api, 'equal')('category', unique())), []),
  ),
  met('sort orders texts', 'C.86', async (api) =>
    same(await names(api, (only) => `${only}&${query(api, 'sort')('name', false)}`), 'abcde'),
  ),
  met('sort orders in the other direction', '4.10', async (api) =>
    same(await names(api, (only) => `${only}&${query(api, 'sort')('name', true)}`), 'edcba'),
  ),
  met('sort orders numbers by value', '4.7', async (api) => {
    const found = await names(api, (only) => `${only}&${query(api, 'sort')('price', false)}`);
    must(/^[bd]{2}aec$/.test(found), `the order is ${found}`);
  }),
  refuses(
    'a sort by a name that no item can have',
    '4.10',
    async (api) => api.list('products', query(api, 'sort')('name', false)),
    async (api) =>
      refusal(await api.get(`${api.collection('products')}?${query(api, 'sort')('NAME', false)}`), 400),
  ),
  met('a filter selects equal values', '4.12', async (api) =>
    same(await names(api, (only) => `${only}&${query(api, 'equal')('name', 'c')}`), 'c'),
  ),
  met('a filter compares numbers by value', '4.13', async (api) => {
    const found = await names(api, (only) => `${only}&${query(api, 'equal')('price', '9.0')}`);
    must(/^[bd]{2}$/.test(found), `the items are ${found}`);
  }),
  met('a filter selects numbers from a minimum on', 'C.83', async (api) => {
    const found = await names(api, (only) => `${only}&${query(api, 'atLeast')('price', 20)}`);
    same([...found].sort().join(''), 'ce');
  }),
  met('a filter selects numbers below a maximum', '4.14', async (api) => {
    const found = await names(api, (only) => `${only}&${query(api, 'below')('price', 10)}`);
    same([...found].sort().join(''), 'bd');
  }),
  ...['a&b=c', 'a+b', '100 %', 'ä "ö" \'ü\'', 'a/b?c#d'].map((text) =>
    met(`a filter finds the value ${text}`, 'RFC 3986 §2.1', async (api) => {
      const { path } = await api.make('products', { category: text, name: 'x' });
      const found = await api.list('products', query(api, 'equal')('category', text));
      must(found.length > 0 && found.every(({ category }) => category === text), `${found.length} items`);
      ok(await api.ask('DELETE', path));
    }),
  ),
  met('a quote in a filter selects nothing else', 'C.11', async (api) => {
    await five(api);
    const { status, text } = await api.get(
      `${api.collection('products')}?${query(api, 'equal')('category', "x' OR '1'='1")}`,
    );
    must(status < 500 && !text.includes('Anchor'), `status ${status}, or other items`);
  }),
  met('a filter with a comma finds the value', '4.13', async (api) => {
    const category = `${unique()},b`;
    await api.make('products', { category });
    const text = query(api, 'equal')('category', category);
    const escaped = await api.list('products', text.replace('%2C', '%5C%2C'));
    const found = escaped.length > 0 ? escaped : await api.list('products', text);
    same(
      found.map((one) => one.category),
      [category],
    );
  }),
  refuses(
    'a filter with a value of the wrong type',
    '4.13',
    async (api) => api.list('products', query(api, 'atLeast')('price', 5)),
    async (api) =>
      refusal(await api.get(`${api.collection('products')}?${query(api, 'equal')('price', 'much')}`), 400),
  ),
  met('fields selects properties of an item', 'C.87, 4.17', async (api) => {
    const item = await api.make('products');
    const answer = ok(await api.get(`${item.path}?${query(api, 'fields')(['name'])}`), 200);
    const values = api.unwrap(answer);
    same([values.name, values.category], [item.sent.name, undefined]);
  }),
  met('fields selects properties of the items of a list', '4.18', async (api) => {
    const { only } = await five(api);
    const [one] = await api.list('products', `${only}&${query(api, 'fields')(['name'])}`);
    must(one?.name !== undefined && one.category === undefined, 'category is still there');
  }),
  met('a list can say how many items there are', '4.23', async (api) => {
    const { of, headers, method = 'GET', query: wanted } = present(api.adapter.total, 'number of all items');
    const { only } = await five(api);
    const path = `${api.collection('products')}?${only}&${query(api, 'limit')(2)}&${wanted}`;
    same(Number(of(ok(await api.ask(method, path, { headers: headers ?? {} }), 200))), 5);
  }),
  met('related items can be inside of an item', '4.24', async (api) => {
    const { query: wanted, inside } = present(api.adapter.expand, 'related items inside');
    const customer = await api.make('customers');
    const id = api.idIn('customers', await api.values(customer));
    const order = await api.make('orders', { customerId: /^\d+$/.test(id) ? Number(id) : id });
    const { text } = ok(await api.get(`${order.path}?${wanted}`), 200);
    must(text.includes(String(customer.sent.name)), `no ${inside} inside`);
  }),
  met('Link has the next page', 'RFC 8288 §3', async (api) => {
    await five(api);
    const { headers } = ok(await api.get(`${api.collection('products')}?${query(api, 'limit')(2)}`), 200);
    must(/rel="?next"?/.test(present(headers.link, 'Link')), 'no rel="next"');
  }),
  met('the list shows a change at once', 'C.10', async (api) => {
    const item = await api.make('products', { category: unique() });
    const only = query(api, 'equal')('category', String(item.sent.category));
    same((await api.list('products', only)).length, 1);
    ok(await api.remove(item));
    same((await api.list('products', only)).length, 0);
  }),
]);

import { KINDS } from '../adapter.ts';
import { type Api, unique } from '../api.ts';
import { met, part, refuses } from '../statement.ts';
import { must, ok, refusal, same } from '../verdict.ts';

/** The request's own statement of each resource. */
const SOURCES = { members: 'C.57 to C.63', customers: 'C.80, C.81', orders: '1.4, C.81', products: '1.4' };
/** A text property of each resource, and one that PUT may leave out. */
const TEXTS = { members: 'name', customers: 'name', orders: 'quantity', products: 'name' } as const;

const missing = (api: Api, id = '999999999') => api.itemPath('members', id);
const allowOf = (allow: string | undefined) => (allow ?? '').split(/\s*,\s*/);
const methodsOf = async (api: Api, path: string) => {
  const { headers } = ok(await api.ask('OPTIONS', path));
  return allowOf(headers.allow ?? headers['access-control-allow-methods']);
};

const eachKind = KINDS.flatMap((kind) => {
  const source = SOURCES[kind];
  const name = TEXTS[kind];
  const other = kind === 'orders' ? 5 : 'Bell';
  return [
    met(`POST creates one of ${kind}: 201`, `C.108, ${source}`, async (api) => ok(await api.post(kind), 201)),
    met(`GET returns one of ${kind} with the values of its creation`, `C.106, ${source}`, async (api) => {
      const item = await api.make(kind);
      const values = await api.values(item);
      for (const [key, value] of Object.entries(item.sent)) same(values[key], value, key);
    }),
    met(`GET lists ${kind}`, `C.57, ${source}`, async (api) => {
      await api.make(kind);
      must((await api.list(kind)).length > 0, 'the list is empty');
    }),
    met(`PUT replaces one of ${kind}`, `RFC 9110 §9.3.4, ${source}`, async (api) => {
      const item = await api.make(kind);
      ok(await api.put(item, { ...item.sent, [name]: other }), 200, 204);
      same((await api.values(item))[name], other);
    }),
    met(`PATCH changes one property of ${kind} and leaves the others`, `RFC 5789 §2, C.97`, async (api) => {
      const item = await api.make(kind);
      ok(await api.merge(item, { [name]: other }), 200, 204);
      const values = await api.values(item);
      for (const [key, value] of Object.entries({ ...item.sent, [name]: other }))
        same(values[key], value, key);
    }),
    met(`DELETE removes one of ${kind}: 204, then 404`, `C.114, C.118, ${source}`, async (api) => {
      const item = await api.make(kind);
      ok(await api.remove(item), 204);
      refusal(await api.get(item.path), 404, 410);
    }),
  ];
});

export const methods = part('methods', [
  ...eachKind,
  met('a 201 has Location, which leads to the item', 'RFC 9110 §9.3.3, C.104', async (api) => {
    const { location } = (await api.make('members')).created.headers;
    must(location, 'no Location');
    ok(await api.get(location), 200);
  }),
  met('a 201 has the representation of the item', 'C.108', async (api) => {
    const { sent, created } = await api.make('members');
    same(api.unwrap(ok(created, 201)).username, sent.username);
  }),
  met('PUT removes the properties that it leaves out', 'RFC 9110 §9.3.4, C.60', async (api) => {
    const item = await api.make('members');
    ok(await api.put(item, { username: item.sent.username, name: 'Bo' }), 200, 204);
    must(!(await api.values(item)).email, 'email is still there');
  }),
  met('PUT is idempotent', 'RFC 9110 §9.2.2', async (api) => {
    const item = await api.make('members');
    for (let at = 0; at < 2; at += 1) ok(await api.put(item, { ...item.sent, name: 'Bo' }), 200, 204);
    same((await api.values(item)).name, 'Bo');
  }),
  met('a client can PUT the result of GET back', 'RFC 9110 §9.3.4, 2.18', async (api) => {
    const item = await api.make('members');
    ok(await api.put(item, await api.values(item)), 200, 204);
    same((await api.values(item)).username, item.sent.username);
  }),
  met('GET is safe: two of them return the same', 'RFC 9110 §9.2.1', async (api) => {
    const { path } = await api.make('members');
    same((await api.get(path)).text, (await api.get(path)).text);
  }),
  met('GET ignores a body', 'RFC 9110 §9.3.1, 1.18', async (api) => {
    const item = await api.make('members');
    const { text } = ok(await api.ask('GET', item.path, { json: { name: 'Bo' } }), 200);
    same(api.unwrap({ ...item.created, text }).name, item.sent.name);
  }),
  met('HEAD of an item gets 200 without content', 'RFC 9110 §9.3.2, C.47', async (api) => {
    same(ok(await api.ask('HEAD', (await api.make('members')).path), 200).text, '');
  }),
  met('HEAD has the Content-Type of GET', 'RFC 9110 §9.3.2', async (api) => {
    const { path } = await api.make('members');
    const [head, get] = [ok(await api.ask('HEAD', path), 200), await api.get(path)];
    same(head.headers['content-type'], get.headers['content-type']);
  }),
  met('HEAD has the Content-Length of GET, or none', 'RFC 9110 §8.6', async (api) => {
    const { path } = await api.make('members');
    const length = ok(await api.ask('HEAD', path), 200).headers['content-length'];
    if (length !== undefined) same(Number(length), (await api.get(path)).bytes.length);
  }),
  met('HEAD of a list gets 200', 'RFC 9110 §9.1, C.47', async (api) =>
    ok(await api.ask('HEAD', api.collection('members')), 200),
  ),
  met('HEAD of a missing item gets 404 without content', 'RFC 9110 §9.3.2', async (api) => {
    ok(await api.ask('HEAD', (await api.make('members')).path), 200);
    same(refusal(await api.ask('HEAD', missing(api)), 404).text, '');
  }),
  ...(['GET', 'DELETE'] as const).map((method) =>
    refuses(
      `${method} of a missing item with 404`,
      method === 'GET' ? 'RFC 9110 §15.5.5, C.118' : 'C.119, 15.7',
      async (api) => ok(await api.ask(method, (await api.make('members')).path)),
      async (api) => refusal(await api.ask(method, missing(api)), 404),
    ),
  ),
  met('a second DELETE does not fail with 5xx, and the item stays gone', 'RFC 9110 §9.2.2', async (api) => {
    const item = await api.make('members');
    ok(await api.remove(item));
    ok(await api.remove(item), 200, 204, 404, 410);
    refusal(await api.get(item.path), 404, 410);
  }),
  refuses(
    'PATCH of a missing item with 404',
    'RFC 5789 §2.2, 10.8',
    async (api) => ok(await api.merge(await api.make('members'), { name: 'Bo' })),
    async (api) =>
      refusal(await api.merge({ ...(await api.make('members')), path: missing(api) }, { name: 'Bo' }), 404),
  ),
  met('PUT of a missing item gets 404, or 201 and creates it', 'RFC 9110 §9.3.4, 1.2', async (api) => {
    const item = await api.make('members');
    ok(await api.put(item, { ...item.sent, name: 'Bo' }));
    const other = { ...item, path: missing(api, '999999997') };
    const { status } = await api.put(other, { ...item.sent, username: unique() });
    must(status === 404 || status === 201, `status ${status}`);
    if (status === 201) ok(await api.get(other.path), 200);
  }),
  met('a DELETE does not remove other items', 'RFC 9110 §9.3.5', async (api) => {
    const [one, two] = [await api.make('members'), await api.make('members')];
    ok(await api.remove(one));
    await api.values(two);
  }),
  met('a 204 has neither content nor Content-Length', 'RFC 9110 §8.6, §15.3.5', async (api) => {
    const { headers, text } = ok(await api.remove(await api.make('members')), 204);
    same([headers['content-length'], headers['content-type'], text], [undefined, undefined, '']);
  }),
  met('OPTIONS of an item names GET in Allow', 'RFC 9110 §9.3.7, C.52', async (api) =>
    must((await methodsOf(api, (await api.make('members')).path)).includes('GET'), 'no GET in Allow'),
  ),
  met('OPTIONS of a collection names POST in Allow', 'RFC 9110 §9.3.7, C.52', async (api) =>
    must((await methodsOf(api, api.collection('members'))).includes('POST'), 'no POST in Allow'),
  ),
  met('OPTIONS names PATCH for an item alone, not for its collection', 'RFC 9110 §10.2.1', async (api) => {
    must((await methodsOf(api, (await api.make('members')).path)).includes('PATCH'), 'no PATCH of an item');
    must(!(await methodsOf(api, api.collection('members'))).includes('PATCH'), 'PATCH of a collection');
  }),
  met('OPTIONS of an item has Accept-Patch', 'RFC 5789 §3.1', async (api) => {
    const { headers } = ok(await api.ask('OPTIONS', (await api.make('members')).path));
    must(headers['accept-patch'], 'no Accept-Patch');
  }),
  ...[
    ['PATCH of a collection', 'PATCH', 'collection'],
    ['POST on an item', 'POST', 'item'],
    ['TRACE', 'TRACE', 'item'],
    ['LOCK, a method of another protocol,', 'LOCK', 'item'],
  ].map(([what, method = '', place]) =>
    refuses(
      `${what} with 405 and Allow, or 501`,
      'RFC 9110 §15.5.6, §9.1, C.125',
      async (api) => api.make('orders'),
      async (api) => {
        const { path } = await api.make('orders');
        const target = place === 'item' ? path : api.collection('orders');
        const answer = await api.ask(method, target, method === 'TRACE' ? {} : { json: {} });
        refusal(answer, 405, 501);
        if (answer.status === 405) must(answer.headers.allow !== undefined, 'no Allow');
      },
    ),
  ),
  met('Allow of a 405 names the methods that work', 'RFC 9110 §10.2.1', async (api) => {
    const { path } = await api.make('orders');
    const answer = refusal(await api.ask('POST', path, { json: {} }), 405);
    for (const method of ['GET', 'DELETE'])
      must(allowOf(answer.headers.allow).includes(method), `no ${method} in Allow: ${answer.headers.allow}`);
  }),
  refuses(
    'an unknown method with 501 or 405',
    'RFC 9110 §9.1, §15.6.2',
    async (api) => api.make('members'),
    async (api) => {
      const { path } = await api.make('members');
      refusal(await api.ask('PROPFIND', path), 405, 501);
    },
  ),
  ...[
    ['an unknown path', 'SIBLING'],
    ['a path below an item that does not exist', 'ITEM/nothing/here'],
    ['an identifier of another form', 'COLLECTION/no-such-id'],
    ['a long identifier', `COLLECTION/${'9'.repeat(1000)}`],
    ['an identifier with NUL', 'COLLECTION/a%00b'],
    ['an identifier with an encoded slash', 'COLLECTION/..%2F..%2Fetc%2Fpasswd'],
    ['a path with a malformed escape', 'COLLECTION/%E0%A4%A'],
  ].map(([what, path = '']) =>
    refuses(
      `${what} with 404 or 400`,
      'RFC 9110 §15.5.1, §15.5.5',
      async (api) => ok(await api.get((await api.make('members')).path), 200),
      async (api) => {
        const item = await api.make('members');
        const collection = api.collection('members');
        const sibling = `${collection.replace(/\/$/, '')}-nothing`;
        const target = path
          .replace('SIBLING', sibling)
          .replace('COLLECTION', collection)
          .replace('ITEM', item.path);
        refusal(await api.get(target), 400, 404);
      },
    ),
  ),
  met('the orders of a customer have a list of their own', 'C.82, C.23', async (api) => {
    const customer = await api.make('customers');
    const id = api.idIn('customers', await api.values(customer));
    const customerId = /^\d+$/.test(id) ? Number(id) : id;
    await api.make('orders');
    const order = await api.make('orders', { customerId });
    const path = api.adapter.ordersOf?.(customer.path);
    must(path !== undefined, 'no list of the orders of a customer');
    const items = api.itemsIn(ok(await api.get(path), 200), 'orders');
    same(
      items.map((one) => api.idIn('orders', one)),
      [api.idIn('orders', await api.values(order))],
    );
  }),
  met('a path is case-sensitive', 'RFC 3986 §6.2.2.1', async (api) => {
    ok(await api.get(api.collection('members')), 200);
    refusal(await api.get(api.collection('members').replace('members', 'MEMBERS')), 404);
  }),
  met('an identifier is not used again after a deletion', 'C.7', async (api) => {
    const [item, again] = [await api.make('members'), () => api.make('members')];
    ok(await api.remove(item));
    must((await again()).path !== item.path, 'a new item has the path of a removed one');
  }),
]);

import type { Answer } from '../../../../test/support/client/client.ts';
import { type Api, sample, unique } from '../api.ts';
import { met, part } from '../statement.ts';
import { must, ok, present, same } from '../verdict.ts';

/** Requests at the same time. */
const CALLERS = 12;
const together = <T>(send: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: CALLERS }, (_, at) => send(at)));

const winners = (answers: readonly Answer[]) => answers.filter(({ status }) => status < 300).length;
const noCrash = (answers: readonly Answer[]) => {
  const wrong = answers.find(({ status }) => status >= 500 && status !== 503);
  must(wrong === undefined, `status ${wrong?.status}`);
};

/** Exactly one of the requests with the same entity tag succeeds. */
const oneWins = (send: 'put' | 'merge' | 'remove') => async (api: Api) => {
  const item = await api.make('members');
  const headers = { 'If-Match': await api.tag(item) };
  const answers = await together((at) =>
    send === 'remove' ? api.remove(item, headers) : api[send](item, { ...item.sent, age: at }, headers),
  );
  const absent = answers.find(({ status }) => status === 405);
  if (absent) ok(absent);
  noCrash(answers);
  same(winners(answers), 1, 'the number of successes');
};

export const races = part('races', [
  met('concurrent POSTs create as many items, with different identifiers', 'C.10', async (api) => {
    const items = await together(() => api.make('members'));
    same(new Set(items.map(({ path }) => path)).size, CALLERS);
    for (const item of items) same((await api.values(item)).username, item.sent.username);
  }),
  met('of concurrent PUTs with the same If-Match, one succeeds', '3.5', oneWins('put')),
  met('of concurrent PATCHes with the same If-Match, one succeeds', '3.5', oneWins('merge')),
  met('of concurrent DELETEs with the same If-Match, one succeeds', '3.5', oneWins('remove')),
  met('of concurrent DELETEs without a condition, one gets 204', '15.7', async (api) => {
    const item = await api.make('members');
    const answers = await together(() => api.remove(item));
    noCrash(answers);
    same(winners(answers), 1, 'the number of successes');
  }),
  met(
    'of concurrent PUTs with If-None-Match: *, one creates the file',
    'RFC 9110 §13.1.2, 3.5',
    async (api) => {
      const path = present(present(api.adapter.files, 'files').path, 'PUT of a file')(unique());
      const headers = { 'If-None-Match': '*', 'Content-Type': 'text/plain' };
      const answers = await together((at) => api.ask('PUT', path, { body: `text ${at}`, headers }));
      noCrash(answers);
      same(winners(answers), 1, 'the number of successes');
      const at = answers.findIndex(({ status }) => status < 300);
      same(ok(await api.get(path), 200).text, `text ${at}`);
    },
  ),
  met('of concurrent POSTs with the same unique value, one succeeds', '2.11', async (api) => {
    const sku = unique();
    const answers = await together(() => api.post('products', { ...sample('products'), sku }));
    noCrash(answers);
    same(winners(answers), 1, 'the number of successes');
  }),
  met('concurrent PATCHes of different properties are all kept', 'RFC 5789 §2, 3.5', async (api) => {
    for (let round = 0; round < 5; round += 1) {
      const item = await api.make('members');
      const wanted = { name: 'Bo', email: 'b@example.org', age: 40 + round };
      const answers = await Promise.all(
        Object.entries(wanted).map(([name, value]) => api.merge(item, { [name]: value })),
      );
      noCrash(answers);
      const values = await api.values(item);
      for (const [at, [name, value]] of Object.entries(wanted).entries())
        if (ok(answers[at] ?? item.created, 200, 204, 409, 412, 503).status < 300)
          same(values[name], value, name);
    }
  }),
  met('concurrent insertions into an array by JSON Patch are all kept', 'RFC 5789 §2, 3.5', async (api) => {
    const item = await api.make('products', { tags: [] });
    const answers = await together((at) =>
      api.patch(item, [{ op: 'add', path: '/tags/-', value: `t${at}` }]),
    );
    for (const answer of answers.filter(({ status }) => ![409, 412, 503].includes(status))) ok(answer);
    const { tags } = await api.values(item);
    same(Array.isArray(tags) && new Set(tags).size, winners(answers));
  }),
  met(
    'of concurrent JSON Patches with the same test, one succeeds',
    'RFC 6902 §4.6, RFC 5789 §2',
    async (api) => {
      const item = await api.make('orders', { quantity: 1 });
      const answers = await together((at) =>
        api.patch(item, [
          { op: 'test', path: '/quantity', value: 1 },
          { op: 'replace', path: '/quantity', value: at + 10 },
        ]),
      );
      const absent = answers.find(({ status }) => status === 415 || status === 405);
      if (absent) ok(absent);
      same(winners(answers), 1, 'the number of successes');
    },
  ),
  met('a reader sees whole values while an item changes', 'C.6', async (api) => {
    const item = await api.make('customers');
    const writing = together((at) =>
      api.merge(item, { name: `n${at}`, address: { street: `n${at}`, city: 'Cork' } }),
    );
    const seen = await together(() => api.values(item));
    noCrash(await writing);
    for (const { name, address } of [...seen, await api.values(item)]) {
      const isFirst = name === item.sent.name;
      if (!isFirst) same(address, { street: name, city: 'Cork' }, 'address');
    }
  }),
  met('two clients that retry after 412 lose no change of each other', 'RFC 9110 §13.1.1', async (api) => {
    const item = await api.make('orders', { quantity: 1 });
    await api.tag(item);
    const add = async () => {
      for (let tries = 0; tries < 100; tries += 1) {
        const answer = ok(await api.get(item.path), 200);
        const quantity = Number(api.unwrap(answer).quantity) + 1;
        const done = await api.merge(item, { quantity }, { 'If-Match': answer.headers.etag ?? '' });
        if (done.status < 300) return;
        must([409, 412, 503].includes(done.status), `status ${done.status}`);
      }
    };
    await Promise.all([add(), add(), add(), add()]);
    same((await api.values(item)).quantity, 5);
  }),
  met('12 requests at a time get no 5xx', 'RFC 9110 §15.6', async (api) => {
    const { path } = await api.make('members');
    noCrash(await together(() => api.get(path)));
    noCrash(await together(() => api.post('members')));
  }),
]);

/** What an API had confirmed when its process ended by SIGKILL. One end serves all statements. */
async function survive(api: Api) {
  const created = await api.make('members');
  const changed = await api.make('members');
  ok(await api.merge(changed, { name: 'Changed' }));
  const removed = await api.make('members');
  ok(await api.remove(removed));
  const unused = await api.make('products');
  const before = ok(await api.get(created.path), 200);
  const file = await api.file('0123456789').catch(() => undefined);
  const confirmed: string[] = [];
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      const item = await api.make('members').catch(() => undefined);
      if (item) confirmed.push(item.path);
    }
  };
  const writing = [write(), write(), write(), write()];
  await new Promise((go) => setTimeout(go, 500));
  const crashed = api.crash();
  isOver = true;
  await Promise.all([crashed, ...writing]);
  return { created, changed, removed, unused, before, file, confirmed };
}
const scenes = new WeakMap<Api, ReturnType<typeof survive>>();
function after(api: Api): ReturnType<typeof survive> {
  const scene = scenes.get(api) ?? survive(api);
  scenes.set(api, scene);
  return scene;
}

export const durability = part('durability over kill -9', [
  met('the service starts again', '5.4', async (api) => {
    await after(api);
    await api.make('members');
  }),
  met('a created item is still there', '5.4', async (api) => {
    const { created } = await after(api);
    same((await api.values(created)).username, created.sent.username);
  }),
  met('a change is still there', '5.4', async (api) => {
    const { changed } = await after(api);
    same((await api.values(changed)).name, 'Changed');
  }),
  met('a removed item is still gone', '5.4', async (api) => {
    const { created, removed } = await after(api);
    await api.values(created);
    ok(await api.get(removed.path), 404, 410);
  }),
  met('each write that was confirmed under load is there', '10.1', async (api) => {
    const { confirmed } = await after(api);
    must(confirmed.length > 0, 'no write was confirmed');
    for (const path of confirmed) ok(await api.get(path), 200);
  }),
  met('a confirmed item is in its list', '5.4', async (api) => {
    const { created } = await after(api);
    const only = present(api.adapter.equal, 'filter')('username', String(created.sent.username));
    same((await api.list('members', only)).length, 1);
  }),
  met('the entity tag is still the same', 'RFC 9110 §8.8.3', async (api) => {
    const { created, before } = await after(api);
    same(await api.tag(created), present(before.headers.etag, 'ETag'));
  }),
  met('a unique value is still taken', '2.11', async (api) => {
    const { unused } = await after(api);
    const answer = await api.post('products', { ...sample('products'), sku: unused.sent.sku });
    ok(answer, 400, 409, 422);
  }),
  met('a stored file is still there', '5.4', async (api) => {
    present(api.adapter.files, 'files');
    const { file } = await after(api);
    same(ok(await api.get(file ?? ''), 200).text, '0123456789');
  }),
  met('a new item gets no identifier of an earlier one', 'C.7', async (api) => {
    const { created, removed } = await after(api);
    const { path } = await api.make('members');
    must(![created.path, removed.path].includes(path), 'the identifier is used again');
  }),
]);

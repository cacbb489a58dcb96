import { setTimeout as pause } from 'node:timers/promises';
import type { Kind, Values } from '../adapter.ts';
import { type Api, sample, unique } from '../api.ts';
import { met, part, refuses } from '../statement.ts';
import { must, ok, present, refusal, same } from '../verdict.ts';

const bulkOf = (api: Api) => present(api.adapter.bulk, 'bulk');
const createAll = (api: Api, kind: Kind, values: readonly Values[]) =>
  present(bulkOf(api).create, 'bulk creation')(api, kind, values);
const members = (number: number) => Array.from({ length: number }, () => sample('members'));
const exist = async (api: Api, values: readonly Values[]) => {
  let found = 0;
  for (const { username } of values) {
    const items = await api.list(
      'members',
      present(api.adapter.equal, 'filter')('username', String(username)),
    );
    found += items.filter((one) => one.username === username).length;
  }
  return found;
};

const bulk = [
  met('one request creates several items', '9.5', async (api) => {
    const values = members(3);
    ok(await createAll(api, 'members', values), 200, 201, 207);
    same(await exist(api, values), 3);
  }),
  refuses(
    'several items of which one is invalid, as a whole',
    '9.2, 9.3',
    async (api) => ok(await createAll(api, 'members', members(2)), 200, 201, 207),
    async (api) => {
      const values = members(2);
      const bad = { ...sample('members'), age: -1 };
      const { status, text } = await createAll(api, 'members', [...values, bad]);
      must(status < 500 && (status >= 400 || /"status":\s*4/.test(text)), `status ${status}`);
      same(await exist(api, values), 0, 'the number of created items');
    },
  ),
  met('one request creates 101 items', '9.3', async (api) => {
    const values = members(101);
    ok(await createAll(api, 'members', values), 200, 201, 202, 207);
    for (let tries = 0; tries < 50 && (await exist(api, values.slice(-1))) === 0; tries += 1)
      await pause(200);
    same(await exist(api, values.slice(-3)), 3);
  }),
  met('one request changes several items', 'C.80, 9.1', async (api) => {
    const update = present(bulkOf(api).update, 'bulk update');
    const items = [await api.make('customers'), await api.make('customers')];
    const values: Values[] = [];
    for (const item of items) values.push({ ...(await api.values(item)), name: 'Bo' });
    ok(await update(api, 'customers', values), 200, 204, 207);
    for (const item of items) same((await api.values(item)).name, 'Bo');
  }),
  met('one request removes all items of a collection', 'C.80, 9.6', async (api) => {
    const remove = present(bulkOf(api).remove, 'removal of all items');
    for (let at = 0; at < 3; at += 1) await api.make('customers');
    ok(await remove(api, 'customers'), 200, 202, 204);
    for (let tries = 0; tries < 50 && (await api.list('customers')).length > 0; tries += 1) await pause(200);
    same((await api.list('customers')).length, 0);
  }),
];

const prefer = { Prefer: 'respond-async' };
async function accepted(api: Api) {
  const values = sample('members');
  const answer = await api.post('members', values, prefer);
  if (answer.status !== 202) present(undefined, `202: the status is ${answer.status}`);
  return { answer, values, path: present(answer.headers.location, 'Location') };
}
/** Follows the status of work until it ends. */
async function ended(api: Api) {
  const { path } = await accepted(api);
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await api.get(path);
    if (answer.status !== 200 || !/"(?:NotStarted|Running|pending)"/i.test(answer.text))
      return { path, answer };
    await pause(100);
  }
  throw new Error('The work does not end');
}

const longWork = [
  met('Prefer: respond-async gets 202 with Location', 'RFC 7240 §4.1, C.40', accepted),
  met('a 202 has Preference-Applied', 'RFC 7240 §3', async (api) => {
    const { answer } = await accepted(api);
    must(/respond-async/.test(answer.headers['preference-applied'] ?? ''), 'no respond-async');
  }),
  met('a 202 says when to look again', 'RFC 9110 §10.2.3, 7.3', async (api) =>
    must((await accepted(api)).answer.headers['retry-after'], 'no Retry-After'),
  ),
  met('the status of work is a resource', 'C.41', async (api) => {
    const { path } = await accepted(api);
    ok(await api.get(path), 200, 303);
  }),
  met('work that created something ends with 303', 'C.42', async (api) => {
    const { answer } = await ended(api);
    ok(answer, 303);
    ok(await api.get(present(answer.headers.location, 'Location')), 200);
  }),
  met('the 303 comes again at each later request', '7.8', async (api) => {
    const { path } = await ended(api);
    ok(await api.get(path), 303);
  }),
  met('accepted work is done once', '7.13', async (api) => {
    const { values } = await accepted(api);
    for (let tries = 0; tries < 50 && (await exist(api, [values])) === 0; tries += 1) await pause(100);
    same(await exist(api, [values]), 1);
  }),
  met('an invalid request gets its error at once', '7.1', async (api) => {
    await accepted(api);
    refusal(await api.post('members', { ...sample('members'), age: 'old' }, prefer), 400, 422);
  }),
  met('a client can ask for the cancellation of work', 'C.36, 7.10', async (api) => {
    const { path } = await accepted(api);
    ok(await api.ask('DELETE', path), 202, 204, 409);
  }),
];

const minimal = { Prefer: 'return=minimal' };
const preferences = [
  met('Prefer: return=minimal gets a PATCH without content', 'RFC 7240 §4.2', async (api) => {
    const answer = ok(await api.merge(await api.make('members'), { name: 'Bo' }, minimal));
    if (answer.text !== '') present(undefined, 'return=minimal');
    same(answer.headers['preference-applied'], 'return=minimal');
  }),
  met(
    'Prefer: return=minimal gets a POST without content, but with Location',
    'RFC 7240 §4.2',
    async (api) => {
      const answer = ok(await api.post('members', sample('members'), minimal), 201, 204);
      if (answer.text !== '') present(undefined, 'return=minimal');
      must(answer.headers.location, 'no Location');
    },
  ),
  met('Prefer: return=representation gets a PATCH with the item', 'RFC 7240 §4.2', async (api) => {
    const item = await api.make('members');
    const answer = ok(await api.merge(item, { name: 'Bo' }, { Prefer: 'return=representation' }));
    same(answer.text !== '' && api.unwrap(answer).name, 'Bo');
  }),
  met('an unknown preference breaks nothing', 'RFC 7240 §2', async (api) =>
    ok(await api.post('members', sample('members'), { Prefer: 'x-unknown=1, wait=abc' }), 200, 201),
  ),
];

const keyed = async (api: Api) => {
  const headers = { 'Idempotency-Key': `"${unique()}"` };
  const values = sample('members');
  const first = ok(await api.post('members', values, headers), 200, 201);
  return { headers, values, first, again: await api.post('members', values, headers) };
};
const DRAFT = 'draft-ietf-httpapi-idempotency-key-header §2, 10.1';
const idempotency = [
  met('a repeat with the same Idempotency-Key creates nothing', DRAFT, async (api) => {
    const { values } = await keyed(api);
    same(await exist(api, [values]), 1);
  }),
  met('a repeat gets the response to the first request', DRAFT, async (api) => {
    const { first, again } = await keyed(api);
    same([again.status, again.text], [first.status, first.text]);
  }),
  met('of concurrent requests with the same key, one has an effect', DRAFT, async (api) => {
    const headers = { 'Idempotency-Key': `"${unique()}"` };
    const values = sample('members');
    await Promise.all(Array.from({ length: 8 }, () => api.post('members', values, headers)));
    same(await exist(api, [values]), 1);
  }),
  refuses(
    'a repeat with another body: 422',
    DRAFT,
    async (api) => ok((await keyed(api)).first, 200, 201),
    async (api) => {
      const { headers } = await keyed(api);
      refusal(await api.post('members', sample('members'), headers), 422);
    },
  ),
  met('a failed request leaves its key to a later one', DRAFT, async (api) => {
    const { values } = await keyed(api);
    same(await exist(api, [values]), 1);
    const headers = { 'Idempotency-Key': `"${unique()}"` };
    const other = sample('members');
    refusal(await api.post('members', { ...other, age: 'old' }, headers), 400, 422);
    const { status } = await api.post('members', other, headers);
    must([200, 201, 400, 422].includes(status), `status ${status}`);
  }),
];

export const work = [
  ...part('bulk', bulk),
  ...part('long work, preferences and repeats', [...longWork, ...preferences, ...idempotency]),
];

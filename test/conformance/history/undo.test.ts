import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Client } from '../../support/client/client.ts';
import { BROWSER, formsOf, type ShownForm, urlencoded } from '../../support/client/page.ts';
import { MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { clientAs, closedAlone } from '../../support/service/closed.ts';
import { unique } from '../../support/service/under-test.ts';
import { withFixture } from '../../support/service/with-fixture.ts';

/* Specification 17.9 to 17.12: changes of items go back, by any caller and of any kind. */

const SCOPES =
  'contracts:read contracts:write parties:read parties:write memos:read memos:write orders:read orders:write files:read files:write';
let service: Awaited<ReturnType<typeof closedAlone>>;
/** An agent, a person, and the same person with the scopes of operators. */
let ada: Client;
let bob: Client;
let operator: Client;

beforeAll(async () => {
  service = await closedAlone(withFixture('returning'));
  ada = await clientAs(service, 'ada', `${SCOPES} fees:write changes:undo`);
  bob = await clientAs(service, 'bob', `${SCOPES} fees:write changes:undo`);
  operator = await clientAs(
    service,
    'bob',
    `${SCOPES} changes:read changes:undo undo:all audit:read fees:write`,
  );
}, 40_000);
afterAll(() => service.stop());

/** The time before the first change of the agent in a test. */
async function now(): Promise<string> {
  await new Promise((passed) => setTimeout(passed, 5));
  return new Date().toISOString();
}

async function made(send: Client, collection: string, json: object): Promise<string> {
  const { status, headers, text } = await send('POST', collection, { json });
  expect({ status, text }).toEqual({ status: 201, text: expect.any(String) });
  return headers.location as string;
}

const idOf = (path: string): number => Number(path.split('/').at(-1));

async function done(send: Client, method: string, path: string, values?: object): Promise<Answer> {
  const sent = values ? { body: JSON.stringify(values), headers: MERGE_PATCH } : {};
  const answer = await send(method, path, sent);
  expect({ status: answer.status < 300, text: answer.text }).toEqual({
    status: true,
    text: expect.any(String),
  });
  return answer;
}

interface Report {
  readonly restored: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly skipped: readonly { readonly resource: string; readonly id?: number; readonly reason: string }[];
}

/** The result of an undo, and the path of its operation. */
async function undone(send: Client, json: object): Promise<Report & { readonly path: string }> {
  const { status, headers, text } = await send('POST', '/changes/undo', { json });
  expect({ status, text }).toEqual({ status: 202, text: expect.any(String) });
  const path = headers.location as string;
  for (;;) {
    const operation = await send('GET', path, { headers: { Prefer: 'wait=20' } });
    const { status: state, result, error } = operation.json();
    if (state === 'NotStarted' || state === 'Running') continue;
    expect({ state, error }).toEqual({ state: 'Succeeded', error: undefined });
    const { restored, removed, unchanged, skipped } = result as Report;
    return { restored, removed, unchanged, skipped, path };
  }
}

/** The values of an item without what each change alters; undefined: it does not exist. */
async function stateOf(path: string): Promise<object | undefined> {
  const answer = await operator('GET', path);
  if (answer.status === 404) return undefined;
  const { version, updatedAt, updatedBy, links, createdBy, ...values } = answer.json();
  return values;
}

describe('an undo of own changes', () => {
  // Specification 17.9
  test('removes what was created, brings back what was removed, and changes back what was changed', async () => {
    const kept = await made(bob, '/contracts', { title: 'kept', number: unique('n'), fee: 3 });
    const gone = await made(bob, '/contracts', { title: 'gone', number: unique('n'), fee: 4 });
    const twice = await made(bob, '/contracts', { title: 'twice' });
    const before = [await stateOf(kept), await stateOf(gone), await stateOf(twice)];
    const since = await now();
    const fresh = await made(ada, '/contracts', { title: 'fresh' });
    await done(ada, 'PATCH', kept, { title: 'other', number: unique('n'), fee: 99 });
    await done(ada, 'DELETE', gone);
    await done(ada, 'PATCH', twice, { title: 'a' });
    await done(ada, 'PATCH', twice, { title: 'b', fee: 1 });
    await done(ada, 'DELETE', twice);
    const passing = await made(ada, '/contracts', { title: 'passing' });
    await done(ada, 'DELETE', passing);
    const { path: _, ...report } = await undone(ada, { since });
    expect(report).toEqual({ restored: 3, removed: 1, unchanged: 1, skipped: [] });
    expect([await stateOf(kept), await stateOf(gone), await stateOf(twice)]).toEqual(before);
    expect([await stateOf(fresh), await stateOf(passing)]).toEqual([undefined, undefined]);
  });

  // Specification 17.9, 17.10
  test('brings a state and the values of the service back, with the event changed', async () => {
    const contract = await made(bob, '/contracts', { title: 'draft' });
    const order = await made(bob, '/orders', { productId: 1, quantity: 2, orderValue: 7 });
    const before = [await stateOf(contract), await stateOf(order)];
    const since = await now();
    await done(ada, 'POST', `${contract}/sign`);
    await done(ada, 'POST', `${contract}/count`);
    await done(ada, 'PATCH', order, { orderValue: 9 });
    await done(ada, 'POST', `${order}/pay`);
    const { path, ...report } = await undone(ada, { since });
    expect(report).toEqual({ restored: 2, removed: 0, unchanged: 0, skipped: [] });
    expect([await stateOf(contract), await stateOf(order)]).toEqual(before);
    const events = await changesOf(since, [contract, order]);
    expect(events.filter(({ undo }) => undo === undefined).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['contract.signed', 'order.paid']),
    );
    const ofUndo = events.filter(({ undo }) => undo !== undefined);
    expect(
      ofUndo.map(({ type, undo }) => ({ type, undo })).sort((a, b) => (a.type < b.type ? -1 : 1)),
    ).toEqual([
      { type: 'contract.changed', undo: String(idOf(path)) },
      { type: 'order.changed', undo: String(idOf(path)) },
    ]);
  });

  test('brings bytes back', async () => {
    const contract = await made(bob, '/contracts', { title: 'scanned' });
    const pdf = { 'Content-Type': 'application/pdf' };
    expect((await bob('PUT', `${contract}/scan`, { body: 'first', headers: pdf })).status).toBe(201);
    const since = await now();
    expect((await ada('PUT', `${contract}/scan`, { body: 'second', headers: pdf })).status).toBe(200);
    const other = await made(bob, '/contracts', { title: 'without' });
    expect((await ada('PUT', `${other}/scan`, { body: 'third', headers: pdf })).status).toBe(201);
    expect(await undone(ada, { since })).toMatchObject({ restored: 2, skipped: [] });
    expect((await operator('GET', `${contract}/scan`)).text).toBe('first');
    expect((await operator('GET', `${other}/scan`)).status).toBe(404);
  });

  // Specification 17.9
  test('restores referenced items first, and removes referring ones first', async () => {
    const party = await made(bob, '/parties', { name: 'Acme' });
    const contract = await made(bob, '/contracts', {
      title: 'c',
      witnessId: idOf(party),
      partyId: idOf(party),
    });
    const before = await stateOf(contract);
    const since = await now();
    await done(ada, 'DELETE', contract);
    await done(ada, 'DELETE', party);
    const fresh = await made(ada, '/parties', { name: 'fresh' });
    const referring = await made(ada, '/contracts', { title: 'r', witnessId: idOf(fresh) });
    const { path: _, ...report } = await undone(ada, { since });
    expect(report).toEqual({ restored: 2, removed: 2, unchanged: 0, skipped: [] });
    expect(await stateOf(contract)).toEqual(before);
    expect([await stateOf(fresh), await stateOf(referring)]).toEqual([undefined, undefined]);
  });

  // Specification 17.9
  test('leaves what a rule forbids, and gives the reason', async () => {
    const number = unique('n');
    const removed = await made(bob, '/contracts', { title: 'removed', number });
    const since = await now();
    await done(ada, 'DELETE', removed);
    await made(bob, '/contracts', { title: 'successor', number });
    expect(await undone(ada, { since })).toMatchObject({
      restored: 0,
      skipped: [
        {
          resource: 'contracts',
          id: idOf(removed),
          reason: expect.stringContaining('Another contract has this'),
        },
      ],
    });
  });

  // Specification 17.9
  test('frees a unique value before it gives it back', async () => {
    const number = unique('n');
    const first = await made(bob, '/contracts', { title: 'first', number });
    const since = await now();
    await done(ada, 'PATCH', first, { number: unique('n') });
    const thief = await made(ada, '/contracts', { title: 'thief', number });
    expect(await undone(ada, { since })).toMatchObject({ restored: 1, removed: 1, skipped: [] });
    expect(await stateOf(first)).toMatchObject({ number });
    expect(await stateOf(thief)).toBeUndefined();
  });

  // Specification 17.9
  test('keeps the limit of items that agree, and frees a place before it gives it back', async () => {
    const [full, free] = [unique('drawer'), unique('drawer')];
    const [removed, moved] = [
      await made(bob, '/contracts', { title: 'removed', drawer: full }),
      await made(bob, '/contracts', { title: 'moved', drawer: free }),
    ];
    const since = await now();
    await done(ada, 'DELETE', removed);
    await done(ada, 'PATCH', moved, { drawer: null });
    const thief = await made(ada, '/contracts', { title: 'thief', drawer: free });
    await made(bob, '/contracts', { title: 'successor', drawer: full });
    expect(await undone(ada, { since })).toMatchObject({
      restored: 1,
      removed: 1,
      skipped: [{ resource: 'contracts', id: idOf(removed), reason: 'The drawer is full' }],
    });
    expect([await stateOf(moved), await stateOf(thief)]).toEqual([
      expect.objectContaining({ drawer: free }),
      undefined,
    ]);
  });

  // Specification 17.12
  test('concerns the items that the caller owns, and with undo:all those of every owner', async () => {
    const [own, other] = [
      await made(ada, '/memos', { title: 'own' }),
      await made(bob, '/memos', { title: 'other' }),
    ];
    const titles = async () => [(await ada('GET', own)).json().title, (await bob('GET', other)).json().title];
    const since = await now();
    await done(ada, 'PATCH', own, { title: 'a' });
    await done(bob, 'PATCH', other, { title: 'b' });
    expect(await undone(bob, { since, resources: ['memos'] })).toMatchObject({ restored: 1, skipped: [] });
    expect(await titles()).toEqual(['a', 'other']);
    expect(await undone(operator, { since, by: 'ada', resources: ['memos'] })).toMatchObject({
      restored: 1,
      skipped: [],
    });
    expect(await titles()).toEqual(['own', 'other']);
  });

  // Specification 17.9
  test.each([2, 12, 40])('gives unique values back that pairs of %i items have exchanged', async (count) => {
    const numbers = Array.from({ length: count }, () => unique('n'));
    const paths: string[] = [];
    for (const number of numbers) paths.push(await made(bob, '/contracts', { title: 'exchanged', number }));
    const since = await now();
    for (const path of paths) await done(ada, 'PATCH', path, { number: null });
    for (const [at, path] of paths.entries())
      await done(ada, 'PATCH', path, { number: numbers[(at + count / 2) % count] });
    expect(await undone(ada, { since })).toMatchObject({ restored: count, skipped: [] });
    expect(await Promise.all(paths.map(stateOf))).toMatchObject(numbers.map((number) => ({ number })));
  });

  // Specification 17.11
  test('leaves items that another caller has changed since, unless an operator undoes over them', async () => {
    const shared = await made(bob, '/contracts', { title: 'before' });
    const since = await now();
    await done(ada, 'PATCH', shared, { title: 'agent' });
    await done(bob, 'PATCH', shared, { fee: 5 });
    const skipped = (reason: string) => [{ resource: 'contracts', id: idOf(shared), reason }];
    expect(await undone(ada, { since })).toMatchObject({
      restored: 0,
      skipped: skipped('changed since by another caller'),
    });
    expectProblem(await ada('POST', '/changes/undo', { json: { since, over: true } }), 403);
    expect((await undone(operator, { since, by: 'ada' })).skipped).toEqual(skipped('changed since by bob'));
    expect(await undone(operator, { since, by: 'ada', over: true })).toMatchObject({
      restored: 1,
      skipped: [],
    });
    expect(await stateOf(shared)).toMatchObject({ title: 'before' });
    expect(await stateOf(shared)).not.toHaveProperty('fee');
  });

  // Specification 17.10
  test('is a change of its caller, and can be undone', async () => {
    const contract = await made(bob, '/contracts', { title: 'one' });
    const since = await now();
    await done(ada, 'PATCH', contract, { title: 'two' });
    const fresh = await made(ada, '/contracts', { title: 'fresh' });
    const { path } = await undone(operator, { since, by: 'ada' });
    expect((await operator('GET', contract)).json()).toMatchObject({ title: 'one', updatedBy: 'bob' });
    expect(await undone(operator, { operation: idOf(path) })).toMatchObject({
      restored: 2,
      removed: 0,
      skipped: [],
    });
    expect([await stateOf(contract), await stateOf(fresh)]).toMatchObject([
      { title: 'two' },
      { title: 'fresh' },
    ]);
  });

  // Specification 17.9
  test('selects a time and resources', async () => {
    const since = await now();
    const first = await made(ada, '/contracts', { title: 'first' });
    const until = new Date().toISOString();
    await new Promise((passed) => setTimeout(passed, 5));
    const second = await made(ada, '/contracts', { title: 'second' });
    const party = await made(ada, '/parties', { name: 'party' });
    expect(await undone(ada, { since, until })).toMatchObject({ removed: 1 });
    expect([await stateOf(first), await stateOf(second)]).toEqual([undefined, expect.anything()]);
    expect(await undone(ada, { since, resources: ['parties'] })).toMatchObject({ removed: 1 });
    expect([await stateOf(party), await stateOf(second)]).toEqual([undefined, expect.anything()]);
  });
});

// Specification 17.9
test('files go back, too: new, replaced and removed ones', async () => {
  const names = ['kept', 'gone', 'fresh', 'passing', 'twice'].map((one) => `/files/${unique(one)}`);
  const [kept = '', gone = '', fresh = '', passing = '', twice = ''] = names;
  const text = { 'Content-Type': 'text/plain' };
  const put = async (send: Client, path: string, body: string, headers = text) =>
    expect((await send('PUT', path, { body, headers })).status).toBeLessThan(300);
  for (const path of [kept, gone, twice]) await put(bob, path, 'first');
  const since = await now();
  await put(ada, kept, 'second');
  await put(ada, kept, 'first', { 'Content-Type': 'text/csv' });
  await done(ada, 'DELETE', gone);
  await put(ada, fresh, 'fresh');
  await put(ada, passing, 'passing');
  await done(ada, 'DELETE', passing);
  await done(ada, 'DELETE', twice);
  await put(ada, twice, 'other');
  // Specification 7.18
  const plan = await ada('POST', '/changes/undo', {
    json: { since, resources: ['files'] },
    headers: { Prefer: 'dry-run' },
  });
  expect({ status: plan.status, text: plan.text }).toEqual({ status: 200, text: expect.any(String) });
  expect(plan.json()).toMatchObject({ dryRun: true, status: 202, total: 4 });
  const { path, ...report } = await undone(ada, { since, resources: ['files'] });
  expect(report).toEqual({ restored: 3, removed: 1, unchanged: 1, skipped: [] });
  const bytes = async () =>
    Promise.all(
      names.map(async (one) => {
        const { status, text: body, headers } = await bob('GET', one);
        return status === 404 ? undefined : [body, headers['content-type']];
      }),
    );
  const before = ['first', 'text/plain'];
  expect(await bytes()).toEqual([before, before, undefined, undefined, before]);
  const auditor = await clientAs(service, 'bob', 'files:read audit:read');
  const creators = async () => {
    const { items } = (await auditor('GET', '/files?limit=1000')).json();
    return [kept, gone, twice].map(
      (path) => items.find(({ filename }) => path === `/files/${filename}`)?.createdBy,
    );
  };
  expect(await creators()).toEqual(['bob', 'bob', 'bob']);
  // Specification 17.10: an undo can be undone.
  await undone(operator, { operation: idOf(path) });
  expect(await bytes()).toEqual([
    ['first', 'text/csv'],
    undefined,
    ['fresh', 'text/plain'],
    undefined,
    ['other', 'text/plain'],
  ]);
  expect(await creators()).toEqual(['bob', undefined, 'ada']);
});

describe('the scopes of an undo', () => {
  // Specification 17.12
  test('are changes:undo for own changes and undo:all for those of others', async () => {
    const since = await now();
    const none = await clientAs(service, 'ada', SCOPES);
    expectProblem(await none('POST', '/changes/undo', { json: { since } }), 403);
    const refused = await bob('POST', '/changes/undo', { json: { since, by: 'ada' } });
    expectProblem(refused, 403);
    expect(refused.json().detail).toContain('undo:all');
  });
});

// Specification 17.9
test('an undo that says nothing, or contradicts itself, is refused', async () => {
  const since = new Date().toISOString();
  const wrong = [
    {},
    { since, operation: 1 },
    { since, resources: ['none'] },
    { operation: 12 },
    { since: 'now' },
  ];
  expect(wrong).toHaveLength(5);
  for (const json of wrong)
    expectProblem(await operator('POST', '/changes/undo', { json }), 400, 'validation-error');
});

// Specification 17.2
test('the list of changes selects those of an author, also removals', async () => {
  const since = await now();
  const path = await made(ada, '/contracts', { title: 'of ada' });
  await done(bob, 'PATCH', path, { title: 'of bob' });
  await done(ada, 'DELETE', path);
  const reader = await clientAs(service, 'ada', `${SCOPES} changes:read`);
  const typesOf = async (send: Client, by: string) => {
    const answer = await send('GET', `/changes?since=${since}&by=${by}`);
    const own = answer.json().items.filter(({ subject }) => subject === path);
    return own.map(({ type }) => type);
  };
  await changesOf(since, [path], 3);
  expect(await typesOf(operator, 'ada')).toEqual(['contract.created', 'contract.removed']);
  expect(await typesOf(operator, 'bob')).toEqual(['contract.changed']);
  expect(await typesOf(reader, 'ada')).toEqual(['contract.created', 'contract.removed']);
  expectProblem(await reader('GET', `/changes?since=${since}&by=bob`), 403);
  for (const wrong of ['%0F', 'a'.repeat(256)])
    expectProblem(await operator('GET', `/changes?by=${wrong}`), 400, 'validation-error');
  // The form of the page sends an empty author.
  expect(await typesOf(operator, '')).toHaveLength(3);
});

// Specification 17.3
test('the changes of an author end a page after 100 removals, and the next one goes on', async () => {
  const since = await now();
  const many = Array.from({ length: 60 }, (_, at) => ({ name: `p${at}` }));
  const paths: string[] = [];
  for (const json of [many, many]) {
    const { items } = (await ada('POST', '/parties', { json })).json();
    paths.push(...items.map(({ id }) => `/parties/${id}`));
  }
  await Promise.all(paths.map((path) => done(ada, 'DELETE', path)));
  await changesOf(since, paths, 240);
  const sizes: number[] = [];
  let path = `/changes?resource=parties&type=party.removed&since=${since}&by=ada&limit=1000`;
  for (let page = 0; page < 3; page += 1) {
    const { items, links } = (await operator('GET', path)).json();
    sizes.push(items.length);
    path = String(links.find(({ rel }) => rel === 'next')?.href);
  }
  expect(sizes).toEqual([expect.any(Number), expect.any(Number), 0]);
  expect(sizes[0]).toBeLessThanOrEqual(100);
  expect((sizes[0] ?? 0) + (sizes[1] ?? 0)).toBe(120);
});

// Specification 17.13
describe('the page of changes', () => {
  const browse = (send: Client, path: string) => send('GET', path, { headers: BROWSER });
  const submit = (send: Client, { action, inputs }: ShownForm) =>
    send('POST', action, {
      headers: { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: urlencoded([...inputs]),
    });
  const undoIn = (page: string) => formsOf(page).find(({ action }) => action === '/changes/undo');

  test('plans the undo of an author, and the next page begins it', async () => {
    const kept = await made(bob, '/contracts', { title: 'as it was' });
    const since = await now();
    await done(ada, 'PATCH', kept, { title: 'as ada wants it' });
    const fresh = await made(ada, '/contracts', { title: 'of ada alone' });
    await changesOf(since, [kept, fresh], 2);
    const list = await browse(operator, `/changes?resource=contracts&since=${since}&by=ada`);
    expect(list.text).toContain('<td>ada</td>');
    const asked = undoIn(list.text) as ShownForm;
    expect(list.text).toContain('Undo the changes of ada…');
    const plan = await submit(operator, asked);
    expect(plan.status).toBe(200);
    expect(plan.text).toContain('Undo these changes of 2 items?');
    expect(plan.text).toContain('<del>as ada wants it</del> → <ins>as it was</ins>');
    expect((await stateOf(kept)) as object).toMatchObject({ title: 'as ada wants it' });
    const begun = await submit(operator, undoIn(plan.text) as ShownForm);
    expect([begun.status, begun.headers.location]).toEqual([
      303,
      expect.stringMatching(/^\/operations\/\d+$/),
    ]);
    await operator('GET', begun.headers.location as string, { headers: { Prefer: 'wait=20' } });
    const ended = await browse(operator, begun.headers.location as string);
    expect(ended.text).toContain('1 as before, 1 removed, 0 had no change left.');
    expect([await stateOf(kept), await stateOf(fresh)]).toEqual([
      expect.objectContaining({ title: 'as it was' }),
      undefined,
    ]);
  });

  test('says what is missing: a time, changes, or a scope', async () => {
    const since = await now();
    expect((await browse(operator, '/changes?limit=1')).text).toContain('choose their time first');
    const none = new Map([
      ['since', since],
      [':plan', 'yes'],
    ]);
    const plan = await submit(ada, { method: 'post', action: '/changes/undo', inputs: none });
    expect(plan.text).toContain('There is nothing to undo');
    const reader = await clientAs(service, 'eve', 'contracts:read changes:read');
    expect(undoIn((await browse(reader, `/changes?since=${since}`)).text)).toBeUndefined();
  });
});

interface Seen {
  readonly type: string;
  readonly subject: string;
  readonly undo?: string;
}

/** The events of these items, as soon as the log has one of an undo for each, or so many in all. */
async function changesOf(
  since: string,
  subjects: readonly string[],
  count = Number.POSITIVE_INFINITY,
): Promise<readonly Seen[]> {
  for (;;) {
    const answer = await operator('GET', `/changes?since=${since}&limit=1000`);
    const seen = answer.json().items.map(({ type, subject, undo }) => ({
      type: String(type),
      subject: String(subject),
      ...(undo === undefined ? {} : { undo: String(undo) }),
    }));
    const own = seen.filter(({ subject }) => subjects.includes(subject));
    if (own.length >= count || own.filter((one) => 'undo' in one).length >= subjects.length) return own;
    await new Promise((passed) => setTimeout(passed, 100));
  }
}

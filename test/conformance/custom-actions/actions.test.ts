import { describe, expect, test } from '@jest/globals';
import { ended } from '../../support/client/operation.ts';
import { BROWSER } from '../../support/client/page.ts';
import { MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { withOpened } from '../../support/service/opened.ts';
import { unique } from '../../support/service/under-test.ts';

/*
 * Actions with a body of their own, at an item and at a collection (decision 67).
 */
const send = withOpened('custom-actions');

/** A new item: its path, its identifier and its entity tag. */
async function made(collection: string, json: object) {
  const answer = await send('POST', collection, { json });
  expect(answer.status).toBe(201);
  return { path: answer.headers.location as string, id: answer.json().id, tag: answer.headers.etag };
}
const invoice = (more: object = {}) => made('/invoices', { amount: 10, ...more });
const stored = async (path: string) => (await send('GET', path)).json();
const remind = (path: string, json: unknown, headers = {}) =>
  send('POST', `${path}/remind`, { json, headers });

test('the check of a resource holds for its actions too', async () => {
  const { path } = await invoice();
  const answer = await remind(path, { text: 'forbidden' });
  expectProblem(answer, 409, 'conflict');
  expect(answer.json()).toMatchObject({
    detail: 'A note must be kind',
    errors: [{ pointer: '/note', detail: 'is not kind' }],
  });
  expect(await stored(path)).not.toHaveProperty('note');
  const json = { amount: 1, note: 'forbidden' };
  expectProblem(await send('POST', '/invoices', { json }), 400, 'validation-error');
});

describe('the body of a custom action', () => {
  test('changes the item as the action says, and the response shows it', async () => {
    const { path, id } = await invoice({ note: 'old' });
    const answer = await remind(path, { text: 'Please pay' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-location']).toBe(path);
    expect(answer.json()).toMatchObject({ id, note: 'Please pay', reminders: 1, amount: 10 });
    expect(answer.headers.etag).toBe((await send('GET', path)).headers.etag);
    expect(await stored(path)).toEqual(answer.json());
  });

  test('has all its faults in one response, by the rules of fields', async () => {
    const { path } = await invoice();
    const json = { text: 7, due: '2026-13-01', fee: 1.234, copies: 9, tags: 'a' };
    const answer = await remind(path, json);
    expectProblem(answer, 400, 'validation-error');
    expect(
      answer
        .json()
        .errors.map(({ pointer }) => pointer)
        .sort(),
    ).toEqual(['/copies', '/due', '/fee', '/tags', '/text']);
    expect(answer.json().errors).toContainEqual({ pointer: '/copies', detail: 'must be at most 3' });
    expect((await stored(path)).reminders).toBeUndefined();
  });

  test.each([
    ['nothing', undefined, 'malformed-body'],
    ['an object without a required property', {}, 'validation-error'],
    ['null for a required property', { text: null }, 'validation-error'],
    ['an array', [{ text: 'a' }], 'validation-error'],
  ])('that has %s gets 400', async (_, json, name) => {
    const { path } = await invoice();
    expectProblem(await remind(path, json), 400, name);
  });

  test('is a closed object: unknown properties and those of the item have no effect', async () => {
    const { path, id } = await invoice();
    const answer = await remind(path, { text: 'a', amount: 99, id: 5, status: 'paid', unknown: 1 });
    expect(answer.json()).toMatchObject({ id, amount: 10, status: 'open', note: 'a' });
  });

  test('may be XML', async () => {
    const { path } = await invoice();
    const xml = (body: string) =>
      send('POST', `${path}/remind`, { body, headers: { 'Content-Type': 'application/xml' } });
    const answer = await xml('<remind><text>By post</text><copies>2</copies></remind>');
    expect(answer.json()).toMatchObject({ note: 'By post', reminders: 1 });
    const faulty = await xml('<remind><copies>many</copies></remind>');
    expectProblem(faulty, 400, 'validation-error');
    expect(
      faulty
        .json()
        .errors.map(({ pointer }) => pointer)
        .sort(),
    ).toEqual(['/copies', '/text']);
  });

  // Specification 6.9
  test('names related items in its form on a page', async () => {
    const name = unique('Ada');
    const opened = await send('POST', '/invoices/open-account', { json: { name } });
    const { path } = await invoice();
    const { text } = await send('GET', `${path}/charge`, { headers: BROWSER });
    expect(text).toContain(`<option value="${name}">`);
    const charge = (accountId: string) =>
      send('POST', `${path}/charge`, {
        body: new URLSearchParams({ accountId }).toString(),
        headers: { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' },
      });
    const refused = await charge(unique('Bob'));
    expect(refused.text).toContain('no account “Bob');
    const done = await charge(name);
    expect([done.status, done.headers.location]).toEqual([303, `${path}?:done=charge`]);
    expect(await stored(path)).toMatchObject({ accountId: opened.json().accountId, status: 'paid' });
  });

  test('may be a form of an API client', async () => {
    const { path } = await invoice();
    const answer = await send('POST', `${path}/remind`, {
      body: 'text=From+a+form&copies=&unknown=1',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.json()).toMatchObject({ note: 'From a form', reminders: 1 });
  });

  test('of another media type gets 415 with the accepted ones', async () => {
    const { path } = await invoice();
    const answer = await send('POST', `${path}/remind`, {
      body: 'text',
      headers: { 'Content-Type': 'text/plain' },
    });
    expectProblem(answer, 415);
    expect(answer.headers['accept-post']).toContain('application/json');
    const options = await send('OPTIONS', `${path}/remind`);
    expect(options.headers['accept-post']).toBe(answer.headers['accept-post']);
    expect(options.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('may be absent if no property is required', async () => {
    const answer = await send('POST', '/invoices/open-account');
    expect(answer.status).toBe(201);
    const { accountId } = answer.json();
    expect(await stored(`/accounts/${accountId}`)).toMatchObject({ name: 'Unnamed', balance: 100 });
  });

  test('has the day of the request in UTC', async () => {
    const days = [new Date(), new Date(Date.now() + 60_000)].map((day) => day.toISOString().slice(0, 10));
    const { note } = (await send('POST', '/invoices/open-account')).json();
    expect(days).toContain(note);
  });
});

describe('a custom action', () => {
  test('is a link of the item, and of the list', async () => {
    const { path } = await invoice();
    const { links } = await stored(path);
    expect(links).toContainEqual({ rel: 'remind', href: `${path}/remind`, method: 'POST' });
    expect(links).toContainEqual({
      rel: 'forgive',
      href: `${path}/forgive`,
      method: 'POST',
      title: 'Forgive the reminders',
    });
    const list = await stored('/invoices');
    expect(list.links).toContainEqual({ rel: 'split', href: '/invoices/split', method: 'POST' });
    expect((await stored('/accounts')).links.map(({ method }) => method)).not.toContain('POST');
  });

  test('without a body has a result of no content, if it returns nothing', async () => {
    const { path } = await invoice();
    await remind(path, { text: 'a' });
    expect((await send('POST', `${path}/forgive`)).status).toBe(204);
    const { reminders, note } = await stored(path);
    expect([reminders, note]).toEqual([undefined, undefined]);
    expect((await send('POST', '/invoices/touch')).status).toBe(204);
  });

  test('may remove the item', async () => {
    const { path } = await invoice();
    expect((await send('POST', `${path}/write-off`)).status).toBe(204);
    expectProblem(await send('GET', path), 404);
    expectProblem(await send('POST', `${path}/write-off`), 404);
  });

  test('of a missing item gets 404, whatever the client prefers', async () => {
    expectProblem(await remind('/invoices/1', { text: 'a' }), 404);
    expectProblem(await remind('/invoices/1', { text: 'a' }, { Prefer: 'respond-async' }), 404);
  });

  test('of a collection gets 201 with the path of the item that it returns', async () => {
    const answer = await send('POST', '/invoices/split', { json: { amount: 4 } });
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ amount: 4, reminders: 0, status: 'open' });
    expect(await stored(answer.headers.location as string)).toEqual(answer.json());
  });

  test('may refuse with a reason, and changes nothing', async () => {
    const { path } = await invoice();
    await send('POST', `${path}/pay`);
    const before = await send('GET', path);
    const answer = await remind(path, { text: 'a' });
    expectProblem(answer, 409, 'conflict');
    expect(answer.json()).toMatchObject({
      detail: 'The invoice is paid',
      errors: [{ pointer: '/status', detail: 'is paid' }],
    });
    expect((await send('GET', path)).text).toBe(before.text);
  });

  test('gets 409 if the item would not be valid, with the property', async () => {
    const { path } = await invoice();
    const answer = await remind(path, { text: 'longer than 20 characters' });
    expectProblem(answer, 409, 'conflict');
    expect(answer.json().errors).toEqual([{ pointer: '/note', detail: 'must have at most 20 characters' }]);
    for (const text of ['1', '2', '3']) expect((await remind(path, { text })).status).toBe(200);
    const fourth = await remind(path, { text: '4' });
    expect(fourth.json().errors).toEqual([{ pointer: '/reminders', detail: 'must be at most 3' }]);
  });

  test('holds unique values, and creates none of several items if one is refused', async () => {
    const number = unique('n');
    await invoice({ number });
    const taken = await send('POST', '/invoices/split', { json: { amount: 1, parts: 1, number } });
    expectProblem(taken, 409, 'conflict');
    expect(taken.json().errors).toEqual([{ pointer: '/number', detail: 'is the value of another invoice' }]);
    const own = unique('n');
    const twice = await send('POST', '/invoices/split', { json: { amount: 1, parts: 2, number: own } });
    expectProblem(twice, 409, 'conflict');
    expect((await stored('/invoices?limit=1000')).items.filter((one) => one.number === own)).toEqual([]);
  });

  test('with too many changes for one transaction fails, and changes nothing', async () => {
    const amount = Math.floor(Math.random() * 1e9);
    expectProblem(await send('POST', '/invoices/split', { json: { amount, parts: 101 } }), 409, 'conflict');
    expect((await stored(`/invoices?limit=1000&amount=${amount}`)).items).toEqual([]);
    expect((await send('POST', '/invoices/split', { json: { amount, parts: 100 } })).status).toBe(201);
  });

  test('with more than 4 MB of items fails, and changes nothing', async () => {
    const rename = (ids: readonly string[]) => send('POST', '/invoices/rename', { json: { ids, name: 'b' } });
    const ids: string[] = [];
    for (let at = 0; at < 17; at += 1)
      ids.push(String((await made('/accounts', { name: 'x'.repeat(250_000) })).id));
    const refused = await rename(ids);
    expectProblem(refused, 409, 'conflict');
    expect((await stored(`/accounts/${ids[0]}`)).name).toHaveLength(250_000);
    expect((await rename(ids.slice(0, 15))).status).toBe(204);
    expect((await rename(ids)).status).toBe(204);
    expect(await stored(`/accounts/${ids[16]}`)).toMatchObject({ name: 'b' });
  });

  test('changes items of two resources, or none of them', async () => {
    const first = await send('POST', '/invoices/open-account', { json: { name: 'Ada' } });
    const { accountId } = first.json();
    const [cheap, dear] = [await invoice({ amount: 60 }), await invoice({ amount: 50 })];
    const charge = (path: string) =>
      send('POST', `${path}/charge`, { json: { accountId: String(accountId) } });
    expect((await charge(cheap.path)).json()).toMatchObject({ accountId, status: 'paid' });
    expect(await stored(`/accounts/${accountId}`)).toMatchObject({ balance: 40 });
    expectProblem(await charge(dear.path), 409, 'conflict');
    expect(await stored(`/accounts/${accountId}`)).toMatchObject({ balance: 40 });
    expect(await stored(dear.path)).toMatchObject({ status: 'open' });
  });
});

describe('conditions and repetitions of a custom action', () => {
  const key = () => ({ 'Idempotency-Key': `"${crypto.randomUUID()}"` });

  test('If-Match of an older version gets 412, and the present one succeeds', async () => {
    const { path, tag } = await invoice();
    expect((await remind(path, { text: 'a' }, { 'If-Match': tag })).status).toBe(200);
    const answer = await remind(path, { text: 'b' }, { 'If-Match': tag });
    expectProblem(answer, 412);
    expect(await stored(path)).toMatchObject({ note: 'a', reminders: 1 });
  });

  test('a repetition with the same key gets the same response, and has no effect', async () => {
    const { path } = await invoice();
    const headers = key();
    const first = await remind(path, { text: 'a' }, headers);
    const second = await remind(path, { text: 'a' }, headers);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expectProblem(await remind(path, { text: 'b' }, headers), 422);
    expect(await stored(path)).toMatchObject({ note: 'a', reminders: 1 });
  });

  test('a repetition of an action without a result has no effect either', async () => {
    const headers = key();
    for (const replayed of [undefined, 'true']) {
      const answer = await send('POST', '/invoices/touch', { headers });
      expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([204, replayed]);
    }
  });

  test('respond-async makes an operation with the name of the action', async () => {
    const { path } = await invoice();
    const accepted = await remind(path, { text: 'later' }, { Prefer: 'respond-async' });
    expect(accepted.json().kind).toBe('invoices.remind');
    expect((await ended(accepted, send)).json()).toMatchObject({ status: 'Succeeded' });
    expect(await stored(path)).toMatchObject({ note: 'later', reminders: 1 });
    const split = await send('POST', '/invoices/split', {
      json: { amount: 3 },
      headers: { Prefer: 'respond-async' },
    });
    const end = await ended(split, send);
    expect(end.status).toBe(303);
    expect(await stored(end.headers.location as string)).toMatchObject({ amount: 3 });
  });

  test('respond-async gets the refusal of the action at once', async () => {
    const { path } = await invoice();
    await send('POST', `${path}/pay`);
    expectProblem(await remind(path, { text: 'a' }, { Prefer: 'respond-async' }), 409, 'conflict');
    expectProblem(await remind(path, {}, { Prefer: 'respond-async' }), 400);
  });

  test('parallel requests each see the effects of the others', async () => {
    const { accountId } = (await send('POST', '/invoices/open-account', { json: {} })).json();
    const all = await Promise.all(Array.from({ length: 6 }, () => invoice({ amount: 30 })));
    const answers = await Promise.all(
      all.map(({ path }) => send('POST', `${path}/charge`, { json: { accountId } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409]);
    expect(await stored(`/accounts/${accountId}`)).toMatchObject({ balance: 10 });
    const { path } = await invoice();
    const reminded = await Promise.all(['a', 'b'].map((text) => remind(path, { text })));
    expect(reminded.map(({ status }) => status)).toEqual([200, 200]);
    expect((await stored(path)).reminders).toBe(2);
  });
});

describe('an item that an action has only read', () => {
  test('is the same when its changes commit: of two actions that exclude each other, one succeeds', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const [one, other] = [await invoice(), await invoice()];
      const answers = await Promise.all([
        send('POST', `${one.path}/settle`, { json: { otherId: other.id } }),
        send('POST', `${other.path}/settle`, { json: { otherId: one.id } }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });
});

describe('a field that only an action sets', () => {
  test('is closed to POST, PUT and PATCH', async () => {
    const { path } = await invoice({ reminders: 2 });
    expect((await stored(path)).reminders).toBeUndefined();
    await remind(path, { text: 'a' });
    expect((await send('PUT', path, { json: { amount: 1, reminders: 0 } })).status).toBe(200);
    expect(await stored(path)).toMatchObject({ amount: 1, reminders: 1 });
    const patched = await send('PATCH', path, { json: { reminders: 0 }, headers: MERGE_PATCH });
    expectProblem(patched, 409, 'patch-conflict');
    expect((await stored(path)).reminders).toBe(1);
  });
});

import { describe, expect, test } from '@jest/globals';
import { BROWSER, formsOf, urlencoded } from '../support/page.ts';
import { expectProblem } from '../support/problem.ts';
import { create, get, send, underTest, unique } from '../support/under-test.ts';

/**
 * "`created → paid → placed → completed`; `canceled` from any of the first three." Source: decisions §8; conventions,
 * "a business process that moves from payment to order to completion is modelled with POST on a control URI".
 */
underTest();

const order = async () => (await create('/orders', { productId: 1, orderValue: 1 })).path;
const move = (path: string, name: string, headers: Record<string, string> = {}) =>
  send('POST', `${path}/${name}`, { headers });

const TO: Record<string, string> = {
  pay: 'paid',
  place: 'placed',
  complete: 'completed',
  cancel: 'canceled',
};
/** The moves that lead to each state, and those it allows. */
const STATES: [string, string[], string[]][] = [
  ['created', [], ['pay', 'cancel']],
  ['paid', ['pay'], ['place', 'cancel']],
  ['placed', ['pay', 'place'], ['complete', 'cancel']],
  ['completed', ['pay', 'place', 'complete'], []],
  ['canceled', ['cancel'], []],
];

describe.each(STATES)('an order that is %s', (state, way, allowed) => {
  const inState = async () => {
    const path = await order();
    for (const name of way) expect((await move(path, name)).status).toBe(200);
    return path;
  };

  // "Links (and HTML buttons) show only allowed moves."
  test('shows the moves it allows, as links and as buttons', async () => {
    const path = await inState();
    const { links, status } = (await get(path)).json();
    expect(status).toBe(state);
    const moves = links.filter(({ method }) => method === 'POST');
    expect(moves.map(({ rel, href }) => [rel, href])).toEqual(
      allowed.map((name) => [name, `${path}/${name}`]),
    );
    const page = (await get(path, BROWSER)).text;
    expect(formsOf(page).map(({ action }) => action)).toEqual(allowed.map((name) => `${path}/${name}`));
  });

  test.each(Object.keys(TO))('%s', async (name) => {
    const path = await inState();
    const before = await get(path);
    const answer = await move(path, name);
    if (allowed.includes(name)) {
      // "→ 200 with the order"
      expect([answer.status, answer.json().status]).toEqual([200, TO[name]]);
      expect(answer.headers['content-location']).toBe(path);
    } else if (TO[name] === state) {
      // "repeating the move just made → 200"
      expect([answer.status, answer.headers.etag]).toEqual([200, before.headers.etag]);
    } else {
      // "a move that the state does not allow → 409 `invalid-transition` with `currentStatus` and `allowed`"
      expectProblem(answer, 409, 'invalid-transition');
      expect(answer.json()).toMatchObject({ currentStatus: state, allowed });
      expect((await get(path)).text).toBe(before.text);
    }
  });
});

// "GET on a control URI → 405 `Allow: POST, OPTIONS`."
test.each(Object.keys(TO))('GET /orders/{id}/%s is no way to make a move', async (name) => {
  const path = await order();
  const answer = await get(`${path}/${name}`);
  expectProblem(answer, 405);
  expect(answer.headers.allow).toBe('POST, OPTIONS');
  expect((await get(path)).json().status).toBe('created');
});

test('an order that does not exist cannot be moved', async () => {
  expectProblem(await move('/orders/1', 'pay'), 404);
});

test('preconditions guard a move', async () => {
  const path = await order();
  const { etag } = (await get(path)).headers;
  expect((await move(path, 'pay', { 'If-Match': etag as string })).status).toBe(200);
  expectProblem(await move(path, 'place', { 'If-Match': etag as string }), 412);
});

test('moves that exclude each other: one wins, and each is told the truth', async () => {
  for (let round = 0; round < 10; round += 1) {
    const path = await order();
    await move(path, 'pay');
    await move(path, 'place');
    const answers = await Promise.all([move(path, 'complete'), move(path, 'cancel')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = answers.find(({ status }) => status === 200);
    expect((await get(path)).json().status).toBe(won?.json().status);
  }
});

test('what clients send as status is ignored: moves alone change it', async () => {
  const path = await order();
  await send('PUT', path, { json: { productId: 1, orderValue: 1, status: 'completed' } });
  expect((await get(path)).json().status).toBe('created');
  await move(path, 'pay');
  await send('PUT', path, { json: { productId: 2, orderValue: 2 } });
  expect((await get(path)).json()).toMatchObject({ status: 'paid', productId: 2 });
});

test('with an idempotency key a move is answered the same, whatever came after it', async () => {
  const path = await order();
  const headers = { 'Idempotency-Key': unique('k') };
  const paid = await move(path, 'pay', headers);
  await move(path, 'place');
  const again = await move(path, 'pay', headers);
  expect([again.status, again.text]).toEqual([200, paid.text]);
  expectProblem(await move(path, 'pay'), 409);
});

test('content that the service cannot know is not ignored; what programs usually send is', async () => {
  const path = await order();
  for (const [type, body] of [
    ['text/csv', 'a,b'],
    ['application/x-www-form-urlencoded; charset=latin1', 'a=b'],
  ] as const)
    expectProblem(await send('POST', `${path}/pay`, { headers: { 'Content-Type': type }, body }), 415);
  const gzip = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  expectProblem(await send('POST', `${path}/pay`, { headers: gzip, body: 'x' }), 415);
  const malformed = ['{broken', '"'].map((body) => ['application/json', body]);
  for (const [type, body] of [...malformed, ['application/xml', '<order>']]) {
    const sent = { headers: { 'Content-Type': type as string }, body: body as string };
    expectProblem(await send('POST', `${path}/pay`, sent), 400, 'malformed-body');
    expectProblem(await send('POST', `${path}/delete`, sent), 400, 'malformed-body');
  }
  expect((await get(path)).json().status).toBe('created');
  expect((await send('POST', `${path}/pay`, { json: {} })).json().status).toBe('paid');
});

test('a browser presses a button, twice in a hurry, and is sent back to the order', async () => {
  const path = await order();
  const [pay] = formsOf((await get(path, BROWSER)).text);
  const headers = { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' };
  const press = () => send('POST', pay?.action ?? '', { headers, body: urlencoded(pay?.inputs ?? []) });
  for (const { status, headers: fields } of await Promise.all([press(), press()]))
    expect([status, fields.location]).toEqual([303, path]);
  expect((await get(path)).json().status).toBe('paid');
});

// "Deleting a customer with orders that are paid or placed → 409; otherwise 204 and their orders stay,
// `/orders/{id}/customer` then 404."
describe('a customer with orders under way', () => {
  const customer = async () => (await create('/customers', { name: unique('c') })).path;
  const orderOf = async (path: string) =>
    (await create(`${path}/orders`, { productId: 1, orderValue: 1 })).path;
  const remove = (path: string) => send('DELETE', path);
  const idIn = (path: string) => Number(path.split('/').at(-1));

  test.each([
    [[], 204],
    [['pay'], 409],
    [['pay', 'place'], 409],
    [['pay', 'place', 'complete'], 204],
    [['pay', 'cancel'], 204],
    [['pay', 'pay', 'place', 'place', 'cancel', 'cancel'], 204],
  ])('after %j: %i', async (moves, status) => {
    const owner = await customer();
    const path = await orderOf(owner);
    for (const name of moves) expect((await move(path, name)).status).toBe(200);
    const answer = await remove(owner);
    if (status === 409) {
      expectProblem(answer, 409, 'conflict');
      expect((await get(owner)).status).toBe(200);
    } else {
      expect(answer.status).toBe(204);
      expect((await get(path)).status).toBe(200);
      expectProblem(await get(`${path}/customer`), 404);
    }
  });

  test('is freed when the order is deleted, or given to somebody else', async () => {
    const [one, two] = [await customer(), await customer()];
    const [first, second] = [await orderOf(one), await orderOf(one)];
    await move(first, 'pay');
    await move(second, 'pay');
    expectProblem(await remove(one), 409);
    expect((await send('DELETE', first)).status).toBe(204);
    expectProblem(await remove(one), 409);
    const json = { productId: 1, orderValue: 1, customerId: idIn(two) };
    expect((await send('PUT', second, { json })).json().status).toBe('paid');
    expect((await remove(one)).status).toBe(204);
    expectProblem(await remove(two), 409);
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    const left = await send('PATCH', second, { headers: merge, json: { customerId: null } });
    expect(left.json()).not.toHaveProperty('customerId');
    expect((await remove(two)).status).toBe(204);
  });

  test('an order of a customer who is gone moves on all the same', async () => {
    const owner = await customer();
    const path = await orderOf(owner);
    expect((await remove(owner)).status).toBe(204);
    for (const name of ['pay', 'place', 'complete'])
      expect((await move(path, name)).json().status).toBe(TO[name]);
    expect((await send('DELETE', path)).status).toBe(204);
  });

  test('payment and removal race: either the customer stays, or the order has none', async () => {
    for (let round = 0; round < 10; round += 1) {
      const owner = await customer();
      const path = await orderOf(owner);
      const [paid, removed] = await Promise.all([move(path, 'pay'), remove(owner)]);
      expect(paid.status).toBe(200);
      expect([204, 409]).toContain(removed.status);
      expect((await get(`${path}/customer`)).status).toBe(removed.status === 204 ? 404 : 200);
      if (removed.status === 204) continue;
      expect((await move(path, 'cancel')).status).toBe(200);
      expect((await remove(owner)).status).toBe(204);
    }
  });

  test('racing to give a paid order to the same customer: all succeed, and it counts once', async () => {
    const [one, two] = [await customer(), await customer()];
    for (let round = 0; round < 5; round += 1) {
      const path = await orderOf(one);
      await move(path, 'pay');
      const json = { productId: 1, orderValue: 1, customerId: idIn(two) };
      const answers = await Promise.all(Array.from({ length: 6 }, () => send('PUT', path, { json })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expectProblem(await remove(two), 409);
      await move(path, 'cancel');
    }
    expect((await remove(one)).status).toBe(204);
    expect((await remove(two)).status).toBe(204);
  });

  test('a browser is told why', async () => {
    const owner = await customer();
    await move(await orderOf(owner), 'pay');
    const answer = await send('POST', `${owner}/delete`, { headers: BROWSER });
    expect([answer.status, answer.headers['content-type']]).toEqual([409, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('paid or placed');
  });
});

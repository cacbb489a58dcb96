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

test('a browser presses a button, twice in a hurry, and is sent back to the order', async () => {
  const path = await order();
  const [pay] = formsOf((await get(path, BROWSER)).text);
  const headers = { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' };
  const press = () => send('POST', pay?.action ?? '', { headers, body: urlencoded(pay?.inputs ?? []) });
  for (const { status, headers: fields } of await Promise.all([press(), press()]))
    expect([status, fields.location]).toEqual([303, path]);
  expect((await get(path)).json().status).toBe('paid');
});

import { describe, expect, test } from '@jest/globals';
import { BROWSER, formsOf, urlencoded } from '../support/page.ts';
import { expectProblem } from '../support/problem.ts';
import { create, get, send, underTest, unique } from '../support/under-test.ts';

/** The business process of an order. Source: Specification 8.1 to 8.4, C.44. */
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
/** The transitions that lead to each state, and the transitions that it allows. */
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

  // Specification 8.3
  test('shows the allowed transitions as links and as buttons', async () => {
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

  test.each(Object.keys(TO))('responds to %s by its state', async (name) => {
    const path = await inState();
    const before = await get(path);
    const answer = await move(path, name);
    if (allowed.includes(name)) {
      // Specification 8.1
      expect([answer.status, answer.json().status]).toEqual([200, TO[name]]);
      expect(answer.headers['content-location']).toBe(path);
    } else if (TO[name] === state) {
      // Specification 8.2: a client may repeat the last transition.
      expect([answer.status, answer.headers.etag]).toEqual([200, before.headers.etag]);
    } else {
      // Specification 8.2: the state does not allow this transition.
      expectProblem(answer, 409, 'invalid-transition');
      expect(answer.json()).toMatchObject({ currentStatus: state, allowed });
      expect((await get(path)).text).toBe(before.text);
    }
  });
});

// Specification 8.3
test.each(Object.keys(TO))('GET /orders/{id}/%s gets 405', async (name) => {
  const path = await order();
  const answer = await get(`${path}/${name}`);
  expectProblem(answer, 405);
  expect(answer.headers.allow).toBe('POST, OPTIONS');
  expect((await get(path)).json().status).toBe('created');
});

test('a transition of a missing order gets 404', async () => {
  expectProblem(await move('/orders/1', 'pay'), 404);
});

test('preconditions apply to a transition', async () => {
  const path = await order();
  const { etag } = (await get(path)).headers;
  expect((await move(path, 'pay', { 'If-Match': etag as string })).status).toBe(200);
  expectProblem(await move(path, 'place', { 'If-Match': etag as string }), 412);
});

test('one of two exclusive transitions wins, and the other gets 409', async () => {
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

test('the service ignores a status in the body: only transitions change it', async () => {
  const path = await order();
  await send('PUT', path, { json: { productId: 1, orderValue: 1, status: 'completed' } });
  expect((await get(path)).json().status).toBe('created');
  await move(path, 'pay');
  await send('PUT', path, { json: { productId: 2, orderValue: 2 } });
  expect((await get(path)).json()).toMatchObject({ status: 'paid', productId: 2 });
});

test('a transition with an idempotency key is replayed, whatever followed it', async () => {
  const path = await order();
  const headers = { 'Idempotency-Key': unique('k') };
  const paid = await move(path, 'pay', headers);
  await move(path, 'place');
  const again = await move(path, 'pay', headers);
  expect([again.status, again.text]).toEqual([200, paid.text]);
  expectProblem(await move(path, 'pay'), 409);
});

test('a transition refuses unknown content and accepts the usual empty bodies', async () => {
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

test('a double click on a button in a browser succeeds and returns to the order', async () => {
  const path = await order();
  const [pay] = formsOf((await get(path, BROWSER)).text);
  const headers = { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' };
  const press = () => send('POST', pay?.action ?? '', { headers, body: urlencoded(pay?.inputs ?? []) });
  for (const { status, headers: fields } of await Promise.all([press(), press()]))
    expect([status, fields.location]).toEqual([303, path]);
  expect((await get(path)).json().status).toBe('paid');
});

// Specification 8.4
describe('a customer with active orders', () => {
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
  ])('after %j gets %i for DELETE', async (moves, status) => {
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

  test('can be deleted when the order is deleted or belongs to another customer', async () => {
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

  test('leaves orders that can continue after the customer is gone', async () => {
    const owner = await customer();
    const path = await orderOf(owner);
    expect((await remove(owner)).status).toBe(204);
    for (const name of ['pay', 'place', 'complete'])
      expect((await move(path, name)).json().status).toBe(TO[name]);
    expect((await send('DELETE', path)).status).toBe(204);
  });

  test('either stays or loses the order, if payment and deletion race', async () => {
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

  test('counts a paid order once if several requests give it to this customer', async () => {
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

  test('gets a page with the cause in a browser', async () => {
    const owner = await customer();
    await move(await orderOf(owner), 'pay');
    const answer = await send('POST', `${owner}/delete`, { headers: BROWSER });
    expect([answer.status, answer.headers['content-type']]).toEqual([409, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('paid or placed');
  });
});

import { describe, expect, test } from '@jest/globals';
import { BROWSER, formsOf, urlencoded } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

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
/** Makes transitions one after the other, all of which must succeed. */
async function moveAll(path: string, names: readonly string[]): Promise<void> {
  const statuses: number[] = [];
  for (const name of names) statuses.push((await move(path, name)).status);
  expect(statuses).toEqual(names.map(() => 200));
}

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
    await moveAll(path, way);
    return path;
  };

  // Specification 8.3
  test('shows the allowed transitions as links and as buttons', async () => {
    const path = await inState();
    const { links, status } = (await get(path)).json();
    expect(status).toBe(state);
    // Links to related items, transitions, and what every item has.
    expect(links.map(({ rel }) => rel)).toEqual([
      'self',
      'products',
      ...allowed,
      'collection',
      'describedby',
    ]);
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
  // Specification 3.3
  expectProblem(await move(path, 'complete', { 'If-Match': etag as string }), 409, 'invalid-transition');
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
  await send('PUT', path, { json: { productId: 1, orderValue: 1, note: 'a' } });
  expect((await get(path)).json()).toMatchObject({ status: 'paid', note: 'a' });
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
    ['text/calendar', 'a,b'],
    ['application/x-www-form-urlencoded; charset=latin1', 'a=b'],
  ] as const)
    expectProblem(await send('POST', `${path}/pay`, { headers: { 'Content-Type': type }, body }), 415);
  const coded = { 'Content-Type': 'application/json', 'Content-Encoding': 'br' };
  expectProblem(await send('POST', `${path}/pay`, { headers: coded, body: 'x' }), 415);
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
    expect([status, fields.location]).toEqual([303, `${path}?:done=pay`]);
  expect((await get(path)).json().status).toBe('paid');
});

describe('DELETE of a customer (Specification 8.4)', () => {
  const customer = async () => (await create('/customers', { name: unique('c') })).path;
  const orderOf = async (path: string) =>
    (await create(`${path}/orders`, { productId: 1, orderValue: 1 })).path;

  test.each([[[]], [['pay']], [['pay', 'place']], [['pay', 'place', 'complete']], [['pay', 'cancel']]])(
    'after %j of an order gets 204, and the order stays without a customer',
    async (moves) => {
      const owner = await customer();
      const path = await orderOf(owner);
      await moveAll(path, moves);
      const before = (await get(path)).json();
      expect((await send('DELETE', owner)).status).toBe(204);
      expectProblem(await get(owner), 404);
      expect((await get(path)).json()).toEqual(before);
      expectProblem(await get(`${path}/customer`), 404);
    },
  );

  test('leaves orders that can continue', async () => {
    const owner = await customer();
    const path = await orderOf(owner);
    expect((await send('DELETE', owner)).status).toBe(204);
    for (const name of ['pay', 'place', 'complete'])
      expect((await move(path, name)).json().status).toBe(TO[name]);
    expect((await send('DELETE', path)).status).toBe(204);
  });

  test('succeeds while a payment succeeds', async () => {
    for (let round = 0; round < 10; round += 1) {
      const owner = await customer();
      const path = await orderOf(owner);
      const answers = await Promise.all([move(path, 'pay'), send('DELETE', owner)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 204]);
      expect((await get(path)).json().status).toBe('paid');
      expectProblem(await get(`${path}/customer`), 404);
    }
  });

  test('succeeds in a browser', async () => {
    const owner = await customer();
    await move(await orderOf(owner), 'pay');
    const answer = await send('POST', `${owner}/delete`, { headers: BROWSER });
    expect([answer.status, answer.headers.location]).toEqual([303, '/customers?sort=-id&:done=deleted']);
  });
});

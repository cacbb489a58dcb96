import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client/client.ts';
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

test('PUT without a status leaves it', async () => {
  const path = await order();
  await move(path, 'pay');
  await send('PUT', path, { json: { productId: 1, orderValue: 1, note: 'a' } });
  expect((await get(path)).json()).toMatchObject({ status: 'paid', note: 'a' });
});

const typed = (type: string, body: string, headers = {}) => ({
  body,
  headers: { 'Content-Type': type, ...headers },
});
const lenient = { Prefer: 'handling=lenient' };
/** Requests with an order in a state. `id`: that of an order in the state created. */
const WITH_STATE: readonly [
  title: string,
  method: string,
  path: string,
  of: (status: string, id: string) => object,
][] = [
  ['JSON', 'POST', '/orders', (status) => ({ json: { productId: 1, orderValue: 1, status } })],
  ['a list', 'POST', '/orders', (status) => ({ json: [{ productId: 1, orderValue: 1, status }] })],
  [
    'a lenient list',
    'POST',
    '/orders',
    (status) => ({ json: [{ productId: 1, orderValue: 1, status }], headers: lenient }),
  ],
  ['CSV', 'POST', '/orders', (status) => typed('text/csv', `productId,orderValue,status\n1,1,${status}\n`)],
  [
    'JSON Lines',
    'POST',
    '/orders',
    (status) => typed('application/jsonl', `{"productId":1,"orderValue":1,"status":"${status}"}`),
  ],
  [
    'XML',
    'POST',
    '/orders',
    (status) =>
      typed(
        'application/xml',
        `<order><productId>1</productId><orderValue>1</orderValue><status>${status}</status></order>`,
      ),
  ],
  [
    'a form',
    'POST',
    '/orders',
    (status) => typed('application/x-www-form-urlencoded', `productId=1&orderValue=1&status=${status}`),
  ],
  [
    'a form',
    'POST',
    '/orders/{id}/edit',
    (status) => typed('application/x-www-form-urlencoded', `orderValue=1&status=${status}`),
  ],
  ['JSON', 'PUT', '/orders/{id}', (status) => ({ json: { productId: 1, orderValue: 1, status } })],
  [
    'XML',
    'PUT',
    '/orders/{id}',
    (status) =>
      typed(
        'application/xml',
        `<order><productId>1</productId><orderValue>1</orderValue><status>${status}</status></order>`,
      ),
  ],
  [
    'a list',
    'PUT',
    '/customers/{customer}/orders',
    (status, id) => ({ json: [{ orderId: id, productId: 1, orderValue: 1, status }] }),
  ],
  [
    'a lenient list',
    'PUT',
    '/customers/{customer}/orders',
    (status, id) => ({ json: [{ orderId: id, productId: 1, orderValue: 1, status }], headers: lenient }),
  ],
];

// Specification 2.18. A client that gets a 200 believes that the order has this state.
describe('a status in a representation', () => {
  test.each(WITH_STATE)(
    'has no effect if it is the present one, and is refused otherwise: %s, %s %s',
    async (_, method, path, of) => {
      const customer = await create('/customers', { name: unique('state') });
      const target = (await create(`${customer.path}/orders`, { productId: 1, orderValue: 1 })).path;
      const id = target.slice('/orders/'.length);
      const at = path.replace('/orders/{id}', target).replace('/customers/{customer}', customer.path);
      const { etag } = (await get(target)).headers;
      const refused = await send(method, at, of('paid', id));
      const [{ problem = refused.json() } = {}] = (refused.json().items ?? [{}]) as readonly {
        readonly problem?: Body;
      }[];
      const isNew = method === 'POST' && path === '/orders';
      expect(problem).toMatchObject({
        status: isNew ? 400 : 409,
        ...(isNew ? {} : { currentStatus: 'created' }),
      });
      expect(problem.errors).toEqual([
        {
          pointer: expect.stringMatching(/\/status$/),
          detail: 'must be created, or be left out: follow pay',
        },
      ]);
      expect((await get(target)).headers.etag).toBe(etag);
      expect((await send(method, at, of('created', id))).status).toBeLessThan(400);
    },
  );

  test('that has no transition from the present one: the state decides', async () => {
    const path = await order();
    await move(path, 'pay');
    const answer = await send('PUT', path, { json: { productId: 1, status: 'created' } });
    expectProblem(answer, 409, 'conflict');
    expect(answer.json()).toMatchObject({
      currentStatus: 'paid',
      errors: [{ detail: 'must be paid, or be left out: only transitions change it' }],
    });
  });
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

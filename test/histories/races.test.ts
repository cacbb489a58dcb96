import { describe, expect, test } from '@jest/globals';
import type { Answer, Body } from '../support/client/client.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { create, get, send, underTestAlone, unique } from '../support/service/under-test.ts';

const RACERS = 100;

underTestAlone();

const race = (send: (at: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: RACERS }, (_, at) => send(at)));
const tally = (answers: readonly Answer[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const named = async (name: string) =>
  (await get('/members?sort=-createdAt&limit=300')).json().items.filter((one: Body) => one.name === name);

describe(`${RACERS} creations with one idempotency key`, () => {
  test('create one item', async () => {
    const name = unique('race');
    const sent = { json: { name }, headers: { 'Idempotency-Key': name } };
    const answers = await race(() => send('POST', '/members', sent));
    expect(tally(answers)).toEqual({ 201: RACERS });
    expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(await named(name)).toHaveLength(1);
  });

  test('create one item if they are deferred', async () => {
    const name = unique('race');
    const sent = { json: { name }, headers: { 'Idempotency-Key': name, Prefer: 'respond-async' } };
    const answers = await race(() => send('POST', '/members', sent));
    expect(tally(answers)).toEqual({ 202: RACERS });
    const places = new Set(answers.map(({ headers }) => headers.location));
    expect(places.size).toBe(1);
    const { status, text } = await get([...places][0] as string, { Prefer: 'wait=20' });
    expect([status, JSON.parse(text).status]).toEqual([303, 'Succeeded']);
    expect(await named(name)).toHaveLength(1);
  });

  test('create several items once in a bulk request', async () => {
    const name = unique('race');
    const json = [{ name }, { name }, { name }];
    const answers = await race(() =>
      send('POST', '/customers', { json, headers: { 'Idempotency-Key': name } }),
    );
    expect(tally(answers)).toEqual({ 201: RACERS });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { items } = (await get('/customers?sort=-createdAt&limit=300')).json();
    expect(items.filter((one: Body) => one.name === name)).toHaveLength(3);
  });
});

describe('two concurrent transitions', () => {
  const ordered = async (...moves: string[]) => {
    const customer = await create('/customers', { name: unique('race') });
    const order = await create(`${customer.path}/orders`, { productId: 1, orderValue: 1 });
    const statuses: number[] = [];
    for (const move of moves) statuses.push((await send('POST', `${order.path}/${move}`)).status);
    expect(statuses).toEqual(moves.map(() => 200));
    return { customer: customer.path, order: order.path };
  };
  const end = async (order: string) => {
    const answer = await get(order);
    return [answer.json().status, Number(/^"(\d+)\./.exec(answer.headers.etag ?? '')?.[1])];
  };
  const TIMES = Array.from({ length: 10 }, (_, at) => at);

  test.each(TIMES)('pay an order once if both pay (%i)', async () => {
    const { customer, order } = await ordered();
    const both = await Promise.all([send('POST', `${order}/pay`), send('POST', `${order}/pay`)]);
    expect(tally(both)).toEqual({ 200: 2 });
    expect(await end(order)).toEqual(['paid', 2]);
    expect((await send('POST', `${order}/cancel`)).status).toBe(200);
    expect((await send('DELETE', customer)).status).toBe(204);
  });

  // A paid order may be canceled. A canceled order may not be paid.
  test.each(TIMES)('leave the order canceled if one pays and one cancels (%i)', async () => {
    const { customer, order } = await ordered();
    const [paid, canceled] = await Promise.all([
      send('POST', `${order}/pay`),
      send('POST', `${order}/cancel`),
    ]);
    expect(canceled.status).toBe(200);
    expect([200, 409]).toContain(paid.status);
    expect(await end(order)).toEqual(['canceled', paid.status === 200 ? 3 : 2]);
    expect((await send('DELETE', customer)).status).toBe(204);
  });

  test.each(TIMES)('have one winner if one completes and one cancels (%i)', async () => {
    const { customer, order } = await ordered('pay', 'place');
    const [completed, canceled] = await Promise.all([
      send('POST', `${order}/complete`),
      send('POST', `${order}/cancel`),
    ]);
    expect([completed.status, canceled.status].sort()).toEqual([200, 409]);
    expect(await end(order)).toEqual([completed.status === 200 ? 'completed' : 'canceled', 4]);
    expect((await send('DELETE', customer)).status).toBe(204);
  });

  test.each(TIMES)(
    'run one after the other, or the second fails, if they place and cancel later (%i)',
    async () => {
      const { customer, order } = await ordered('pay');
      const headers = { Prefer: 'respond-async, wait=20' };
      const [placed, canceled] = await Promise.all([
        send('POST', `${order}/place`, { headers }),
        send('POST', `${order}/cancel`, { headers }),
      ]);
      expect(canceled.status).toBe(200);
      expect([200, 409]).toContain(placed.status);
      expect(await end(order)).toEqual(['canceled', placed.status === 200 ? 4 : 3]);
      expect((await send('DELETE', customer)).status).toBe(204);
    },
  );
});

describe('the deletion of a customer during the creation of orders', () => {
  test.each([
    ['below the customer', 404, (customer: string) => `${customer}/orders`],
    ['at /orders', 409, () => '/orders'],
  ])(
    'leaves every created order to a customer that returns, and refuses the others: %s',
    async (_where, refusal, pathOf) => {
      const customer = await create('/customers', { name: unique('race') });
      const json = { productId: 1, orderValue: 1, customerId: customer.id };
      const post = () => send('POST', pathOf(customer.path), { json });
      const answers: Answer[] = [];
      let deletion: Promise<Answer> | undefined;
      await race(async (at) => {
        const first = await post();
        if (at === RACERS / 2) deletion = send('DELETE', customer.path);
        const second = await post();
        answers.push(first, second);
        return second;
      });
      expect((await deletion)?.status).toBe(204);
      const created = answers.filter(({ status }) => status === 201);
      expect(answers.filter(({ status }) => ![201, refusal].includes(status))).toEqual([]);
      for (const { headers } of atLeastOne(created))
        expect((await get(`${headers.location}/customer`)).status).toBe(404);
      expect((await post()).status).toBe(refusal);
      // Specification 8.4: the customer returns with each of these orders, also those of requests during the deletion.
      expect((await send('POST', `${customer.path}/versions/1/restore`)).status).toBe(201);
      const { items } = (await get(`${customer.path}/orders?limit=1000&fields=orderId`)).json();
      const paths = items.map(({ orderId }) => `/orders/${orderId}`);
      expect(paths.sort()).toEqual(created.map(({ headers }) => headers.location).sort());
    },
    40_000,
  );
});

import { describe, expect, test } from '@jest/globals';
import type { SentRequest } from '../../../support/client/client.ts';
import { expectProblem } from '../../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../../support/service/under-test.ts';

underTest();

const merge = (changes: object): SentRequest => ({
  body: JSON.stringify(changes),
  headers: { 'Content-Type': 'application/merge-patch+json' },
});
const patch = (path: string, value: unknown): SentRequest => ({
  body: JSON.stringify([{ op: 'replace', path, value }]),
  headers: { 'Content-Type': 'application/json-patch+json' },
});
const form = (body: string): SentRequest => ({
  body,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
});

/** An order of two of a product that costs 79, of a customer. */
async function ordered(more: object = {}) {
  const product = await create('/products', { name: unique('locked'), price: 79 });
  const customer = await create('/customers', { name: unique('locked') });
  const values = { productId: product.id, quantity: 2, customerId: customer.id, ...more };
  const { path, id } = await create('/orders', values);
  return { path, id, values, customer };
}

const STATES = ['pay', 'place', 'complete'];

async function paid(steps = 1) {
  const order = await ordered();
  for (const step of STATES.slice(0, steps)) {
    const { status, text } = await send('POST', `${order.path}/${step}`);
    if (status !== 200) throw new Error(text);
  }
  return order;
}

// Specification 8.5
describe('from paid on, a change of value, product, quantity or customer gets 409 with the pointer and the state', () => {
  test.each([
    [1, 'paid'],
    [2, 'placed'],
    [3, 'completed'],
  ])('after %i transitions: %s', async (steps, state) => {
    const { path } = await paid(steps);
    const { text } = await get(path);
    for (const changes of [{ orderValue: 1 }, { quantity: 70 }, { productId: 1 }, { customerId: null }]) {
      const answer = await send('PATCH', path, merge(changes));
      expectProblem(answer, 409, 'conflict');
      const [name = ''] = Object.keys(changes);
      expect(answer.json().currentStatus).toBe(state);
      expect(answer.json().errors).toContainEqual({
        pointer: `/${name}`,
        detail: `cannot change in the state ${state}`,
      });
    }
    expect((await get(path)).text).toBe(text);
  });

  test('by every request that changes an order', async () => {
    const { path, id, values, customer } = await paid();
    const { text } = await get(path);
    const whole = { ...values, orderValue: 158 };
    const requests: [string, string, SentRequest][] = [
      ['PUT', path, { json: { ...whole, quantity: 3 } }],
      ['PUT', path, { json: { productId: values.productId } }],
      ['PATCH', path, merge({ orderValue: 200 })],
      ['PATCH', path, patch('/quantity', 3)],
      ['POST', `${path}/edit`, form('quantity=3')],
      ['PUT', `${customer.path}/orders`, { json: [{ ...whole, id, orderValue: 200 }] }],
      ['PUT', path, { json: { ...whole, quantity: 3 }, headers: { Prefer: 'respond-async' } }],
    ];
    for (const [method, target, sent] of requests) {
      const answer = await send(method, target, sent);
      expect([method, target, answer.status, answer.json().errors]).toEqual([
        method,
        target,
        409,
        expect.arrayContaining([expect.objectContaining({ detail: 'cannot change in the state paid' })]),
      ]);
    }
    expect((await get(path)).text).toBe(text);
  });

  test('the same values, other properties, transitions and DELETE stay free', async () => {
    const { path, values } = await paid();
    const same = { ...values, quantity: 2, orderValue: 158 };
    for (const [method, sent] of [
      ['PATCH', merge({ orderValue: 158.0, note: 'a' })],
      ['PUT', { json: { ...same, note: 'b' } }],
      ['PUT', { json: { productId: values.productId, quantity: 2, note: 'c' } }],
      ['PATCH', patch('', { ...same, note: 'd' })],
    ] as const)
      expect([sent, (await send(method, path, sent)).status]).toEqual([sent, 200]);
    expect((await get(path)).json()).toMatchObject({ orderValue: 158, note: 'd', status: 'paid' });
    expect((await send('POST', `${path}/place`)).status).toBe(200);
    expect((await send('DELETE', path)).status).toBe(204);
  });

  test('in bulk work, the failure names the order', async () => {
    const { id, customer, values } = await paid();
    const sent = [{ ...values, id, orderValue: 1 }];
    const answer = await send('PUT', `${customer.path}/orders`, {
      json: sent,
      headers: { Prefer: 'handling=lenient' },
    });
    expect([answer.status, answer.json().items[0]?.status]).toEqual([207, 409]);
  });

  test('the form shows them as text', async () => {
    const { path } = await paid();
    const page = (await get(`${path}/edit`, { Accept: 'text/html' })).text;
    expect(page).not.toMatch(/name="(?:orderValue|quantity|productId|customerId)"/);
    expect(page).toContain('158.00 EUR');
    expect((await get(`${path}/edit`, { Accept: 'application/json' })).text).not.toContain(
      '"name":"quantity"',
    );
    const open = await ordered();
    expect((await get(`${open.path}/edit`, { Accept: 'text/html' })).text).toContain('name="quantity"');
  });
});

// Specification 2.6
describe('a change of product or quantity', () => {
  test.each([
    ['PATCH', merge({ quantity: 4 }), 316],
    ['PATCH', patch('/quantity', 4), 316],
    ['POST', form('quantity=4'), 316],
    ['PATCH', merge({ quantity: 4, orderValue: 158 }), 158],
    ['PATCH', merge({ quantity: 4, orderValue: 99 }), 99],
    ['PATCH', merge({ quantity: 2, note: 'a' }), 158],
    ['PATCH', merge({ note: 'a' }), 158],
    ['PATCH', merge({ orderValue: null }), 158],
  ])('%s %j: without a value, the service computes it anew', async (method, sent, value) => {
    const { path } = await ordered();
    const target = method === 'POST' ? `${path}/edit` : path;
    const answer = await send(method, target, sent);
    expect([answer.status, answer.json().orderValue]).toEqual([200, value]);
  });

  test('of another product, and not of a value of the client', async () => {
    const { path } = await ordered({ orderValue: 5 });
    expect((await send('PATCH', path, merge({ note: 'a', quantity: 2 }))).json().orderValue).toBe(5);
    const other = await create('/products', { name: unique('locked'), price: 0.5 });
    expect((await send('PATCH', path, merge({ productId: other.id }))).json().orderValue).toBe(1);
    const unknown = await send('PATCH', path, merge({ productId: 999_999 }));
    expectProblem(unknown, 400, 'validation-error');
    expect((await send('PATCH', path, merge({ productId: 999_999, orderValue: 7 }))).json().orderValue).toBe(
      7,
    );
  });

  test('in a list computes each value', async () => {
    const { id, customer, values } = await ordered({ orderValue: 5 });
    const { orderValue: _, ...whole } = { ...values, orderValue: 0 };
    const sent = { json: [{ ...whole, id, quantity: 3 }] };
    const answer = await send('PUT', `${customer.path}/orders`, sent);
    expect(answer.json().items[0]?.orderValue).toBe(237);
  });
});

import { afterEach, describe, expect, test } from '@jest/globals';
import { attachedBetween, clearFaults, next } from '../operations/fault-injection.ts';
import { ask, bodyOf } from '../operations/world.ts';

attachedBetween();
afterEach(clearFaults);

const VALUES = { productId: 1, orderValue: 1 };
const KEY = { 'idempotency-key': 'deleted' };

const customerCreated = async () =>
  Number(bodyOf(await ask('POST', '/customers', { json: { name: 'Acme' } })).id);

/** Deletes the customer right after the next call of this kind that names the item. */
function deletedAfter(call: string, item: number, customerId: number): void {
  const deletion = async () => {
    expect((await ask('DELETE', `/customers/${customerId}`)).status).toBe(204);
    expect((await ask('GET', `/customers/${customerId}`)).status).toBe(404);
  };
  next(call, deletion, { holding: `"${item}"` });
}

// Specification 2.9 and 8.4
describe('a customer that is deleted', () => {
  test.each([
    ['a new order', {}],
    ['a new order with an idempotency key', { headers: KEY }],
  ])('between the check and the write of %s leaves the order', async (_what, more) => {
    const customerId = await customerCreated();
    deletedAfter('BatchGetItem', customerId, customerId);
    const { status, headers } = await ask('POST', '/orders', { json: { ...VALUES, customerId }, ...more });
    expect(status).toBe(201);
    expect(bodyOf(await ask('GET', String(headers.Location))).customerId).toBe(customerId);
    const late = await ask('POST', '/orders', { json: { ...VALUES, customerId } });
    expect(late.status).toBe(409);
  });

  test('before the write of several new orders leaves the orders', async () => {
    const customerId = await customerCreated();
    deletedAfter('BatchGetItem', customerId, customerId);
    const elements = [{ ...VALUES, customerId }, VALUES];
    expect((await ask('POST', '/orders', { json: elements })).status).toBe(201);
    expect((await ask('POST', '/orders', { json: elements })).status).toBe(409);
  });

  // A client that knows the order could see that it had no customer when the customer was gone.
  test('while an order gets it is unknown: 409', async () => {
    const customerId = await customerCreated();
    const order = Number(bodyOf(await ask('POST', '/orders', { json: VALUES })).orderId);
    deletedAfter('BatchGetItem', customerId, customerId);
    const { status } = await ask('PUT', `/orders/${order}`, { json: { ...VALUES, customerId } });
    expect(status).toBe(409);
    expect(bodyOf(await ask('GET', `/orders/${order}`))).not.toHaveProperty('customerId');
  });

  test('after another request gave it the order does not refuse a PUT that names it', async () => {
    const customerId = await customerCreated();
    const order = Number(bodyOf(await ask('POST', '/orders', { json: VALUES })).orderId);
    const named = { json: { ...VALUES, customerId } };
    const others = async () => {
      expect((await ask('PUT', `/orders/${order}`, named)).status).toBe(200);
      expect((await ask('DELETE', `/customers/${customerId}`)).status).toBe(204);
    };
    next('GetItem', others, { holding: `"${order}"` });
    expect((await ask('PUT', `/orders/${order}`, named)).status).toBe(200);
  });
});

import { describe, expect, test } from '@jest/globals';
import { MERGE_PATCH } from '../../../support/client/patches.ts';
import { expectProblem } from '../../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../../support/service/under-test.ts';

underTest();

describe('the customer of an order', () => {
  // Specification 2.9
  test('may be absent', async () => {
    const { path, answer } = await create('/orders', { productId: 1, orderValue: 1 });
    expect(answer.json()).not.toHaveProperty('customerId');
    expectProblem(await get(`${path}/customer`), 404);
    expect(answer.json().links.map(({ href }) => href)).not.toContain(`${path}/customer`);
  });

  // Specification 2.9
  test('gets 409 if customerId is unknown', async () => {
    expectProblem(
      await send('POST', '/orders', { json: { productId: 1, orderValue: 1, customerId: 1 } }),
      409,
      'conflict',
    );
    const { path, etag } = await create('/orders', { productId: 1, orderValue: 1 });
    expectProblem(
      await send('PUT', path, { json: { productId: 1, orderValue: 1, customerId: 1 } }),
      409,
      'conflict',
    );
    expect((await get(path)).headers.etag).toBe(etag);
  });

  // Specification 1.11
  test('is available at /orders/{id}/customer', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const { path } = await create('/orders', { productId: 1, orderValue: 1, customerId: customer.id });
    const answer = await get(`${path}/customer`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual(customer.answer.json());
    expect(answer.headers['content-location']).toBe(customer.path);
    expect((await get(`${path}/customer`, { 'If-None-Match': String(answer.headers.etag) })).status).toBe(
      304,
    );
    const head = await send('HEAD', `${path}/customer`);
    expect({ ...head.headers, date: '' }).toEqual({ ...answer.headers, date: '' });
    expectProblem(await get('/orders/1/customer'), 404);
  });

  // Specification 1.11
  test('has validators that tell it from the customer before', async () => {
    const [one, other] = [
      await create('/customers', { name: 'one' }),
      await create('/customers', { name: 'other' }),
    ];
    const { path } = await create('/orders', { productId: 1, orderValue: 1, customerId: one.id });
    const { etag } = (await get(`${path}/customer`)).headers;
    await send('PATCH', path, { json: { customerId: other.id }, headers: MERGE_PATCH });
    for (const known of [
      { 'If-None-Match': String(etag) },
      { 'If-Modified-Since': 'Fri, 31 Dec 9999 23:59:59 GMT' },
    ]) {
      const answer = await get(`${path}/customer`, known);
      expect(answer.status).toBe(200);
      expect(answer.json().name).toBe('other');
    }
    const sent = { json: { name: 'changed' }, headers: { ...MERGE_PATCH, 'If-Match': String(etag) } };
    expect((await send('PATCH', one.path, sent)).status).toBe(200);
    expect((await send('PATCH', one.path, sent)).status).toBe(412);
  });
});

// Specification 2.7, 2.8
describe('the relation between an order and its customer', () => {
  const FOUR = { orderValue: 5, productId: 1, quantity: 2 };
  const XML = { 'Content-Type': 'application/xml' };

  async function ordered() {
    const customer = await create('/customers', { name: unique('c') });
    return { customer, order: await create(`${customer.path}/orders`, { productId: 3, orderValue: 12.5 }) };
  }

  const xml = (more = '') =>
    `<order><orderValue>5</orderValue><productId>1</productId><quantity>2</quantity>${more}</order>`;

  test.each([
    ['JSON', { json: FOUR }],
    ['XML', { body: xml(), headers: XML }],
    ['JSON with an Idempotency-Key that PUT ignores', { json: FOUR, headers: { 'Idempotency-Key': 'put' } }],
    ['respond-async', { json: FOUR, headers: { Prefer: 'respond-async, wait=10' } }],
  ])('stays in a PUT without customerId: %s', async (_how, sent) => {
    const { customer, order } = await ordered();
    const answer = await send('PUT', order.path, sent);
    expect([answer.status, answer.json().customerId]).toEqual([200, customer.id]);
    expect((await get(order.path)).json()).toMatchObject({ ...FOUR, customerId: customer.id });
    expect((await get(`${customer.path}/orders`)).json().items).toHaveLength(1);
  });

  test('stays in a PUT without customerId even after the customer was deleted', async () => {
    const { customer, order } = await ordered();
    expect((await send('DELETE', customer.path)).status).toBe(204);
    expect((await send('PUT', order.path, { json: FOUR })).json().customerId).toBe(customer.id);
    const named = { ...FOUR, customerId: customer.id };
    expect((await send('PUT', order.path, { json: named })).json().customerId).toBe(customer.id);
  });

  test.each([
    ['PUT of JSON', 'PUT', { json: { ...FOUR, customerId: null } }],
    ['PUT of XML', 'PUT', { body: xml('<customerId type="null"/>'), headers: XML }],
    ['merge patch', 'PATCH', { json: { customerId: null }, headers: MERGE_PATCH }],
    [
      'JSON Patch',
      'PATCH',
      {
        json: [{ op: 'remove', path: '/customerId' }],
        headers: { 'Content-Type': 'application/json-patch+json' },
      },
    ],
  ])('is removed by null: %s', async (_how, method, sent) => {
    const { customer, order } = await ordered();
    const answer = await send(method, order.path, sent);
    expect(answer.status).toBe(200);
    expect(answer.json()).not.toHaveProperty('customerId');
    expect((await get(order.path)).json()).not.toHaveProperty('customerId');
    expect((await get(`${customer.path}/orders`)).json().items).toEqual([]);
    expectProblem(await get(`${order.path}/customer`), 404);
  });

  test('stays if an edit form does not send its input, and goes if the input is empty', async () => {
    const { customer, order } = await ordered();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const edit = (body: string) => send('POST', `${order.path}/edit`, { body, headers });
    expect((await edit('quantity=3')).json().customerId).toBe(customer.id);
    expect((await edit('customerId=')).json()).not.toHaveProperty('customerId');
  });

  test.each([
    ['one transaction', {}, 200],
    ['a lenient request', { Prefer: 'handling=lenient' }, 207],
  ])('stays in a PUT under the customer: %s', async (_how, headers, status) => {
    const { customer, order } = await ordered();
    const json = [{ orderId: order.id, ...FOUR }];
    expect((await send('PUT', `${customer.path}/orders`, { json, headers })).status).toBe(status);
    expect((await get(order.path)).json()).toMatchObject({ ...FOUR, customerId: customer.id });
  });

  test('cannot be removed by a PUT under the customer (409)', async () => {
    const { customer, order } = await ordered();
    const json = [{ orderId: order.id, ...FOUR, customerId: null }];
    expectProblem(await send('PUT', `${customer.path}/orders`, { json }), 409, 'conflict');
    expect((await get(order.path)).json().customerId).toBe(customer.id);
  });

  test('is absent after POST with null', async () => {
    const { answer } = await create('/orders', { ...FOUR, customerId: null });
    expect(answer.json()).not.toHaveProperty('customerId');
  });
});

// Specification 1.13
test.each([
  ['whose value cannot be computed', { productId: 2 }],
  ['of another customer', { productId: 1, orderValue: 1, customerId: 2 }],
  ['that is not valid', { productId: 'x' }],
])('a missing customer gets 404 before an order %s', async (_which, json) => {
  expectProblem(await send('POST', '/customers/1/orders', { json }), 404);
  expectProblem(await send('POST', '/customers/1/orders', { json: [json] }), 404);
  expectProblem(
    await send('POST', '/customers/1/orders', { json, headers: { Prefer: 'respond-async' } }),
    404,
  );
});

// Specification 8.4 and D.2
describe('an order whose customer was deleted', () => {
  const orphan = async () => {
    const customer = await create('/customers', { name: unique('gone') });
    const { path } = await create(`${customer.path}/orders`, { productId: 1, orderValue: 1 });
    expect((await send('DELETE', customer.path)).status).toBe(204);
    return { path, customerId: customer.id };
  };

  test.each([{}, { Prefer: 'respond-async, wait=5' }])(
    'keeps it by a PUT that names it: %j',
    async (headers) => {
      const [one, two] = await Promise.all([orphan(), orphan()]);
      for (const { path, customerId, named } of [
        { ...one, named: one.customerId },
        { ...two, named: String(two.customerId) },
      ]) {
        const json = { productId: 1, orderValue: 2, customerId: named };
        const answer = await send('PUT', path, { json, headers });
        expect([answer.status, answer.json()]).toMatchObject([200, { orderValue: 2, customerId }]);
      }
    },
  );

  test('keeps it by a PUT in XML and by a form', async () => {
    const { path, customerId } = await orphan();
    const body = `<order><productId>1</productId><orderValue>2</orderValue><customerId>${customerId}</customerId></order>`;
    const xml = await send('PUT', path, { body, headers: { 'Content-Type': 'application/xml' } });
    expect([xml.status, xml.json().customerId]).toEqual([200, customerId]);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const edited = await send('POST', `${path}/edit`, { headers: form, body: `customerId=${customerId}` });
    expect([edited.status, edited.json().customerId]).toEqual([200, customerId]);
  });

  test('refuses it for another order', async () => {
    const { customerId } = await orphan();
    const { path } = await create('/orders', { productId: 1, orderValue: 1 });
    const json = { productId: 1, orderValue: 1, customerId };
    expectProblem(await send('PUT', path, { json }), 409, 'conflict');
  });
});

// Specification D.2
test.each(['strict', 'lenient'])(
  'a bulk PUT under a customer cannot remove the customer: %s',
  async (handling) => {
    const customer = await create('/customers', { name: unique('c') });
    const { id, path } = await create(`${customer.path}/orders`, { productId: 1, orderValue: 1 });
    const json = [{ orderId: id, productId: 1, orderValue: 2, customerId: null }];
    const headers = { Prefer: `handling=${handling}` };
    const answer = await send('PUT', `${customer.path}/orders`, { json, headers });
    if (handling === 'strict') expectProblem(answer, 409, 'conflict');
    else expect(answer.json().items).toMatchObject([{ status: 409 }]);
    expect((await get(path)).json()).toMatchObject({ customerId: customer.id, orderValue: 1 });
  },
);

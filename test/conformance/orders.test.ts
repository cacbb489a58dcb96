import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../support/problem.ts';
import { create, get, send, underTest, unique } from '../support/under-test.ts';

underTest();

const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('the representation', () => {
  // "exactly as the specification names it: orderId, orderValue, productId, quantity, plus customerId, status, …"
  test('has these names and no others', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const values = { productId: 1, quantity: 2, orderValue: 12.5, customerId: customer.id };
    const { path, answer } = await create('/orders', values);
    const body = answer.json();
    expect(body).toMatchObject({ ...values, status: 'created' });
    expect(path).toBe(`/orders/${body.orderId}`);
    expect(Number.isSafeInteger(body.orderId)).toBe(true);
    expect(Object.keys(body).sort()).toEqual(
      [
        'createdAt',
        'customerId',
        'links',
        'orderId',
        'orderValue',
        'productId',
        'quantity',
        'status',
        'updatedAt',
      ].sort(),
    );
    expect((await get(path)).json()).toEqual(body);
  });

  // "`quantity` integer ≥ 1, default 1"
  test('quantity is 1 unless it is sent', async () => {
    expect((await create('/orders', { productId: 1, orderValue: 1 })).answer.json().quantity).toBe(1);
  });

  // Specification 2.10, 2.12, 2.18
  test('keeps undeclared properties and ignores server properties', async () => {
    const { answer, path } = await create('/orders', {
      productId: 1,
      orderValue: 1,
      color: 'red',
      gift: { wrapped: true, to: ['Ada'] },
      status: 'completed',
      orderId: 7,
      createdAt: '2020-01-01T00:00:00Z',
      links: 'x',
    });
    const body = answer.json();
    expect(body).toMatchObject({ color: 'red', gift: { wrapped: true, to: ['Ada'] }, status: 'created' });
    expect(body.orderId).not.toBe(7);
    expect(body.createdAt).not.toMatch(/^2020/);
    expect((await get(path)).json()).toEqual(body);
    const put = await send('PUT', path, { json: { productId: 1, orderValue: 1, size: 'L' } });
    expect(put.json()).not.toHaveProperty('color');
    expect(put.json().size).toBe('L');
  });

  // "Required: `productId` (any integer 0 … 2^53−1; it need not exist: an order outlives its product)"
  test.each([0, 1, 4_000_000_000_000, Number.MAX_SAFE_INTEGER])('productId %i', async (productId) => {
    const { path } = await create('/orders', { productId, orderValue: 1 });
    expect((await get(path)).json().productId).toBe(productId);
  });

  test.each([
    ['{"orderValue":1}', '/productId'],
    ['{"productId":-1,"orderValue":1}', '/productId'],
    ['{"productId":9007199254740992,"orderValue":1}', '/productId'],
    ['{"productId":1.5,"orderValue":1}', '/productId'],
    ['{"productId":"1","orderValue":1}', '/productId'],
    ['{"productId":null,"orderValue":1}', '/productId'],
    ['{"productId":1,"orderValue":-0.01}', '/orderValue'],
    ['{"productId":1,"orderValue":"5"}', '/orderValue'],
    ['{"productId":1,"orderValue":1000000000000000}', '/orderValue'],
    ['{"productId":1,"orderValue":1,"quantity":0}', '/quantity'],
    ['{"productId":1,"orderValue":1,"quantity":-1}', '/quantity'],
    ['{"productId":1,"orderValue":1,"quantity":1.5}', '/quantity'],
    ['{"productId":1,"orderValue":1,"quantity":"2"}', '/quantity'],
    ['{"productId":1,"orderValue":1,"customerId":"x"}', '/customerId'],
  ])('%s → 400 at %s', async (body, pointer) => {
    const answer = await send('POST', '/orders', { body, headers: JSON_TYPE });
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors.map((fault) => fault.pointer)).toContain(pointer);
    const { path, etag } = await create('/orders', { productId: 1, orderValue: 1 });
    expectProblem(await send('PUT', path, { body, headers: JSON_TYPE }), 400, 'validation-error');
    expect((await get(path)).headers.etag).toBe(etag);
  });

  // Specification 2.16
  test('null counts as left out', async () => {
    const json = { productId: 4_000_000_000_001, orderValue: null, quantity: null };
    expectProblem(await send('POST', '/orders', { json }), 400, 'validation-error');
    expect((await create('/orders', { ...json, orderValue: 2 })).answer.json().quantity).toBe(1);
    const { path } = await create('/members', { username: unique('u'), name: 'Ada' });
    const put = await send('PUT', path, { json: { username: 'ada', name: null } });
    expect([put.status, put.json().name]).toEqual([200, undefined]);
    expectProblem(await send('POST', '/members', { json: { name: null } }), 400, 'validation-error');
  });

  // "1.0" and "1e0" are integers by value (JSON Schema); refused is right as well.
  test('integers written otherwise', async () => {
    const answer = await send('POST', '/orders', {
      body: '{"productId":1.0,"quantity":2e0,"orderValue":1}',
      headers: JSON_TYPE,
    });
    if (answer.status === 201) expect(answer.json()).toMatchObject({ productId: 1, quantity: 2 });
    else expectProblem(answer, 400, 'validation-error');
  });
});

describe('orderValue left out', () => {
  const priced = async (price: string) => {
    const answer = await send('POST', '/products', {
      body: `{"name":"p","price":${price}}`,
      headers: JSON_TYPE,
    });
    return answer.json().id;
  };

  // "left out = price × quantity", decimal-exact
  test.each([
    ['14.5', 3, '43.5'],
    ['0.1', 3, '0.3'],
    ['19.99', 7, '139.93'],
    ['0', 5, '0'],
    ['1.005', 1000, '1005'],
    ['0.00000000000000000000000000000000001', 3, '0.00000000000000000000000000000000003'],
  ])('%s × %i = %s', async (price, quantity, expected) => {
    const productId = await priced(price);
    const answer = await send('POST', '/orders', { json: { productId, quantity } });
    expect(answer.status).toBe(201);
    const [, digits = ''] = /"orderValue":([^,}]+)/.exec(answer.text) ?? [];
    expect(plain(digits)).toBe(plain(expected));
  });

  /** A JSON number without exponent and without zeros that say nothing. */
  const plain = (digits: string) => {
    const [, mantissa = digits, exponent = '0'] = /^([\d.]+)(?:[eE]([+-]?\d+))?$/.exec(digits) ?? [];
    const [whole = '', part = ''] = mantissa.split('.');
    const shift = Number(exponent);
    const all = `${whole}${part}`.padEnd(whole.length + Math.max(shift, 0), '0');
    const point = whole.length + shift;
    const text = point > 0 ? `${all.slice(0, point)}.${all.slice(point)}` : `0.${'0'.repeat(-point)}${all}`;
    return text
      .replace(/0+$/, '')
      .replace(/\.$/, '')
      .replace(/^0+(?=\d)/, '');
  };

  // "and 400 if the product is unknown or has no price"
  test('the product is unknown or has no price → 400', async () => {
    expectProblem(await send('POST', '/orders', { json: { productId: 4_000_000_000_000 } }), 400);
    const product = await create('/products', { name: 'free' });
    expectProblem(await send('POST', '/orders', { json: { productId: product.id, quantity: 2 } }), 400);
  });

  // "below 10^15": a product of price and quantity beyond that is no orderValue.
  test('price × quantity too large → 400', async () => {
    const productId = await priced('999999999999999');
    expectProblem(await send('POST', '/orders', { json: { productId, quantity: 2 } }), 400);
    const exact = await priced('12345678901234.123456789012345678901234');
    const answer = await send('POST', '/orders', { json: { productId: exact, quantity: 7777777 } });
    expectProblem(answer, 400);
  });
});

describe('the customer of an order', () => {
  // "`POST /orders` without `customerId` makes an order without a customer (`/orders/{id}/customer` → 404)"
  test('without a customer', async () => {
    const { path, answer } = await create('/orders', { productId: 1, orderValue: 1 });
    expect(answer.json()).not.toHaveProperty('customerId');
    expectProblem(await get(`${path}/customer`), 404);
    expect(answer.json().links.map(({ href }) => href)).not.toContain(`${path}/customer`);
  });

  // "an unknown `customerId` → 409"
  test('an unknown customerId → 409', async () => {
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

  // "`/orders/{id}/customer` → the customer, `Content-Location: /customers/{id}`, the customer's own ETag"
  test('/orders/{id}/customer is the customer', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const { path } = await create('/orders', { productId: 1, orderValue: 1, customerId: customer.id });
    const answer = await get(`${path}/customer`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual(customer.answer.json());
    expect(answer.headers['content-location']).toBe(customer.path);
    expect(answer.headers.etag).toBe(customer.etag);
    expect((await get(`${path}/customer`, { 'If-None-Match': customer.etag })).status).toBe(304);
    const head = await send('HEAD', `${path}/customer`);
    expect({ ...head.headers, date: '' }).toEqual({ ...answer.headers, date: '' });
    expectProblem(await get('/orders/1/customer'), 404);
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
  ])('PUT without customerId keeps the customer: %s', async (_how, sent) => {
    const { customer, order } = await ordered();
    const answer = await send('PUT', order.path, sent);
    expect([answer.status, answer.json().customerId]).toEqual([200, customer.id]);
    expect((await get(order.path)).json()).toMatchObject({ ...FOUR, customerId: customer.id });
    expect((await get(`${customer.path}/orders`)).json().items).toHaveLength(1);
  });

  test('PUT without customerId keeps a deleted customer', async () => {
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
  ])('%s with null removes the customer', async (_how, method, sent) => {
    const { customer, order } = await ordered();
    const answer = await send(method, order.path, sent);
    expect(answer.status).toBe(200);
    expect(answer.json()).not.toHaveProperty('customerId');
    expect((await get(order.path)).json()).not.toHaveProperty('customerId');
    expect((await get(`${customer.path}/orders`)).json().items).toEqual([]);
    expectProblem(await get(`${order.path}/customer`), 404);
  });

  test('an edit form keeps the customer if its input is not sent and removes it if it is empty', async () => {
    const { customer, order } = await ordered();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const edit = (body: string) => send('POST', `${order.path}/edit`, { body, headers });
    expect((await edit('quantity=3')).json().customerId).toBe(customer.id);
    expect((await edit('customerId=')).json()).not.toHaveProperty('customerId');
  });

  test.each([
    ['one transaction', {}, 200],
    ['a lenient request', { Prefer: 'handling=lenient' }, 207],
  ])('PUT under a customer keeps the customer of each order: %s', async (_how, headers, status) => {
    const { customer, order } = await ordered();
    const json = [{ orderId: order.id, ...FOUR }];
    expect((await send('PUT', `${customer.path}/orders`, { json, headers })).status).toBe(status);
    expect((await get(order.path)).json()).toMatchObject({ ...FOUR, customerId: customer.id });
  });

  test('PUT under a customer answers 409 if an order would leave its customer', async () => {
    const { customer, order } = await ordered();
    const json = [{ orderId: order.id, ...FOUR, customerId: null }];
    expectProblem(await send('PUT', `${customer.path}/orders`, { json }), 409, 'conflict');
    expect((await get(order.path)).json().customerId).toBe(customer.id);
  });

  test('POST with null creates an order without a customer', async () => {
    const { answer } = await create('/orders', { ...FOUR, customerId: null });
    expect(answer.json()).not.toHaveProperty('customerId');
  });
});

describe('the products of an order', () => {
  // "`/orders/{id}/products` → a list (of the order's one product today …)"
  test('/orders/{id}/products lists the product', async () => {
    const product = await create('/products', { name: unique('p'), price: 3 });
    const { path } = await create('/orders', { productId: product.id });
    const answer = await get(`${path}/products`);
    expect(answer.status).toBe(200);
    expect(answer.json().items).toEqual([product.answer.json()]);
    expect(answer.json()).toMatchObject({ limit: 100, offset: 0 });
    expect((await get(`${path}/products?limit=0`)).json().items).toEqual([]);
    expect((await get(`${path}/products?offset=1`)).json().items).toEqual([]);
    expectProblem(await get(`${path}/products?limit=x`), 400, 'validation-error');
    expectProblem(await get('/orders/1/products'), 404);
  });

  // "a product that does not exist is listed as `{"id": n}` without links"; "Orders and products may always be deleted."
  test('a product that is gone', async () => {
    const product = await create('/products', { name: unique('p'), price: 3 });
    const { path } = await create('/orders', { productId: product.id });
    expect((await send('DELETE', product.path)).status).toBe(204);
    expect((await get(`${path}/products`)).json().items).toEqual([{ id: product.id }]);
    expect((await get(path)).json().productId).toBe(product.id);
  });
});

describe('PUT, PATCH and DELETE', () => {
  test('GET → PUT changes nothing else', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const { path } = await create(`${customer.path}/orders`, { productId: 3, orderValue: 12.5, quantity: 4 });
    const before = (await get(path)).json();
    const answer = await send('PUT', path, { json: before });
    expect(answer.status).toBe(200);
    const { updatedAt: _, ...rest } = before;
    expect(answer.json()).toMatchObject(rest);
  });

  test('PUT replaces all: what is left out is its default', async () => {
    const { path } = await create('/orders', { productId: 3, orderValue: 12.5, quantity: 4 });
    const answer = await send('PUT', path, { json: { productId: 5, orderValue: 1 } });
    expect(answer.json()).toMatchObject({ productId: 5, orderValue: 1, quantity: 1, status: 'created' });
    expectProblem(await send('PUT', path, { json: { quantity: 5 } }), 400, 'validation-error');
  });

  // "A path id that differs from the body id → 400."
  test('an orderId that differs from the path → 400', async () => {
    const { path, id, etag } = await create('/orders', { productId: 3, orderValue: 12.5 });
    expectProblem(await send('PUT', path, { json: { orderId: id + 1, productId: 1, orderValue: 1 } }), 400);
    expect((await get(path)).headers.etag).toBe(etag);
  });

  test('DELETE: 204, then 404; lists forget it', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const { path } = await create(`${customer.path}/orders`, { productId: 3, orderValue: 12.5 });
    expect((await send('DELETE', path)).status).toBe(204);
    for (const below of ['', '/customer', '/products']) expectProblem(await get(`${path}${below}`), 404);
    expectProblem(await send('DELETE', path), 404);
    expect((await get(`${customer.path}/orders`)).json().items).toEqual([]);
  });

  // Specification 2.12
  test('a merge patch adds an undeclared property', async () => {
    const { path } = await create('/orders', { productId: 3, orderValue: 12.5 });
    const answer = await send('PATCH', path, { json: { color: 'red', quantity: 9 }, headers: MERGE_PATCH });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ color: 'red', quantity: 9 });
  });
});

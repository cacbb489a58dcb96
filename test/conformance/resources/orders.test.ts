import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('the representation of an order', () => {
  // Specification 2.4
  test('has exactly the specified names', async () => {
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

  // Specification 2.5
  test('has a default quantity of 1', async () => {
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

  // Specification 2.5
  test.each([0, 1, 4_000_000_000_000, Number.MAX_SAFE_INTEGER])(
    'may have the productId %i',
    async (productId) => {
      const { path } = await create('/orders', { productId, orderValue: 1 });
      expect((await get(path)).json().productId).toBe(productId);
    },
  );

  test.each([
    ['{"orderValue":1}', '/productId'],
    ['{"productId":-1,"orderValue":1}', '/productId'],
    ['{"productId":9007199254740992,"orderValue":1}', '/productId'],
    ['{"productId":1.5,"orderValue":1}', '/productId'],
    ['{"productId":"x","orderValue":1}', '/productId'],
    ['{"productId":null,"orderValue":1}', '/productId'],
    ['{"productId":1,"orderValue":-0.01}', '/orderValue'],
    ['{"productId":1,"orderValue":"5"}', '/orderValue'],
    ['{"productId":1,"orderValue":1000000000000000}', '/orderValue'],
    ['{"productId":1,"orderValue":1,"quantity":0}', '/quantity'],
    ['{"productId":1,"orderValue":1,"quantity":-1}', '/quantity'],
    ['{"productId":1,"orderValue":1,"quantity":1.5}', '/quantity'],
    ['{"productId":1,"orderValue":1,"quantity":"2"}', '/quantity'],
    ['{"productId":1,"orderValue":1,"customerId":"x"}', '/customerId'],
  ])('refuses %s with 400 at %s', async (body, pointer) => {
    const answer = await send('POST', '/orders', { body, headers: JSON_TYPE });
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors.map((fault) => fault.pointer)).toContain(pointer);
    const { path, etag } = await create('/orders', { productId: 1, orderValue: 1 });
    expectProblem(await send('PUT', path, { body, headers: JSON_TYPE }), 400, 'validation-error');
    expect((await get(path)).headers.etag).toBe(etag);
  });

  // Specification 2.16
  test('counts null as left out', async () => {
    const json = { productId: 4_000_000_000_001, orderValue: null, quantity: null };
    expectProblem(await send('POST', '/orders', { json }), 400, 'validation-error');
    expect((await create('/orders', { ...json, orderValue: 2 })).answer.json().quantity).toBe(1);
    const { path } = await create('/members', { username: unique('u'), name: 'Ada' });
    const put = await send('PUT', path, { json: { username: 'ada', name: null } });
    expect([put.status, put.json().name]).toEqual([200, undefined]);
    expectProblem(await send('POST', '/members', { json: { name: null } }), 400, 'validation-error');
  });

  // JSON Schema: "1.0" and "1e0" are integers by value. A refusal is right as well.
  test('may have integers in another spelling', async () => {
    const answer = await send('POST', '/orders', {
      body: '{"productId":1.0,"quantity":2e0,"orderValue":1}',
      headers: JSON_TYPE,
    });
    if (answer.status === 201) expect(answer.json()).toMatchObject({ productId: 1, quantity: 2 });
    else expectProblem(answer, 400, 'validation-error');
  });
});

describe('an order without orderValue', () => {
  const priced = async (price: string) => {
    const answer = await send('POST', '/products', {
      body: `{"name":"p","price":${price}}`,
      headers: JSON_TYPE,
    });
    return answer.json().id;
  };

  // Specification 2.6
  test.each([
    ['14.5', 3, '43.5'],
    ['0.1', 3, '0.3'],
    ['19.99', 7, '139.93'],
    ['0', 5, '0'],
    ['1.005', 1000, '1005'],
    ['0.00000000000000000000000000000000001', 3, '0.00000000000000000000000000000000003'],
  ])('costs %s × %i = %s', async (price, quantity, expected) => {
    const productId = await priced(price);
    const answer = await send('POST', '/orders', { json: { productId, quantity } });
    expect(answer.status).toBe(201);
    const [, digits = ''] = /"orderValue":([^,}]+)/.exec(answer.text) ?? [];
    expect(plain(digits)).toBe(plain(expected));
  });

  /** A JSON number without exponent and without zeros at its ends. */
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

  // Specification 2.6
  test('gets 400 if the product is unknown or has no price', async () => {
    expectProblem(await send('POST', '/orders', { json: { productId: 4_000_000_000_000 } }), 400);
    const product = await create('/products', { name: 'free' });
    expectProblem(await send('POST', '/orders', { json: { productId: product.id, quantity: 2 } }), 400);
  });

  // Specification 2.30: a product of price and quantity above the limit is not a valid orderValue.
  test('gets 400 if price × quantity is too large', async () => {
    const productId = await priced('999999999999999');
    expectProblem(await send('POST', '/orders', { json: { productId, quantity: 2 } }), 400);
    const exact = await priced('12345678901234.123456789012345678901234');
    const answer = await send('POST', '/orders', { json: { productId: exact, quantity: 7777777 } });
    expectProblem(answer, 400);
  });
});

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

describe('the products of an order', () => {
  // Specification 1.12
  test('are a list with the product', async () => {
    const product = await create('/products', { name: unique('p'), price: 3 });
    const { path } = await create('/orders', { productId: product.id });
    const answer = await get(`${path}/products`);
    expect(answer.status).toBe(200);
    const links = product.answer.json().links.filter(({ rel }) => rel === 'self');
    expect(answer.json().items).toEqual([{ ...product.answer.json(), links }]);
    expect(answer.json()).toMatchObject({ limit: 100, offset: 0 });
    expect((await get(`${path}/products?limit=0`)).json().items).toEqual([]);
    expect((await get(`${path}/products?offset=1`)).json().items).toEqual([]);
    expectProblem(await get(`${path}/products?limit=x`), 400, 'validation-error');
    expectProblem(await get('/orders/1/products'), 404);
  });

  // Specification 1.12, 8.4
  test('include a deleted product by its id alone', async () => {
    const product = await create('/products', { name: unique('p'), price: 3 });
    const { path } = await create('/orders', { productId: product.id });
    expect((await send('DELETE', product.path)).status).toBe(204);
    expect((await get(`${path}/products`)).json().items).toEqual([{ id: product.id }]);
    expect((await get(path)).json().productId).toBe(product.id);
  });
});

describe('PUT, PATCH and DELETE of an order', () => {
  test('change nothing else if PUT sends the result of GET', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const { path } = await create(`${customer.path}/orders`, { productId: 3, orderValue: 12.5, quantity: 4 });
    const before = (await get(path)).json();
    const answer = await send('PUT', path, { json: before });
    expect(answer.status).toBe(200);
    const { updatedAt: _, ...rest } = before;
    expect(answer.json()).toMatchObject(rest);
  });

  test('reset to the default what PUT leaves out', async () => {
    const { path } = await create('/orders', { productId: 3, orderValue: 12.5, quantity: 4 });
    const answer = await send('PUT', path, { json: { productId: 5, orderValue: 1 } });
    expect(answer.json()).toMatchObject({ productId: 5, orderValue: 1, quantity: 1, status: 'created' });
    expectProblem(await send('PUT', path, { json: { quantity: 5 } }), 400, 'validation-error');
  });

  // Specification 2.18
  test('refuse an orderId that differs from the path with 400', async () => {
    const { path, id, etag } = await create('/orders', { productId: 3, orderValue: 12.5 });
    expectProblem(await send('PUT', path, { json: { orderId: id + 1, productId: 1, orderValue: 1 } }), 400);
    expect((await get(path)).headers.etag).toBe(etag);
  });

  test('get 204, then 404, and lists no longer show the order', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const { path } = await create(`${customer.path}/orders`, { productId: 3, orderValue: 12.5 });
    expect((await send('DELETE', path)).status).toBe(204);
    for (const below of ['', '/customer', '/products']) expectProblem(await get(`${path}${below}`), 404);
    expectProblem(await send('DELETE', path), 404);
    expect((await get(`${customer.path}/orders`)).json().items).toEqual([]);
  });

  // Specification 2.12
  test('add an undeclared property by merge patch', async () => {
    const { path } = await create('/orders', { productId: 3, orderValue: 12.5 });
    const answer = await send('PATCH', path, { json: { color: 'red', quantity: 9 }, headers: MERGE_PATCH });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ color: 'red', quantity: 9 });
  });
});

// Specification 2.3
describe('ids as decimal text', () => {
  test('name the customer, the product and the order, and come back as numbers', async () => {
    const customer = await create('/customers', { name: unique('c') });
    const wanted = { productId: 7, orderValue: 1, customerId: customer.id };
    const texts = { ...wanted, productId: '7', customerId: String(customer.id) };
    const { path, id, answer } = await create('/orders', texts);
    expect(answer.json()).toMatchObject(wanted);
    expect((await create(`${customer.path}/orders`, texts)).answer.json()).toMatchObject(wanted);
    const put = await send('PUT', path, { json: { ...texts, orderId: String(id), productId: '8' } });
    expect([put.status, put.json().productId, put.json().orderId]).toEqual([200, 8, id]);
    const changes = { orderId: String(id), customerId: String(customer.id), productId: '9' };
    const patched = await send('PATCH', path, { json: changes, headers: MERGE_PATCH });
    expect([patched.status, patched.json().productId, patched.json().customerId]).toEqual([
      200,
      9,
      customer.id,
    ]);
    const operations = [{ op: 'replace', path: '/productId', value: '10' }];
    const headers = { 'Content-Type': 'application/json-patch+json' };
    expect((await send('PATCH', path, { json: operations, headers })).json().productId).toBe(10);
  });

  test.each(['07', '+7', '7.0', ' 7', '', '9007199254740992', '-1'])(
    'get 400 if they are not canonical: %j',
    async (text) => {
      expectProblem(
        await send('POST', '/orders', { json: { productId: text, orderValue: 1 } }),
        400,
        'validation-error',
      );
      const { path, id } = await create('/orders', { productId: 3, orderValue: 1 });
      const json = { orderId: text.replace('7', String(id)), productId: 3, orderValue: 1 };
      expectProblem(await send('PUT', path, { json }), 400, 'validation-error');
    },
  );
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

// Specification 2.3
describe('an identifier in a form', () => {
  const edit = async (body: string) => {
    const { path } = await create('/orders', { productId: 1, orderValue: 1 });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return send('POST', `${path}/edit`, { headers, body });
  };

  test('counts in its canonical text, and comes back as a number', async () => {
    const answer = await edit('productId=115');
    expect([answer.status, answer.json().productId]).toEqual([200, 115]);
  });

  test.each(['0115', '1e2', '115.0', '%2B115', '9007199254740992'])('gets 400 as %s', async (text) => {
    const answer = await edit(`productId=${text}`);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toMatchObject([{ pointer: '/productId' }]);
  });
});

// Specification 2.46, 2.51
test('responses without content name the fields that select them in Vary', async () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
  const { path } = await create('/orders', { productId: 1, orderValue: 1 });
  const seen = await send('POST', `${path}/edit`, { headers: form, body: 'quantity=2' });
  const removed = await send('DELETE', path);
  for (const [answer, status] of [
    [seen, 303],
    [removed, 204],
  ] as const)
    expect([answer.status, answer.headers.vary]).toEqual([status, 'Accept, Prefer, Origin']);
  expect(removed.headers).not.toHaveProperty('content-type');
});

// Specification D.2
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
      const { path, customerId } = await orphan();
      for (const named of [customerId, String(customerId)]) {
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

import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../../support/service/under-test.ts';

underTest();

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
  test('treats null as an absent property', async () => {
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
    const faultOf = async (productId: number) => {
      const answer = await send('POST', '/orders', { json: { productId, quantity: 2 } });
      expectProblem(answer, 400, 'validation-error');
      return answer.json().errors;
    };
    const unknown = { pointer: '/productId', detail: 'names no product' };
    expect(await faultOf(4_000_000_000_000)).toEqual([unknown]);
    const product = await create('/products', { name: 'free' });
    const free = { pointer: '/orderValue', detail: 'must be given, because the product has no price' };
    expect(await faultOf(product.id)).toEqual([free]);
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

describe('the products of an order', () => {
  // Specification 1.12
  test('are a list with the product', async () => {
    const product = await create('/products', { name: unique('p'), price: 3 });
    const { path } = await create('/orders', { productId: product.id });
    const answer = await get(`${path}/products`);
    expect(answer.status).toBe(200);
    const [self] = product.answer.json().links.filter(({ rel }) => rel === 'self');
    const links = [{ ...self, etag: product.etag }];
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

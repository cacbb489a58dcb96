import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

describe('/products and /products/{id}', () => {
  test('create, read, replace, patch and delete a product', async () => {
    const values = {
      name: unique('mug'),
      category: 'kitchen',
      price: 14.5,
      color: 'red',
      size: 'M',
      weight: 300,
    };
    const one = await create('/products', values);
    expect(one.path).toBe(`/products/${one.id}`);
    expect(one.answer.json()).toMatchObject(values);
    expect((await get(one.path)).json()).toEqual(one.answer.json());
    const put = await send('PUT', one.path, { json: { name: 'cup', price: 2 } });
    expect(put.status).toBe(200);
    expect(put.json()).toMatchObject({ id: one.id, name: 'cup', price: 2 });
    for (const name of ['category', 'color', 'size', 'weight']) expect(put.json()).not.toHaveProperty(name);
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const patched = await send('PATCH', one.path, { json: { price: null, color: 'blue' }, headers });
    expect(patched.status).toBe(200);
    expect(patched.json()).toMatchObject({ name: 'cup', color: 'blue' });
    expect(patched.json()).not.toHaveProperty('price');
    expect((await send('DELETE', one.path)).status).toBe(204);
    for (const method of ['GET', 'HEAD', 'DELETE']) expectProblem(await send(method, one.path), 404);
    expectProblem(await send('PUT', one.path, { json: { name: 'x' } }), 404);
  });

  // Specification 2.11
  test('no two products have the same SKU', async () => {
    const sku = unique('sku');
    const one = await create('/products', { name: 'mug', sku });
    const taken = await send('POST', '/products', { json: { sku } });
    expectProblem(taken, 409, 'conflict');
    expect(taken.json()).toMatchObject({ errors: [{ pointer: '/sku' }] });
    const later = { json: { sku }, headers: { Prefer: 'respond-async' } };
    expectProblem(await send('POST', '/products', later), 409, 'conflict');
    const other = await create('/products', { name: 'cup' });
    expectProblem(await send('PUT', other.path, { json: { name: 'cup', sku } }), 409, 'conflict');
    expect((await send('PUT', one.path, { json: { name: 'jug', sku } })).status).toBe(200);
    expect((await send('DELETE', one.path)).status).toBe(204);
    expect((await send('PUT', other.path, { json: { name: 'cup', sku } })).status).toBe(200);
  });

  // Specification 2.11
  test.each([
    ['-1'],
    ['-0.0001'],
    ['"5"'],
    ['true'],
    ['[]'],
    ['1000000000000000'],
    ['0.000000000000000000000000000000000000000000001234567890123456789012345678901234567890'],
  ])('refuse the price %s with 400', async (price) => {
    const answer = await send('POST', '/products', {
      body: `{"name":"x","price":${price}}`,
      headers: { 'Content-Type': 'application/json' },
    });
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors.map(({ pointer }) => pointer)).toEqual(['/price']);
  });

  test.each(['color', 'size'])('take %s as a text, a number or an object', async (name) => {
    for (const value of ['red', 5, { r: 1 }]) {
      const { answer } = await create('/products', { [name]: value });
      expect(answer.json()).toMatchObject({ [name]: value });
    }
    for (const value of [true, ['red']]) {
      const answer = await send('POST', '/products', { json: { [name]: value } });
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors.map(({ pointer }) => pointer)).toEqual([`/${name}`]);
    }
  });

  test.each(['name', 'category'])('take %s as text', async (name) => {
    for (const value of [5, true, ['x'], { a: 1 }]) {
      const answer = await send('POST', '/products', { json: { [name]: value } });
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors[0]?.pointer).toBe(`/${name}`);
    }
  });

  // Specification 8.4
  test('delete a product that an order names', async () => {
    const one = await create('/products', { name: unique('ordered'), price: 1 });
    await create('/orders', { productId: one.id });
    expect((await send('DELETE', one.path)).status).toBe(204);
  });
});

// Specification 15.8
test('fields selects properties, or the bytes of one binary property', async () => {
  const { path, id } = await create('/products', { name: 'two meanings', price: 3 });
  const image = { body: 'image', headers: { 'Content-Type': 'image/png' } };
  expect((await send('PUT', `${path}?fields=productImage`, image)).status).toBe(201);
  expect((await get(`${path}?fields=price`)).json()).toEqual({ id, price: 3 });
  const bytes = await get(`${path}?fields=productImage`);
  expect([bytes.headers['content-type'], bytes.text]).toEqual(['image/png', 'image']);
  const href = `${path}?fields=productImage`;
  expect((await get(path)).json().links).toContainEqual({
    rel: 'image',
    href,
    method: 'GET',
    types: ['image/png'],
  });
});

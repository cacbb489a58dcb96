import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const PATCH = { 'Content-Type': 'application/json-patch+json' };
const XML = { 'Content-Type': 'application/xml' };

const post = (collection: string, json: unknown) => send('POST', collection, { json });

// Specification 2.11
describe('a declared property of several types', () => {
  const TEXTS_AND_OBJECTS = ['12 Quay Street', '', { street: 'Quay', 'no name': [1, null] }, {}];
  const NUMBERS = [7, 0.5, -1];
  const cases = [
    ['/customers', 'address', TEXTS_AND_OBJECTS],
    ['/products', 'color', [...TEXTS_AND_OBJECTS, ...NUMBERS]],
    ['/products', 'size', [...TEXTS_AND_OBJECTS, ...NUMBERS]],
  ] as const;

  test.each(cases)('is data in %s: %s', async (collection, name, values) => {
    for (const value of atLeastOne(values)) {
      const created = await post(collection, { name: unique('p'), [name]: value });
      expect(created.status).toBe(201);
      const path = created.headers.location as string;
      const read = (await get(path)).json();
      expect(read[name]).toEqual(value);
      // A client can send the result of GET back in each format.
      expect((await send('PUT', path, { json: read })).json()[name]).toEqual(value);
      const { text } = await get(path, { Accept: 'application/xml' });
      const put = await send('PUT', path, { body: text, headers: XML });
      expect([put.status, put.json()[name]]).toEqual([200, value]);
      const merged = await send('PATCH', path, { json: { [name]: value }, headers: MERGE });
      expect(merged.json()[name]).toEqual(value);
      expect((await get(path, { Accept: 'text/html' })).status).toBe(200);
    }
  });

  test('keeps every digit of a number', async () => {
    const digits = '0.1234567890123456789012345678901234567';
    const body = `{"name":"x","size":${digits}}`;
    const created = await send('POST', '/products', {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(created.text).toContain(`"size":${digits}`);
    expect((await get(created.headers.location as string)).text).toContain(`"size":${digits}`);
  });

  test.each([
    ['/customers', 'address', [5, true, ['x']], 'must be a text or an object'],
    ['/products', 'color', [true, ['x']], 'must be a text or a number or an object'],
  ] as const)('in %s, %s gets 400 for another type', async (collection, name, values, detail) => {
    for (const value of atLeastOne(values)) {
      const answer = await post(collection, { [name]: value });
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toEqual([{ pointer: `/${name}`, detail }]);
    }
  });

  test('is outside the form if it is not a text, and the form does not change it', async () => {
    const { path } = await create('/products', { name: 'Mug', color: 7, size: 'large' });
    const page = await get(`${path}/edit`, { Accept: 'text/html' });
    expect(page.text).not.toContain('name="color"');
    expect(page.text).toContain('name="size"');
    expect(page.text).toContain('Not in this form');
    const body = 'name=Cup&size=small';
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const changed = await send('POST', `${path}/edit`, { body, headers });
    expect(changed.json()).toMatchObject({ name: 'Cup', color: 7, size: 'small' });
  });
});

// Specification 2.11, 10.10
test('the size of the item alone limits a text', async () => {
  const long = 'x'.repeat(200_000);
  for (const [collection, name] of [
    ['/members', 'name'],
    ['/customers', 'address'],
    ['/products', 'category'],
  ] as const) {
    const { path } = await create(collection, { [name]: long });
    expect((await get(path)).json()[name]).toBe(long);
    expectProblem(await post(collection, { [name]: 'x'.repeat(300_000) }), 413);
  }
});

// Specification 2.14, 2.15
describe('a body without properties of the client', () => {
  test.each(['{}', '{"name":null}', '{"id":5}', '{"createdAt":"x","links":[]}', '{"createdBy":"x"}'])(
    'gets 400 in POST: %s',
    async (body) => {
      const headers = { 'Content-Type': 'application/json' };
      for (const collection of ['/members', '/customers', '/products', '/orders'])
        expectProblem(await send('POST', collection, { body, headers }), 400, 'validation-error');
      expectProblem(await send('POST', '/customers', { body: `[${body}]`, headers }), 400);
    },
  );

  test('gets 400 in POST if it only removes bytes, which a new item has not', async () => {
    for (const json of [{ photo: null }, [{ photo: null }]])
      expectProblem(await send('POST', '/members', { json }), 400, 'validation-error');
  });

  test.each([{}, { name: null }])('gets 400 in PUT if it has no property at all: %j', async (json) => {
    const { path } = await create('/members', { name: 'kept' });
    expectProblem(await send('PUT', path, { json }), 400, 'validation-error');
    expect((await get(path)).json().name).toBe('kept');
  });

  test('empties the item in PUT, so that GET of an emptied item can be sent back', async () => {
    for (const collection of ['/members', '/customers', '/products']) {
      const { path } = await create(collection, { name: 'x', own: 1 });
      const emptied = await send('PATCH', path, { json: { name: null, own: null }, headers: MERGE });
      expect(Object.keys(emptied.json())).toEqual(['id', 'createdAt', 'updatedAt', 'links']);
      expect((await send('PUT', path, { json: emptied.json() })).status).toBe(200);
      const { text } = await get(path, { Accept: 'application/xml' });
      expect((await send('PUT', path, { body: text, headers: XML })).status).toBe(200);
    }
  });

  test('empties an item in a bulk PUT', async () => {
    const { path, id } = await create('/customers', { name: 'x' });
    expect((await send('PUT', '/customers', { json: [{ id }] })).status).toBe(200);
    expect((await get(path)).json()).not.toHaveProperty('name');
  });

  test('gets 400 in PUT of an order, which needs its product', async () => {
    const { path, id } = await create('/orders', { productId: 1, orderValue: 1 });
    const answer = await send('PUT', path, { json: { orderId: id } });
    expectProblem(answer, 400);
    expect(answer.json().errors.map(({ pointer }) => pointer)).toEqual(['/productId']);
  });
});

// Specification 2.16, 2.17
describe('null', () => {
  test('counts as left out for a declared property, and stays in an undeclared one', async () => {
    const { path } = await create('/members', { name: null, own: null, age: 5 });
    const created = (await get(path)).json();
    expect(created).toMatchObject({ own: null, age: 5 });
    expect(created).not.toHaveProperty('name');
    const put = await send('PUT', path, { json: { age: null, own: null, other: 1 } });
    expect(put.json()).toMatchObject({ own: null, other: 1 });
    expect(put.json()).not.toHaveProperty('age');
    const json = [{ op: 'replace', path: '/other', value: null }];
    expect((await send('PATCH', path, { json, headers: PATCH })).json()).toMatchObject({
      own: null,
      other: null,
    });
  });

  test('removes a property of either kind in a merge patch', async () => {
    const { path } = await create('/customers', { name: 'x', address: { street: 'Quay' }, own: 1 });
    const json = { address: null, own: null };
    const patched = (await send('PATCH', path, { json, headers: MERGE })).json();
    expect(patched).toMatchObject({ name: 'x' });
    for (const name of Object.keys(json)) expect(patched).not.toHaveProperty(name);
  });
});

// Specification 2.18, 2.19, 2.20
describe('createdBy and updatedBy', () => {
  const BY = { createdBy: 'me', updatedBy: { any: 1 } };

  test('are ignored in POST, PUT and merge patch', async () => {
    const { path, answer } = await create('/members', { name: 'x', ...BY });
    const put = await send('PUT', path, { json: { name: 'y', ...BY } });
    const merged = await send('PATCH', path, { json: { name: 'z', ...BY }, headers: MERGE });
    for (const { json } of [answer, put, merged])
      for (const name of Object.keys(BY)) expect(json()).not.toHaveProperty(name);
    expect(merged.json().name).toBe('z');
  });

  test.each(['createdBy', 'updatedBy'])('%s gets 409 in a JSON Patch', async (name) => {
    const { path } = await create('/members', { name: 'x' });
    for (const operation of [{ op: 'add', value: 'me' }, { op: 'remove' }]) {
      const json = [{ ...operation, path: `/${name}` }];
      expectProblem(await send('PATCH', path, { json, headers: PATCH }), 409, 'patch-conflict');
    }
  });

  test('a replacement of the whole document ignores them', async () => {
    const { path, id } = await create('/members', { name: 'x' });
    const json = [{ op: 'replace', path: '', value: { id, name: 'y', ...BY } }];
    const patched = await send('PATCH', path, { json, headers: PATCH });
    expect(patched.status).toBe(200);
    expect(patched.json()).not.toHaveProperty('createdBy');
  });
});

// Specification D.1
test('status, orderId and operationId are ordinary properties of other resources', async () => {
  const own = { status: 'gold', orderId: 'A1', operationId: [1] };
  for (const collection of ['/members', '/customers', '/products']) {
    const { path } = await create(collection, own);
    expect((await get(path)).json()).toMatchObject(own);
  }
});

import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { address, create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const XML = { Accept: 'application/xml' };
const PAGE = { Accept: 'text/html' };
const strict = (more = '') => ({ Prefer: `${more}handling=strict` });

// Specification 4.13, 4.21
describe('a parameter that can be nothing but a mistake gets 400 with the nearest right names', () => {
  test.each([
    ['/orders?customer.email=x', 'customer.email', /^is not a filter of this list: use customerId$/],
    ['/products?price.min=5', 'price.min', /use price, price\.gte, price\.gt, price\.lte, price\.lt$/],
    ['/products?price[gte]=5', 'price[gte]', /use price\.gte$/],
    ['/products?price.GTE=5', 'price.GTE', /use price\.gte$/],
    ['/products?name.like=x', 'name.like', /use name, .*name\.prefix, name\.words$/],
    ['/products?name[]=x', 'name[]', /use name$/],
    ['/products?filter[name]=x', 'filter[name]', /use name$/],
    ['/products?a.b=x', 'a.b', /use id, name, /],
    ['/orders?MINCOST=1', 'MINCOST', /use minCost$/],
    ['/orders?Sort=quantity', 'Sort', /^is not a parameter of this request: use sort$/],
    ['/orders?Limit=1', 'Limit', /use limit$/],
    ['/orders?fields[]=orderId', 'fields[]', /use fields$/],
    ['/orders/{id}?Fields=orderId', 'Fields', /use fields$/],
    ['/orders/{id}?Expand=customer', 'Expand', /use expand$/],
    ['/add?operand1=1&Operand2=2', 'Operand2', /use operand2$/],
    ['/changes?Resource=orders', 'Resource', /use resource$/],
  ])('%s', async (target, parameter, detail) => {
    const { path } = await create('/orders', { productId: 1, orderValue: 1 });
    const answer = await get(target.replace('/orders/{id}', path));
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toContainEqual({ parameter, detail: expect.stringMatching(detail) });
  });

  test('also on POST', async () => {
    for (const parameter of ['Fields', 'LIMIT', 'limit[]']) {
      const sent = { json: { name: unique('unknown') } };
      const answer = await send('POST', `/customers?${encodeURIComponent(parameter)}=1`, sent);
      expect([answer.status, answer.json().errors]).toMatchObject([400, [{ parameter }]]);
    }
  });
});

// Specification 4.21
describe('a list names the parameters that have no effect', () => {
  test.each(['usrname=ada', 'limt=1', '_=1', 'page=2', '$top=5'])('%s', async (query) => {
    const [name = ''] = query.split('=');
    const answer = await get(`/members?${query}`);
    expect([answer.status, answer.json().ignored]).toEqual([200, [name]]);
    const element = name.replace('&', '&amp;');
    expect((await get(`/members?${query}`, XML)).text).toContain(
      `<ignored><item>${element}</item></ignored>`,
    );
    expect((await get(`/members?${query}`, PAGE)).text).toContain(
      `These parts of the address have no effect: ${name}.`,
    );
    for (const Accept of ['application/json', 'text/csv', 'application/jsonl', 'application/x-ndjson'])
      for (const method of ['GET', 'HEAD']) {
        const { headers } = await send(method, `/members?${query}`, { headers: { Accept } });
        expect(headers['ignored-parameters']).toBe(`"${name}"`);
      }
  });

  test('and a sort key that no item has', async () => {
    const { path } = await create('/customers', { name: unique('unknown') });
    await create(`${path}/orders`, { productId: 1, orderValue: 1, weight: 5 });
    await create(`${path}/orders`, { productId: 1, orderValue: 1 });
    const sorted = async (sort: string) => (await get(`${path}/orders?sort=${sort}`)).json().ignored;
    expect(await sorted('prise')).toEqual(['sort=prise']);
    expect(await sorted('-weight,prise&page=1')).toEqual(['page', 'sort=prise']);
    expect(await sorted('weight&limit=1')).toBeUndefined();
    const { headers } = await get(`${path}/orders?sort=prise&"%C3%BC\\=1`, { Accept: 'text/csv' });
    expect(headers['ignored-parameters']).toBe('"%22%C3%BC%5C", "sort=prise"');
  });

  test('and no other list has the property, so that its entity tag stays', async () => {
    const answer = await get('/members?limit=1');
    expect(answer.json()).not.toHaveProperty('ignored');
    expect(answer.headers).not.toHaveProperty('ignored-parameters');
    const item = await create('/customers', { name: unique('unknown'), ignored: ['an own property'] });
    expect((await get(item.path)).headers).not.toHaveProperty('ignored-parameters');
    const page = await get('/members?limit=1&:done=created', PAGE);
    expect([page.status, page.text.includes('have no effect')]).toEqual([200, false]);
  });

  test('as many as header fields have room for', async () => {
    const query = Array.from({ length: 900 }, (_, at) => `x${at}`).join('&');
    const answer = await get(`/members?limit=1&${query}`, { Accept: 'text/csv' });
    const { 'ignored-parameters': named = '' } = answer.headers;
    expect([answer.status, String(named).split(', ').length]).toEqual([200, 16]);
  });

  test('the list can be sent back', async () => {
    const { path } = await create('/customers', { name: unique('unknown') });
    await create(`${path}/orders`, { productId: 1, orderValue: 1 });
    for (const type of ['application/json', 'application/xml']) {
      const { text } = await get(`${path}/orders?page=1`, { Accept: type });
      const sent = { body: text, headers: { 'Content-Type': type } };
      expect((await send('PUT', `${path}/orders`, sent)).status).toBe(200);
    }
  });
});

// Specification 4.21
describe('handling=strict refuses', () => {
  test.each([
    ['GET', '/members?usrname=ada', '', [{ parameter: 'usrname', detail: expect.any(String) }]],
    ['GET', '/members?sort=nope', '', [{ parameter: 'sort', detail: expect.stringMatching(/'nope'/) }]],
    [
      'GET',
      '/members',
      'dry-rum, ',
      [{ header: 'Prefer', detail: expect.stringMatching(/^dry-rum is unk/) }],
    ],
    [
      'GET',
      '/members',
      'return=minimall, ',
      [{ header: 'Prefer', detail: expect.stringMatching(/^return/) }],
    ],
    ['GET', '/members', 'count = "exact", @, ', [{ header: 'Prefer', detail: expect.stringMatching(/^@/) }]],
  ])('%s %s with Prefer: %s', async (method, path, more, errors) => {
    const answer = await send(method, path, { headers: strict(more) });
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toEqual(errors);
  });

  test('an unknown preference before anything happens', async () => {
    const { path } = await create('/members', { name: unique('unknown') });
    const headers = strict('dry-rum, ');
    expectProblem(await send('DELETE', path, { headers }), 400, 'validation-error');
    expect((await get(path)).status).toBe(200);
    expect((await send('DELETE', path, { headers: { Prefer: 'dry-rum' } })).status).toBe(204);
  });

  test('no preference that the service knows', async () => {
    const known = 'respond-async;x=1, wait=1, return=representation, count=exact, max-affected=5, foo;bar';
    for (const [more, status] of [
      [known.replace(', foo;bar', ''), 200],
      [known, 400],
    ] as const)
      expect((await get('/members?limit=1', strict(`${more}, `))).status).toBe(status);
  });
});

// Specification 4.28
describe('malformed percent-encoding of a query gets 400 with the parameter', () => {
  test.each([
    ['GET', '/members?name=%E9', 'name'],
    ['GET', '/members?name=%q1', 'name'],
    ['GET', '/members?name=50%', 'name'],
    ['GET', '/members?name=a%ZZ&limit=1', 'name'],
    ['GET', '/members/{id}?a%FFb=1', 'a\uFFFDb'],
    ['POST', '/members?x=%E9', 'x'],
    ['PUT', '/members/{id}?x=%', 'x'],
    ['PATCH', '/members/{id}?x=%C3', 'x'],
    ['DELETE', '/members/{id}?x=%FF', 'x'],
    ['GET', '/add?operand1=%E9&operand2=1', 'operand1'],
  ])('%s %s', async (method, target, parameter) => {
    const { path } = await create('/members', { name: unique('encoded') });
    const at = target.replace('/members/{id}', path);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const content = { body: '{"name":"x"}', headers: { 'Content-Type': type } };
    const answer = await send(method, at, method === 'GET' || method === 'DELETE' ? {} : content);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toEqual([{ parameter, detail: 'must be valid percent-encoding of UTF-8' }]);
  });

  test('valid encoding has its effect', async () => {
    const name = unique('100 % é;');
    await create('/members', { name });
    const answer = await fetch(`${address()}/members?name=${encodeURIComponent(name)}`);
    expect(await answer.json()).toMatchObject({ items: [{ name }] });
  });
});

// Specification 1.20, 4.1
test('numbers in queries have one grammar', async () => {
  const { path } = await create('/customers', { name: unique('numbers') });
  for (const orderValue of [4, 5, 6]) await create(`${path}/orders`, { productId: 1, orderValue });
  for (const query of ['minCost=%2B5', 'minCost=+5', 'minCost=005', 'minCost=5.', 'minCost=5e0'])
    expect((await get(`${path}/orders?${query}`)).json().items).toHaveLength(2);
  for (const query of ['limit=%2B2', 'limit=+2', 'limit=002', 'limit=2.0', 'limit=2e0'])
    expect((await get(`${path}/orders?${query}`)).json()).toMatchObject({ limit: 2, items: [{}, {}] });
  for (const query of [
    'limit=-1',
    'limit=1.5',
    'limit=1e-1',
    'limit=0x10',
    'limit=',
    'offset=-1',
    'offset=1e16',
  ])
    expectProblem(await get(`${path}/orders?${query}`), 400, 'validation-error');
});

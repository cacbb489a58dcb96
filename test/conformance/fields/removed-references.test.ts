import { beforeAll, describe, expect, test } from '@jest/globals';
import { BROWSER, formsOf } from '../../support/client/page.ts';
import { JSON_PATCH, MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/* Orders of a removed customer, which can come back. Source: Specification 8.4, D.2. */
underTest();

let customer: string;
let customerId: number;
let order: string;
let other: string;
let name: string;
const VALUES = { productId: 1, orderValue: 5 };

beforeAll(async () => {
  name = unique('Harbour');
  ({ path: customer, id: customerId } = await create('/customers', { name }));
  order = (await create(`${customer}/orders`, VALUES)).path;
  other = (await create('/orders', VALUES)).path;
  expect((await send('DELETE', customer)).status).toBe(204);
});

describe('an order of a removed customer', () => {
  test.each(['application/json', 'application/xml', 'text/html'])('is there as %s', async (Accept) => {
    const { status, text } = await get(order, { Accept });
    expect(status).toBe(200);
    expect(text).toContain(String(customerId));
  });

  test.each(['application/json', 'application/xml', 'text/csv', 'application/jsonl', 'text/html'])(
    'is in lists as %s',
    async (Accept) => {
      const { status, text } = await get(`/orders?customerId=${customerId}`, { Accept });
      expect(status).toBe(200);
      expect(text).toContain(order.slice('/orders/'.length));
    },
  );

  test('links its customer, which leads to its versions', async () => {
    const href = `${order}/customer`;
    expect((await get(order)).json().links).toContainEqual(
      expect.objectContaining({ rel: 'customer', href }),
    );
    const answer = await get(href);
    expectProblem(answer, 404);
    const links = [{ rel: 'version-history', href: `${customer}/versions`, method: 'GET' }];
    expect(answer.json().links).toEqual(links);
    expect(answer.headers.link).toContain(`<${customer}/versions>; rel="version-history"`);
    expect((await get(href, { Accept: 'text/html' })).status).toBe(404);
  });

  test('has null in place of its customer', async () => {
    expect((await get(`${order}?expand=customer`)).json().customer).toBeNull();
    const { items } = (await get(`/orders?customerId=${customerId}&expand=customer`)).json();
    expect(items).toMatchObject([{ customer: null }]);
  });

  test('can change, and keep its customer', async () => {
    const json = { ...VALUES, quantity: 2 };
    expect((await send('PUT', order, { json: { ...json, customerId } })).status).toBe(200);
    expect((await send('PUT', order, { json })).status).toBe(200);
    const merge = { body: '{"quantity":3}', headers: MERGE_PATCH };
    expect((await send('PATCH', order, merge)).status).toBe(200);
    const tested = [
      { op: 'test', path: '/customerId', value: customerId },
      { op: 'replace', path: '/quantity', value: 4 },
    ];
    const patch = { body: JSON.stringify(tested), headers: JSON_PATCH };
    expect((await send('PATCH', order, patch)).status).toBe(200);
    const form = formsOf((await get(`${order}/edit`, BROWSER)).text).find(({ inputs }) =>
      inputs.has('quantity'),
    );
    const body = new URLSearchParams([...new Map(form?.inputs).set('quantity', '5')]).toString();
    const headers = { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await send('POST', form?.action ?? '', { body, headers })).status).toBe(303);
    expect((await send('POST', `${order}/pay`)).status).toBe(200);
    expect((await get(order)).json()).toMatchObject({ customerId, quantity: 5, status: 'paid' });
  });
});

describe('a new reference to a removed customer', () => {
  const referring = () => ({ ...VALUES, customerId });
  const added = () => [{ op: 'add', path: '/customerId', value: customerId }];

  test.each([
    ['POST', () => send('POST', '/orders', { json: referring() })],
    ['POST of several', () => send('POST', '/orders', { json: [VALUES, referring()] })],
    ['PUT', () => send('PUT', other, { json: referring() })],
    ['a merge patch', () => send('PATCH', other, { json: { customerId }, headers: MERGE_PATCH })],
    ['a JSON Patch', () => send('PATCH', other, { json: added(), headers: JSON_PATCH })],
  ])('gets 409: %s', async (_, request) => {
    const answer = await request();
    expectProblem(answer, 409);
    expect(answer.json().errors).toMatchObject([{ pointer: expect.stringContaining('customerId') }]);
  });

  test('of one element gets 409 for this element, if the request is lenient', async () => {
    const sent = { json: [VALUES, referring()], headers: { Prefer: 'handling=lenient' } };
    const { status, json } = await send('POST', '/orders', sent);
    expect(status).toBe(207);
    expect(json().items.map((one) => one.status)).toEqual([201, 409]);
  });

  test.each(['POST', 'PUT', 'DELETE'])('below it has no place: %s', async (method) => {
    const json = method === 'POST' ? VALUES : [];
    expectProblem(await send(method, `${customer}/orders`, method === 'DELETE' ? {} : { json }), 404);
  });
});

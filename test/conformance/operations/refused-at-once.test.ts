import { expect, test } from '@jest/globals';
import type { SentRequest } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const LATER = { Prefer: 'respond-async' };
const NO_PRODUCT = 4_000_000_000_001;
const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };

interface Items {
  readonly customer: string;
  readonly order: string;
  readonly orderId: number;
  readonly otherOrderId: number;
}

async function items(): Promise<Items> {
  const [one, two] = [
    await create('/customers', { name: unique('c') }),
    await create('/customers', { a: 1 }),
  ];
  const order = await create(`${one.path}/orders`, { productId: 1, orderValue: 1 });
  const other = await create(`${two.path}/orders`, { productId: 1, orderValue: 1 });
  return { customer: one.path, order: order.path, orderId: order.id, otherOrderId: other.id };
}

type Case = readonly [
  what: string,
  status: number,
  request: (at: Items) => readonly [string, string, SentRequest],
];

const CASES: readonly Case[] = [
  [
    'an order without a value that could be computed',
    400,
    () => ['POST', '/orders', { json: { productId: NO_PRODUCT } }],
  ],
  [
    'an order of an unknown customer',
    409,
    () => ['POST', '/orders', { json: { productId: 1, orderValue: 1, customerId: 5 } }],
  ],
  [
    'an array with such an order',
    409,
    () => ['POST', '/orders', { json: [{ productId: 1, orderValue: 1, customerId: 5 }] }],
  ],
  [
    'an order under a customer that names another one',
    409,
    ({ customer }) => [
      'POST',
      `${customer}/orders`,
      { json: { productId: 1, orderValue: 1, customerId: 5 } },
    ],
  ],
  [
    'a PUT that gives an order to an unknown customer',
    409,
    ({ order }) => ['PUT', order, { json: { productId: 1, orderValue: 1, customerId: 5 } }],
  ],
  [
    'a PATCH that gives an order to an unknown customer',
    409,
    ({ order }) => ['PATCH', order, { json: { customerId: 5 }, headers: MERGE_PATCH }],
  ],
  [
    'a PUT of customers with an unknown number',
    409,
    () => ['PUT', '/customers', { json: [{ id: 5, name: 'x' }] }],
  ],
  [
    'a PUT of orders with the order of another customer',
    409,
    ({ customer, otherOrderId }) => [
      'PUT',
      `${customer}/orders`,
      { json: [{ orderId: otherOrderId, productId: 1, orderValue: 1 }] },
    ],
  ],
  ['a version that does not exist', 404, ({ customer }) => ['POST', `${customer}/versions/9/restore`, {}]],
  ['a transition that the state does not allow', 409, ({ order }) => ['POST', `${order}/complete`, {}]],
];

// Specification 7.1
test.each(CASES)('respond-async refuses %s at once', async (_what, status, request) => {
  const at = await items();
  const before = (await get(at.order)).headers.etag;
  const [method, path, sent] = request(at);
  expectProblem(await send(method, path, { ...sent, headers: { ...sent.headers, ...LATER } }), status);
  expect((await get(at.order)).headers.etag).toBe(before);
});

test('respond-async accepts what the action would do', async () => {
  const { customer, order, orderId } = await items();
  const requests: readonly (readonly [string, string, SentRequest])[] = [
    ['POST', '/orders', { json: { productId: NO_PRODUCT, orderValue: 2 } }],
    ['POST', `${customer}/orders`, { json: [{ productId: 1, orderValue: 1 }] }],
    ['PUT', `${customer}/orders`, { json: [{ orderId, productId: 1, orderValue: 3 }] }],
    ['PUT', order, { json: { productId: 1, orderValue: 4, customerId: null } }],
    ['POST', `${order}/pay`, {}],
  ];
  for (const [method, path, sent] of requests) {
    const answer = await send(method, path, { ...sent, headers: { ...sent.headers, ...LATER } });
    expect([method, path, answer.status]).toEqual([method, path, 202]);
    const operation = await get(answer.headers.location as string, { Prefer: 'wait=10' });
    expect(['Succeeded', 303]).toContain(operation.status === 303 ? 303 : operation.json().status);
  }
});

// Specification 16.6 and 16.13
test('respond-async accepts the restoration of what was removed', async () => {
  const customer = await create('/customers', { name: unique('c') });
  const file = `/files/${unique('f')}`;
  await send('PUT', file, { body: 'a' });
  const version = String((await get(`${file}/versions`)).json().items[0]?.version);
  for (const [path, wanted] of Object.entries({ [customer.path]: '1', [file]: version })) {
    await send('DELETE', path);
    const unknown = await send('POST', `${path}/versions/999/restore`, { headers: LATER });
    expectProblem(unknown, 404);
    const accepted = await send('POST', `${path}/versions/${wanted}/restore`, { headers: LATER });
    expect([path, accepted.status]).toEqual([path, 202]);
    const end = await get(accepted.headers.location as string, { Prefer: 'wait=10' });
    expect([end.status, end.headers.location]).toEqual([303, path]);
    expect((await get(path)).status).toBe(200);
  }
});

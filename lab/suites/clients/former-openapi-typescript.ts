/** Runs the ten steps with the types that openapi-typescript made of the description of release 0.2.0. */

import createClient from 'openapi-fetch';
import type { paths } from './api/api';
import { afterIn, ended, equal, given, IMAGE, step } from './report';

const api = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const MERGE = { 'Content-Type': 'application/merge-patch+json' } as const;
const AT = '/products/{id}?fields=productImage';

/** Returns the value of JSON: that description also had CSV and XML, which are texts. */
function ofJson<Value>(data: Value | undefined): Exclude<Value, string> {
  if (data === undefined || typeof data === 'string') throw new Error('there is no JSON');
  return data as Exclude<Value, string>;
}

let customer = 0;
let order = 0;
let product = 0;
let etag = '';

await step(1, async () => {
  const { data } = await api.POST('/customers', { body: { name: 'Generated' } });
  const made = ofJson(data);
  if (!('id' in made)) throw new Error('there is no customer');
  customer = made.id;
  equal(made.name, 'Generated');
});
await step(2, async () => {
  const mug = ofJson((await api.POST('/products', { body: { name: 'Mug', price: 10 } })).data);
  if (!('id' in mug)) throw new Error('there is no product');
  product = mug.id;
  const { data } = await api.POST('/orders', {
    body: { customerId: customer, productId: product, quantity: 2 },
  });
  const made = ofJson(data);
  if (!('orderId' in made)) throw new Error('there is no order');
  order = made.orderId;
  equal(made.orderValue, 20);
});
await step(3, async () => {
  const { data } = await api.POST('/orders/{id}/pay', { params: { path: { id: order } } });
  const paid = ofJson(data);
  if (!('orderId' in paid)) throw new Error('there is no order');
  equal(paid.status, 'paid');
});
await step(4, async () => {
  const read = await api.GET('/customers/{id}', { params: { path: { id: customer } } });
  etag = given(read.response.headers.get('etag'));
  const { data } = await api.PATCH('/customers/{id}', {
    params: { path: { id: customer } },
    headers: MERGE,
    body: { name: 'Changed' },
  });
  const changed = ofJson(data);
  if (!('id' in changed)) throw new Error('there is no customer');
  equal(changed.name, 'Changed');
});
await step(5, async () => {
  const { response } = await api.PUT(AT, {
    params: { path: { id: product } },
    headers: { 'Content-Type': 'image/png' },
    body: '',
    bodySerializer: () => IMAGE,
  });
  equal(response.status, 201);
});
await step(6, async () => {
  const { data, response } = await api.GET(AT, {
    params: { path: { id: product }, header: { Range: 'bytes=0-99' } },
    parseAs: 'arrayBuffer',
  });
  equal(response.status, 206);
  equal(response.headers.get('content-type'), 'image/png');
  equal(String(new Uint8Array(given(data) as ArrayBuffer)), String(IMAGE.slice(0, 100)));
});
await step(7, async () => {
  const first = ofJson((await api.GET('/customers', { params: { query: { limit: 1 } } })).data);
  const next = { limit: 1, after: afterIn(first.links) };
  const second = ofJson((await api.GET('/customers', { params: { query: next } })).data);
  const [one, two] = [given(first.items[0]), given(second.items[0])];
  equal(one.id === two.id, false);
});
await step(8, async () => {
  const { error, response } = await api.PATCH('/customers/{id}', {
    params: { path: { id: customer }, header: { 'If-Match': etag } },
    headers: MERGE,
    body: { name: 'Too late' },
  });
  equal(response.status, 412);
  equal(ofJson(error).type, '/problems/precondition-failed');
});
await step(9, async () => {
  const { data, response } = await api.DELETE('/customers/{id}/orders', {
    params: { path: { id: customer }, header: { Prefer: 'respond-async' } },
  });
  const { operationId } = ofJson(data);
  equal(response.status, 202);
  equal(response.headers.get('location'), `/operations/${operationId}`);
  const path = { id: operationId };
  const operation = await ended(async () =>
    ofJson((await api.GET('/operations/{id}', { params: { path } })).data),
  );
  equal(operation.status, 'Succeeded');
  equal(operation.result?.status, 204);
});
await step(10, async () => {
  const { error } = await api.POST('/orders', {
    body: { productId: product, quantity: 0, orderValue: -1 },
  });
  const refused = ofJson(error);
  equal(refused.status, 400);
  equal(refused.errors?.map(({ pointer }) => pointer).join(' '), '/orderValue /quantity');
});

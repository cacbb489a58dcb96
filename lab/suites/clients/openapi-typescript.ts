import createClient from 'openapi-fetch';
import type { paths } from './api/api';
import { afterIn, ended, equal, given, IMAGE, step } from './report';

const api = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const MERGE = { 'Content-Type': 'application/merge-patch+json' } as const;

let customer = 0;
let order = 0;
let product = 0;
let etag = '';

await step(1, async () => {
  const { data } = await api.POST('/customers', { body: { name: 'Generated' } });
  if (!data || !('id' in data)) throw new Error('there is no customer');
  customer = data.id;
  equal(data.name, 'Generated');
});
await step(2, async () => {
  const made = await api.POST('/products', { body: { name: 'Mug', price: 10 } });
  if (!made.data || !('id' in made.data)) throw new Error('there is no product');
  product = made.data.id;
  const { data } = await api.POST('/orders', {
    body: { customerId: customer, productId: product, quantity: 2 },
  });
  if (!data || !('orderId' in data)) throw new Error('there is no order');
  order = data.orderId;
  equal(data.orderValue, 20);
});
await step(3, async () => {
  const { data } = await api.POST('/orders/{id}/pay', { params: { path: { id: order } } });
  if (!data || !('orderId' in data)) throw new Error('there is no order');
  equal(data.status, 'paid');
});
await step(4, async () => {
  const read = await api.GET('/customers/{id}', { params: { path: { id: customer } } });
  etag = given(read.response.headers.get('etag'));
  const { data } = await api.PATCH('/customers/{id}', {
    params: { path: { id: customer } },
    headers: MERGE,
    body: { name: 'Changed' },
  });
  if (!data || !('id' in data)) throw new Error('there is no customer');
  equal(data.name, 'Changed');
});
await step(5, async () => {
  const { response } = await api.PUT('/products/{id}/productImage', {
    params: { path: { id: product } },
    headers: { 'Content-Type': 'image/png' },
    body: '',
    bodySerializer: () => IMAGE,
  });
  equal(response.status, 201);
});
await step(6, async () => {
  const { data, response } = await api.GET('/products/{id}/productImage', {
    params: { path: { id: product }, header: { Range: 'bytes=0-99' } },
    parseAs: 'arrayBuffer',
  });
  equal(response.status, 206);
  equal(response.headers.get('content-type'), 'image/png');
  equal(String(new Uint8Array(given(data))), String(IMAGE.slice(0, 100)));
});
await step(7, async () => {
  const first = await api.GET('/customers', { params: { query: { limit: 1 } } });
  const next = { limit: 1, after: afterIn(first.data?.links) };
  const second = await api.GET('/customers', { params: { query: next } });
  const [one, two] = [given(first.data?.items[0]), given(second.data?.items[0])];
  equal(one.id === two.id, false);
});
await step(8, async () => {
  const { error, response } = await api.PATCH('/customers/{id}', {
    params: { path: { id: customer }, header: { 'If-Match': etag } },
    headers: MERGE,
    body: { name: 'Too late' },
  });
  equal(response.status, 412);
  equal(error?.type, '/problems/precondition-failed');
});
await step(9, async () => {
  const { data, response } = await api.DELETE('/customers/{id}/orders', {
    params: { path: { id: customer }, header: { Prefer: 'respond-async' } },
  });
  equal(response.status, 202);
  equal(response.headers.get('location'), `/operations/${given(data).operationId}`);
  const path = { id: given(data).operationId };
  const operation = await ended(async () => (await api.GET('/operations/{id}', { params: { path } })).data);
  equal(operation.status, 'Succeeded');
  equal(operation.result?.status, 204);
});
await step(10, async () => {
  const { error } = await api.POST('/orders', {
    body: { productId: product, quantity: 0, orderValue: -1 },
  });
  equal(error?.status, 400);
  equal(error?.errors?.map(({ pointer }) => pointer).join(' '), '/orderValue /quantity');
});

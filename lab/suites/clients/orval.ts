import {
  deleteCustomersByIdOrders,
  getCustomers,
  getCustomersById,
  getOperationsById,
  getProductsByIdProductImage,
  patchCustomersById,
  postCustomers,
  postOrders,
  postOrdersByIdPay,
  postProducts,
  putProductsByIdProductImage,
} from './api/api';
import { afterIn, ended, equal, given, IMAGE, step } from './report';

// The functions have the paths of the description alone.
const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const direct = globalThis.fetch;
globalThis.fetch = (path, init) => direct(new URL(String(path), process.argv[2]), init);

let customer = 0;
let order = 0;
let product = 0;
let etag = '';

await step(1, async () => {
  const { data, status } = await postCustomers({ name: 'Generated' });
  if (status !== 201 || !('id' in data)) throw new Error(`the status is ${status}`);
  customer = data.id;
  equal(data.name, 'Generated');
});
await step(2, async () => {
  const made = await postProducts({ name: 'Mug', price: 10 });
  if (made.status !== 201 || !('id' in made.data)) throw new Error(`the status is ${made.status}`);
  product = made.data.id;
  const { data, status } = await postOrders({ customerId: customer, productId: product, quantity: 2 });
  if (status !== 201 || !('orderId' in data)) throw new Error(`the status is ${status}`);
  order = data.orderId;
  equal(data.orderValue, 20);
});
await step(3, async () => {
  const { data, status } = await postOrdersByIdPay(order);
  if (status !== 200) throw new Error(`the status is ${status}`);
  equal(data.status, 'paid');
});
await step(4, async () => {
  etag = given((await getCustomersById(customer)).headers.get('etag'));
  const { data, status } = await patchCustomersById(customer, { name: 'Changed' }, { headers: MERGE });
  if (status !== 200) throw new Error(`the status is ${status}`);
  equal(data.name, 'Changed');
});
await step(5, async () => {
  const { status } = await putProductsByIdProductImage(product, new Blob([IMAGE]));
  equal(status, 201);
});
await step(6, async () => {
  const { data, status, headers } = await getProductsByIdProductImage(product, {
    headers: { Range: 'bytes=0-99' },
  });
  if (status !== 206) throw new Error(`the status is ${status}`);
  equal(headers.get('content-type'), 'image/png');
  equal(String(new Uint8Array(await data.arrayBuffer())), String(IMAGE.slice(0, 100)));
});
await step(7, async () => {
  const first = await getCustomers({ limit: 1 });
  if (first.status !== 200) throw new Error(`the status is ${first.status}`);
  const second = await getCustomers({ limit: 1, after: afterIn(first.data.links) });
  if (second.status !== 200) throw new Error(`the status is ${second.status}`);
  equal(given(first.data.items[0]).id === given(second.data.items[0]).id, false);
});
await step(8, async () => {
  const { data, status } = await patchCustomersById(
    customer,
    { name: 'Too late' },
    { headers: { ...MERGE, 'If-Match': etag } },
  );
  if (status !== 412) throw new Error(`the status is ${status}`);
  equal(data.type, '/problems/precondition-failed');
});
await step(9, async () => {
  const { data, status, headers } = await deleteCustomersByIdOrders(customer, {
    headers: { Prefer: 'respond-async' },
  });
  if (status !== 202) throw new Error(`the status is ${status}`);
  equal(headers.get('location'), `/operations/${data.operationId}`);
  const operation = await ended(async () => {
    const read = await getOperationsById(data.operationId);
    return read.status === 200 ? read.data : undefined;
  });
  equal(operation.status, 'Succeeded');
  equal(operation.result?.status, 204);
});
await step(10, async () => {
  const { data, status } = await postOrders({ productId: product, quantity: 0, orderValue: -1 });
  if (status !== 400) throw new Error(`the status is ${status}`);
  equal(data.errors?.map(({ pointer }) => pointer).join(' '), '/orderValue /quantity');
});

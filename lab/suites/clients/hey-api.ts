import { client } from './api/client.gen';
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
} from './api/sdk.gen';
import { afterIn, ended, equal, given, IMAGE, step } from './report';

client.setConfig({ baseUrl: process.argv[2] ?? '' });

let customer = 0;
let order = 0;
let product = 0;
let etag = '';

await step(1, async () => {
  const { data } = await postCustomers({ body: { name: 'Generated' } });
  if (!data || !('id' in data)) throw new Error('there is no customer');
  customer = data.id;
  equal(data.name, 'Generated');
});
await step(2, async () => {
  const made = await postProducts({ body: { name: 'Mug', price: 10 } });
  if (!made.data || !('id' in made.data)) throw new Error('there is no product');
  product = made.data.id;
  const { data } = await postOrders({ body: { customerId: customer, productId: product, quantity: 2 } });
  if (!data || !('orderId' in data)) throw new Error('there is no order');
  order = data.orderId;
  equal(data.orderValue, 20);
});
await step(3, async () => {
  const { data } = await postOrdersByIdPay({ path: { id: order } });
  if (!data || !('orderId' in data)) throw new Error('there is no order');
  equal(data.status, 'paid');
});
await step(4, async () => {
  const read = await getCustomersById({ path: { id: customer } });
  etag = given(read.response?.headers.get('etag'));
  const { data } = await patchCustomersById({ path: { id: customer }, body: { name: 'Changed' } });
  if (!data || !('id' in data)) throw new Error('there is no customer');
  equal(data.name, 'Changed');
});
await step(5, async () => {
  const body = new Blob([IMAGE]);
  const { response } = await putProductsByIdProductImage({ path: { id: product }, body });
  equal(response?.status, 201);
});
await step(6, async () => {
  const { data, response } = await getProductsByIdProductImage({
    path: { id: product },
    headers: { Range: 'bytes=0-99' },
    parseAs: 'blob',
  });
  equal(response?.status, 206);
  equal(response?.headers.get('content-type'), 'image/png');
  if (!(data instanceof Blob)) throw new Error('there are no bytes');
  equal(String(new Uint8Array(await data.arrayBuffer())), String(IMAGE.slice(0, 100)));
});
await step(7, async () => {
  const first = await getCustomers({ query: { limit: 1 } });
  const second = await getCustomers({ query: { limit: 1, after: afterIn(first.data?.links) } });
  const [one, two] = [given(first.data?.items[0]), given(second.data?.items[0])];
  equal(one.id === two.id, false);
});
await step(8, async () => {
  const { error, response } = await patchCustomersById({
    path: { id: customer },
    headers: { 'If-Match': etag },
    body: { name: 'Too late' },
  });
  equal(response?.status, 412);
  equal(error?.type, '/problems/precondition-failed');
});
await step(9, async () => {
  const { data, response } = await deleteCustomersByIdOrders({
    path: { id: customer },
    headers: { Prefer: 'respond-async' },
  });
  equal(response?.status, 202);
  const { operationId: id } = given(data || undefined);
  equal(response?.headers.get('location'), `/operations/${id}`);
  const operation = await ended(async () => (await getOperationsById({ path: { id } })).data);
  equal(operation.status, 'Succeeded');
  equal(operation.result?.status, 204);
});
await step(10, async () => {
  const { error } = await postOrders({ body: { productId: product, quantity: 0, orderValue: -1 } });
  equal(error?.status, 400);
  equal(error?.errors?.map(({ pointer }) => pointer).join(' '), '/orderValue /quantity');
});

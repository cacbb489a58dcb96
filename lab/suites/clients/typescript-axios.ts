import { isAxiosError } from 'axios';
import { Configuration, CustomersApi, OperationsApi, OrdersApi, type Problem, ProductsApi } from './api';
import { afterIn, ended, equal, given, IMAGE, step } from './report';

const configuration = new Configuration({ basePath: process.argv[2] ?? '' });
const customers = new CustomersApi(configuration);
const orders = new OrdersApi(configuration);
const products = new ProductsApi(configuration);
const operations = new OperationsApi(configuration);

/** Returns the problem of a refused request, and its status. */
async function refusal(request: Promise<unknown>): Promise<{ status: number; problem: Problem }> {
  try {
    await request;
  } catch (error) {
    if (isAxiosError<Problem>(error) && error.response)
      return { status: error.response.status, problem: error.response.data };
    throw error;
  }
  throw new Error('the request is not refused');
}

let customer = 0;
let order = 0;
let product = 0;
let etag = '';

await step(1, async () => {
  const { data } = await customers.postCustomers({ name: 'Generated' });
  if (!('id' in data)) throw new Error('there is no customer');
  customer = data.id;
  equal(data.name, 'Generated');
});
await step(2, async () => {
  const made = await products.postProducts({ name: 'Mug', price: 10 });
  if (!('id' in made.data)) throw new Error('there is no product');
  product = made.data.id;
  const { data } = await orders.postOrders({ customerId: customer, productId: product, quantity: 2 });
  if (!('orderId' in data)) throw new Error('there is no order');
  order = data.orderId;
  equal(data.orderValue, 20);
});
await step(3, async () => {
  const { data } = await orders.postOrdersByIdPay(order);
  equal(data.status, 'paid');
});
await step(4, async () => {
  etag = String((await customers.getCustomersById(customer)).headers.etag);
  const { data } = await customers.patchCustomersById(customer, { name: 'Changed' });
  equal(data.name, 'Changed');
});
await step(5, async () => {
  const { status } = await products.putProductsByIdProductImage(
    product,
    new File([IMAGE], 'image.png', { type: 'image/png' }),
  );
  equal(status, 201);
});
await step(6, async () => {
  const { data, status, headers } = await products.getProductsByIdProductImage(
    product,
    undefined,
    'bytes=0-99',
    { responseType: 'arraybuffer' },
  );
  equal(status, 206);
  equal(headers['content-type'], 'image/png');
  equal(String(new Uint8Array(await new Blob([data]).arrayBuffer())), String(IMAGE.slice(0, 100)));
});
await step(7, async () => {
  const first = await customers.getCustomers(1);
  const second = await customers.getCustomers(1, undefined, afterIn(first.data.links));
  equal(given(first.data.items[0]).id === given(second.data.items[0]).id, false);
});
await step(8, async () => {
  const change = customers.patchCustomersById(customer, { name: 'Too late' }, etag);
  const { status, problem } = await refusal(change);
  equal(status, 412);
  equal(problem.type, '/problems/precondition-failed');
});
await step(9, async () => {
  const { data, status, headers } = await orders.deleteCustomersByIdOrders(
    customer,
    undefined,
    'respond-async',
  );
  equal(status, 202);
  equal(headers.location, `/operations/${data.operationId}`);
  const operation = await ended(async () => (await operations.getOperationsById(data.operationId)).data);
  equal(operation.status, 'Succeeded');
  equal(operation.result?.status, 204);
});
await step(10, async () => {
  const creation = orders.postOrders({ productId: product, quantity: 0, orderValue: -1 });
  const { status, problem } = await refusal(creation);
  equal(status, 400);
  equal(problem.errors?.map(({ pointer }) => pointer).join(' '), '/orderValue /quantity');
});

import { integer, money, process, reference, refuse, resource } from 'resource-api';
import { customers } from './customers.ts';
import { products } from './products.ts';

/** An order is paid for with these values. Source: Specification 8.5. */
const lockedIn = ['paid', 'placed', 'completed'];

/** Orders, as a collection and below their customer. An order outlives its product and its customer. */
export const orders = resource('orders', {
  about:
    'Orders of products by customers. A client may set the value, and may change an order until it is paid. A client may delete it in any state. An order outlives its product and its customer.',
  open: true,
  bulk: false,
  revision: 2,
  history: { days: 30 },
  totals: true,
  itemTitle: ['customerId', 'orderValue', 'status'],
  identifier: { name: 'orderId', label: 'Order number', example: 114811818517611 },
  under: customers,
  fields: {
    customerId: reference(customers, {
      onDelete: 'clear',
      keptByPut: true,
      linked: 'below',
      lockedIn,
      example: 114811818447734,
    }),
    orderValue: money({
      label: 'Value',
      help: 'Without a value, it is price × quantity.',
      currency: 'EUR',
      sortable: true,
      filters: { minCost: 'gte' },
      lockedIn,
    }),
    productId: reference(products, {
      required: true,
      mustExist: false,
      as: 'products',
      kind: 'many',
      linked: 'below',
      sortable: true,
      lockedIn,
      example: 1,
    }),
    quantity: integer({ minimum: 1, default: 1, sortable: true, lockedIn, example: 3 }),
    status: process({
      created: { pay: 'paid', cancel: 'canceled' },
      paid: { place: 'placed', cancel: 'canceled' },
      placed: { complete: 'completed', cancel: 'canceled' },
      completed: {},
      canceled: {},
    }),
  },
  reads: [products],

  /** Computes a missing value, and that of another product or quantity: the exact price × quantity. Source: Specification 2.6. */
  check: async ({ orderValue, productId, quantity = 1 }, { read, sent, before }) => {
    const isSame = !before || (before.productId === productId && (before.quantity ?? 1) === quantity);
    if (orderValue !== undefined && (isSame || sent.has('orderValue'))) return undefined;
    const product = await read(products, productId);
    if (product?.price) return { orderValue: product.price.times(quantity) };
    const detail =
      'The value of the order cannot be computed. Name a product with a price, or send orderValue';
    return product
      ? refuse(detail, { orderValue: 'must be given, because the product has no price' })
      : refuse(detail, { productId: 'names no product' });
  },
});

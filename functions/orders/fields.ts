import { describe } from '../../shared/resource/description.ts';
import { integer, money, text } from '../../shared/resource/fields.ts';

/** The states of an order's business process. */
export const STATES = ['created', 'paid', 'placed', 'completed', 'canceled'] as const;

/** An order. Its product need not exist any more: an order outlives it. */
export const description = describe({
  singular: 'order',
  identifier: { name: 'orderId', kind: 'integer', label: 'Order number' },
  fields: {
    customerId: integer('Customer'),
    orderValue: money('Value'),
    productId: integer('Product'),
    quantity: integer('Quantity', { minimum: 1, default: 1 }),
    status: text('Status', { server: true, choices: STATES }),
  },
  required: ['productId'],
});

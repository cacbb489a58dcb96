import { describe } from '../../shared/resource/description/description.ts';
import { integer, money, text } from '../../shared/resource/description/fields.ts';
import { reference } from '../../shared/resource/description/references.ts';
import { customerFacts } from '../customers/fields.ts';

/** The states of an order's business process. */
export const STATES = ['created', 'paid', 'placed', 'completed', 'canceled'] as const;

/** An order. Its product need not exist, because an order outlives its product. */
export const description = describe({
  singular: 'order',
  open: true,
  identifier: { name: 'orderId', kind: 'integer', label: 'Order number', example: 114811818517611 },
  fields: {
    customerId: reference(customerFacts, {
      label: 'Customer',
      onDelete: 'clear',
      keptByPut: true,
      example: 114811818447734,
    }),
    orderValue: money('Value', 43.5),
    productId: integer('Product', { isId: true, example: 1 }),
    quantity: integer('Quantity', { minimum: 1, default: 1, example: 3 }),
    status: text('Status', { server: true, choices: STATES, example: 'created' }),
  },
  required: ['productId'],
});

import { anyValue, email, itemOf, money, resource, text } from 'resource-api';

/** Customers, and the customer of an order. */
export const customers = resource('customers', {
  about: 'People and companies that order products. Clients may add properties of their own.',
  open: true,
  revision: 2,
  history: { days: 30 },
  fields: {
    name: text({ example: 'Acme', sortable: true }),
    address: anyValue({ types: ['string', 'object'], example: '12 Quay Street' }),
    email: email({ example: 'hello@acme.example' }),
    creditLimit: money({
      label: 'Credit limit',
      currency: 'EUR',
      writableBy: 'credit:write',
      example: 5000,
      help: 'The most that the customer may owe. Nothing enforces it.',
    }),
  },
  below: [itemOf('orders', { key: 'orderId', field: 'customerId' })],
});

import { describe, type ItemFacts } from '../../shared/resource/description/description.ts';
import { anyValue, email, text } from '../../shared/resource/description/fields.ts';

/** A customer. The resource is open: clients may add properties. */
export const description = describe({
  singular: 'customer',
  title: 'name',
  open: true,
  fields: {
    name: text('Name', { example: 'Acme' }),
    address: anyValue('Address', { types: ['string', 'object'], example: '12 Quay Street' }),
    email: email('E-mail', 'hello@acme.example'),
  },
});

/** The facts that make the representation of a customer, also inside an order. */
export const customerFacts = {
  name: 'customers',
  description,
  revision: 2,
  links: ({ id }) => [{ rel: 'orders', href: `/customers/${id}/orders` }],
} satisfies ItemFacts;

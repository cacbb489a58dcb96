import { describe } from '../../shared/resource/description.ts';
import { email, integer, text } from '../../shared/resource/fields.ts';

/** A customer, open to properties of a client's own. */
export const description = describe({
  singular: 'customer',
  open: true,
  fields: {
    name: text('Name', { example: 'Acme' }),
    address: text('Address', { example: '12 Quay Street' }),
    email: email('E-mail', 'hello@acme.example'),
  },
  // Orders of theirs that are paid or placed, counted by the orders themselves.
  internal: { engaged: integer('Orders under way') },
});

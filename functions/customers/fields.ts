import { describe } from '../../shared/resource/description.ts';
import { email, text } from '../../shared/resource/fields.ts';

/** A customer, open to properties of a client's own. */
export const description = describe({
  singular: 'customer',
  open: true,
  fields: {
    name: text('Name'),
    address: text('Address'),
    email: email('E-mail'),
  },
});

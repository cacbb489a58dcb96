import { describe } from '../../shared/resource/description/description.ts';
import { email, text } from '../../shared/resource/description/fields.ts';

/** A customer. The resource is open: clients may add properties. */
export const description = describe({
  singular: 'customer',
  open: true,
  fields: {
    name: text('Name', { example: 'Acme' }),
    address: text('Address', { example: '12 Quay Street' }),
    email: email('E-mail', 'hello@acme.example'),
  },
});

import { describe } from '../../shared/resource/description.ts';
import { email, integer, text } from '../../shared/resource/fields.ts';

/** A member: what is known of them, and whatever else a client keeps with them. */
export const description = describe({
  singular: 'member',
  open: true,
  fields: {
    username: text('User name', { example: 'ada' }),
    name: text('Name', { example: 'Ada Lovelace' }),
    email: email('E-mail', 'ada@example.org'),
    age: integer('Age', { example: 36 }),
  },
});

import { describe } from '../../shared/resource/description.ts';
import { email, integer, text } from '../../shared/resource/fields.ts';

/** A member: what is known of them, and whatever else a client keeps with them. */
export const description = describe({
  singular: 'member',
  open: true,
  fields: {
    username: text('User name'),
    name: text('Name'),
    email: email('E-mail'),
    age: integer('Age'),
  },
});

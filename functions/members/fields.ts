import { describe } from '../../shared/resource/description/description.ts';
import { binary, email, integer, text } from '../../shared/resource/description/fields.ts';

/** A member. The resource is open: clients may add properties. */
export const description = describe({
  singular: 'member',
  title: 'name',
  open: true,
  fields: {
    username: text('User name', { example: 'ada' }),
    name: text('Name', { example: 'Ada Lovelace' }),
    email: email('E-mail', 'ada@example.org'),
    age: integer('Age', { example: 36 }),
    photo: binary('Photo', { accepts: 'image/*' }),
  },
});

import { email, resource, text } from 'resource-api';

/** Readers, who borrow copies. */
export const readers = resource('readers', {
  about: 'People who borrow books.',
  fields: {
    name: text({ required: true, sortable: true, example: 'Ada' }),
    email: email({ required: true }),
  },
});

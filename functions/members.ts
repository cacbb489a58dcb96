import { binary, email, integer, resource, text } from 'resource-api';

/** Members: one collection with an API and HTML forms. */
export const members = resource('members', {
  about: 'Registered people. Clients may add properties of their own.',
  open: true,
  bulk: false,
  change: true,
  revision: 2,
  history: { days: 30 },
  fields: {
    username: text({ label: 'User name', example: 'ada', sortable: true }),
    name: text({ example: 'Ada Lovelace', sortable: true }),
    email: email({ example: 'ada@example.org' }),
    age: integer({ example: 36, sortable: true }),
    photo: binary({ accepts: 'image/*' }),
  },
});

import { resource, text } from 'resource-api';

/** Books, of which the library owns copies. */
export const books = resource('books', {
  about: 'Books of the library.',
  fields: {
    title: text({ required: true, sortable: true, example: 'Middlemarch' }),
    author: text({ required: true, sortable: true, example: 'George Eliot' }),
  },
  itemTitle: 'title',
});

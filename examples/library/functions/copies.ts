import { process, resource, text } from 'resource-api';
import { books } from './books.ts';

/** Copies: what a reader takes home. */
export const copies = resource('copies', {
  about: 'Copies of books, each with a label.',
  under: { of: books, required: true },
  fields: {
    label: text({ required: true, unique: true, lockedIn: ['retired'], example: 'M-17' }),
    status: process({ lendable: { retire: 'retired' }, retired: {} }),
  },
  itemTitle: 'label',
});

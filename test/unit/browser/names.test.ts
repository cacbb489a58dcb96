import { expect, test } from '@jest/globals';
import { orders } from '../../../functions/orders.ts';
import { namesIn, searchNames, withNamedFilters } from '../../../pages/browser/names.ts';
import { ask } from '../flow/steps/books.ts';

/** Orders whose customers cannot be found by their names yet, such as before a backfill. */
const { relations } = orders;
const resource = {
  ...orders,
  relations: Object.fromEntries(
    Object.entries(relations).map(([name, one]) => [name, { ...one, find: async () => undefined }]),
  ),
};

/** The request of books, as one to the list of orders. */
const { request } = ask('GET /books?customerId=Harbour');
const listed = { ...request, path: '/orders', template: '/orders' };

// Specification 6.9
test('a name that cannot be searched stays a text in a filter, so that the filter is refused', async () => {
  expect(Object.keys(relations)).toContain('customer');
  const { query } = await withNamedFilters(resource, listed);
  expect([...query]).toEqual([['customerId', ['Harbour']]]);
});

// Specification 6.9
test('a name that cannot be searched stays a text in a form, and none says that no item has it', async () => {
  const fields = new Map([['customerId', ['Harbour']]]);
  const names = namesIn(resource, listed, fields);
  expect(names.map(([field]) => field)).toEqual(['customerId']);
  expect(await searchNames(names, fields, listed)).toEqual({ fields, faults: [] });
});

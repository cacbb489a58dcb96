import { bulkChecks } from '../../shared/operations/bulk/on-demand.ts';
import { collectionActions } from '../../shared/operations/collection-actions.ts';
import { resource } from '../../shared/resource/resource.ts';
import { bulk, collection, forms, related } from '../../shared/resource/styles.ts';
import { ACTIVE_ORDERS, customerOfOrder, HAS_ACTIVE_ORDERS, removal } from './actions.ts';
import { description } from './fields.ts';
import { validate } from './validate.generated.ts';

/** Customers, and the customer of an order. */
export const customers = resource({
  name: 'customers',
  title: 'Customers',
  about: 'Those who order. Any property beyond the known ones is kept as it was sent.',
  refusals: { remove: ['conflict'], removeAll: ['conflict'], replaceAll: ['conflict'] },
  description,
  validate,
  routes: [
    ...collection('/customers'),
    ...bulk('/customers'),
    ...forms('/customers'),
    ...related('/orders/{id}/customer', 'read:order', 'item'),
  ],
  sortable: ['name'],
  table: {},
  uses: [{ table: 'orders', access: 'read' }],
  links: ({ id }) => [{ rel: 'orders', href: `/customers/${id}/orders` }],
  actions: (customers) => ({
    ...collectionActions(customers, { unused: { count: ACTIVE_ORDERS, detail: HAS_ACTIVE_ORDERS } }),
    remove: removal(customers),
    'read:order': customerOfOrder(customers),
  }),
  checks: (customers) => bulkChecks(customers),
});

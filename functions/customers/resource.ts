import { deferrable } from '../../shared/operations/accepting/deferrable.ts';
import { bulkChecks } from '../../shared/operations/bulk/on-demand.ts';
import { collectionActions } from '../../shared/operations/collection-actions.ts';
import { resource } from '../../shared/resource/resource.ts';
import { bulk, collection, forms } from '../../shared/resource/styles/collection.ts';
import { relatedItem } from '../../shared/resource/styles/nested.ts';
import { recordedAnswers } from '../../shared/store/idempotency/recorded-answers.ts';
import { ACTIVE_ORDERS, customerOfOrder, HAS_ACTIVE_ORDERS, removal } from './actions.ts';
import { description } from './fields.ts';
import { validate } from './validate.generated.ts';

/** Customers, and the customer of an order. */
export const customers = resource({
  name: 'customers',
  title: 'Customers',
  about: 'People and companies that order products. Clients may add properties of their own.',
  description,
  validate,
  sortable: ['name'],
  table: {},
  uses: [{ table: 'orders', access: 'read' }],
  idempotency: recordedAnswers,
  deferral: deferrable,
  links: ({ id }) => [{ rel: 'orders', href: `/customers/${id}/orders` }],
  routes: (customers) => {
    const unused = { count: ACTIVE_ORDERS, detail: HAS_ACTIVE_ORDERS };
    const actions = { ...collectionActions(customers, { unused }), remove: removal(customers) };
    const details = {
      checks: bulkChecks(customers),
      refusals: { remove: ['conflict'], removeAll: ['conflict'], replaceAll: ['conflict'] },
    } as const;
    return [
      ...collection('/customers', actions, details),
      ...bulk('/customers', actions, details),
      ...forms('/customers', actions, details),
      ...relatedItem('/orders/{id}/customer', customerOfOrder(customers)),
    ];
  },
});

import { storedBinaries } from '../../shared/files/binaries/storage.ts';
import { deferrable } from '../../shared/operations/accepting/deferrable.ts';
import { bulkChecks } from '../../shared/operations/bulk/on-demand.ts';
import { collectionActions } from '../../shared/operations/collection-actions.ts';
import { resource } from '../../shared/resource/resource.ts';
import { binaries } from '../../shared/resource/styles/bytes.ts';
import { bulk, collection, forms } from '../../shared/resource/styles/collection.ts';
import { relatedItem } from '../../shared/resource/styles/nested.ts';
import { binaryActions } from '../../shared/store/binaries/actions.ts';
import { recordedAnswers } from '../../shared/store/idempotency/recorded-answers.ts';
import { customerOfOrder } from './actions.ts';
import { customerFacts } from './fields.ts';
import { validate } from './validate.generated.ts';

/** Customers, and the customer of an order. */
export const customers = resource({
  ...customerFacts,
  title: 'Customers',
  about: 'People and companies that order products. Clients may add properties of their own.',
  validate,
  sortable: ['name'],
  table: {},
  uses: [{ table: 'orders', access: 'read' }],
  idempotency: recordedAnswers,
  deferral: deferrable,
  binaries: storedBinaries,
  routes: (customers) => {
    const actions = collectionActions(customers);
    const checks = bulkChecks(customers);
    const refusals = { removeAll: ['conflict'], replaceAll: ['conflict'] } as const;
    return [
      ...collection('/customers', actions, { checks }),
      ...bulk('/customers', actions, { checks, refusals }),
      ...binaries('/customers/{id}', customerFacts.description, binaryActions(customers)),
      ...forms('/customers', actions),
      ...relatedItem('/orders/{id}/customer', customerOfOrder(customers)),
    ];
  },
});

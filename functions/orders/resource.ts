import { storedBinaries } from '../../shared/files/binaries/storage.ts';
import { deferrable } from '../../shared/operations/accepting/deferrable.ts';
import { collectionActions, collectionChecks } from '../../shared/operations/collection-actions.ts';
import { nestedActions } from '../../shared/operations/nested-actions.ts';
import { parentBy } from '../../shared/resource/description/references.ts';
import { resource } from '../../shared/resource/resource.ts';
import { binaries } from '../../shared/resource/styles/bytes.ts';
import { collection, forms } from '../../shared/resource/styles/collection.ts';
import { nested, nestedBulk } from '../../shared/resource/styles/nested.ts';
import { process } from '../../shared/resource/styles/process.ts';
import { binaryActions } from '../../shared/store/binaries/actions.ts';
import { recordedAnswers } from '../../shared/store/idempotency/recorded-answers.ts';
import { byReferences } from '../../shared/store/items/by-references.ts';
import { readItems } from '../../shared/store/items/read-items.ts';
import { transitions } from '../../shared/store/transition-actions.ts';
import { productFacts } from '../products/fields.ts';
import { description } from './fields.ts';
import { PROCESS } from './process.ts';
import { validate } from './validate.generated.ts';
import { computeOrderValue } from './value.ts';

/** Each write of an order computes a missing value. */
const RULES = { complete: computeOrderValue };

/** Orders, as a collection and below their customer. */
export const orders = resource({
  name: 'orders',
  title: 'Orders',
  about:
    'Orders of products by customers. A client may set the value, and may change or delete an order in any state. An order outlives its product and its customer.',
  description,
  validate,
  revision: 2,
  sortable: ['orderValue', 'quantity', 'productId'],
  filters: { minCost: 'orderValue.gte' },
  table: { partitions: ['customerId'] },
  process: PROCESS,
  uses: [
    { table: 'customers', access: 'check' },
    { table: 'products', access: 'read' },
  ],
  relations: {
    ...byReferences(description).relations,
    products: { to: productFacts, field: 'productId', kind: 'many', read: readItems },
  },
  idempotency: recordedAnswers,
  deferral: deferrable,
  binaries: storedBinaries,
  links: ({ id, values }) => [
    ...(values.customerId === undefined ? [] : [{ rel: 'customer', href: `/orders/${id}/customer` }]),
    { rel: 'products', href: `/orders/${id}/products` },
  ],
  routes: (orders) => {
    const actions = collectionActions(orders, RULES);
    const checks = collectionChecks(orders, RULES);
    const ofCustomer = nestedActions(orders, actions, parentBy(description, 'customerId'), RULES);
    return [
      ...collection('/orders', actions, { checks }),
      ...nested('/customers/{id}/orders', ofCustomer),
      ...nestedBulk('/customers/{id}/orders', ofCustomer, { refusals: { removeAll: ['conflict'] } }),
      ...process('/orders', actions.read, transitions(orders)),
      ...binaries('/orders/{id}', description, binaryActions(orders)),
      ...forms('/orders', actions, { checks }),
    ];
  },
});

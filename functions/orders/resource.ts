import { allowedTransitions } from '../../shared/resource/process.ts';
import { resource } from '../../shared/resource/resource.ts';
import { collection, forms, nested, nestedBulk, process } from '../../shared/resource/styles.ts';
import { orderActions } from './actions.ts';
import { orderChecks } from './checks.ts';
import { description } from './fields.ts';
import { PROCESS } from './process.ts';
import { validate } from './validate.generated.ts';

/** Orders, as a collection and below their customer. */
export const orders = resource({
  name: 'orders',
  title: 'Orders',
  about:
    'What was ordered, by whom and at what value. The caller may name the value, and may change or remove an order in any state. An order outlives its product and its customer.',
  refusals: {
    create: ['conflict'],
    'create:customer': ['conflict'],
    createAll: ['conflict'],
    'createAll:customer': ['conflict'],
    replace: ['conflict'],
    'replaceAll:customer': ['conflict'],
    'removeAll:customer': ['conflict'],
  },
  description,
  validate,
  routes: [
    ...collection('/orders'),
    ...nested('/customers/{id}/orders', 'customer'),
    ...nestedBulk('/customers/{id}/orders', 'customer'),
    ...process('/orders', PROCESS),
    ...forms('/orders'),
  ],
  sortable: ['orderValue', 'quantity', 'productId'],
  filters: { minCost: 'orderValue' },
  table: { partitions: ['customerId'] },
  events: { field: PROCESS.field },
  uses: [
    { table: 'customers', access: 'count' },
    { table: 'products', access: 'read' },
  ],
  links: ({ id, values }) => [
    ...(values.customerId === undefined ? [] : [{ rel: 'customer', href: `/orders/${id}/customer` }]),
    { rel: 'products', href: `/orders/${id}/products` },
    ...allowedTransitions(PROCESS, values.status).map(
      (move) => ({ rel: move, href: `/orders/${id}/${move}`, method: 'POST' }) as const,
    ),
  ],
  actions: orderActions,
  checks: orderChecks,
});

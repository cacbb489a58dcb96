import type { Problem } from '../../shared/http/problem.ts';
import type { JsonObject } from '../../shared/json/value.ts';
import type { Actions, Asked } from '../../shared/resource/action.ts';
import type { Item } from '../../shared/resource/item.ts';
import { done, missing, type Outcome, refused, replaced } from '../../shared/resource/outcome.ts';
import type { PageQuery } from '../../shared/resource/page.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { Items } from '../../shared/store/items.ts';
import { keeping } from '../../shared/store/kept.ts';
import { moved } from '../../shared/store/moved.ts';
import { existenceCheck, exists } from '../../shared/store/neighbour.ts';
import { Pages } from '../../shared/store/pages.ts';
import {
  expectedVersion,
  insertNew,
  listingOutcome,
  lostOutcome,
  stored,
} from '../../shared/store/stored.ts';
import { PROCESS } from './process.ts';
import { valued } from './value.ts';

const CUSTOMERS = { resource: 'customers', key: 'id' };

const isProblem = (values: JsonObject | Problem): values is Problem =>
  typeof values.name === 'string' && 'detail' in values;

const unknownCustomer = (id: unknown): Outcome =>
  refused('conflict', `There is no customer ${id}`, {
    errors: [{ pointer: '/customerId', detail: 'names a customer that does not exist' }],
  });

/** The actions of orders: a value that may be computed, a customer that must exist when an order is given to them. */
export function ordered(orders: Resource) {
  const items = new Items(orders);
  const pages = new Pages(orders);
  const pathOf = (order: Item) => `/orders/${order.id}`;

  /** Keeps an order in one transaction with the check that its customer exists. */
  async function create(asked: Asked, whenCustomerMissing: (id: number) => Outcome): Promise<Outcome> {
    const complete = await valued(asked.values ?? {});
    if (isProblem(complete)) return { kind: 'refused', problem: complete };
    const customerId = complete.customerId as number | undefined;
    const checks = customerId === undefined ? [] : [existenceCheck(CUSTOMERS, customerId)];
    const outcome = await insertNew(items, asked, pathOf, {
      values: { ...complete, status: 'created' },
      checks,
    });
    return typeof outcome === 'number' ? whenCustomerMissing(customerId as number) : outcome;
  }

  return {
    ...stored(orders),
    ...moved(orders, PROCESS),

    create: (asked) => create(asked, unknownCustomer),

    replace: async (asked) => {
      const complete = await valued(asked.values ?? {});
      if (isProblem(complete)) return { kind: 'refused', problem: complete };
      const id = asked.parameters.id as number;
      const write = {
        now: asked.now,
        version: expectedVersion(asked),
        before: asked.current,
        keep: keeping(asked, (order) => replaced(order, pathOf(order))),
      };
      const { customerId } = complete;
      // An order that stays with its customer outlives them; one that is given to another needs them to exist.
      let result = await items.replace(id, complete, {
        ...write,
        same: customerId === undefined ? [] : ['customerId'],
      });
      if (result === 'different') {
        const checks = [existenceCheck(CUSTOMERS, customerId as number)];
        result = await items.replace(id, complete, { ...write, checks });
      }
      if (typeof result === 'number') return unknownCustomer(customerId);
      return typeof result === 'object'
        ? replaced(result, pathOf(result))
        : lostOutcome(result as 'missing' | 'stale');
    },

    'exists:customer': async ({ parameters }) =>
      (await exists(CUSTOMERS, parameters.id as number))
        ? done
        : missing(`There is no customer ${parameters.id}`),

    'list:customer': async ({ page, parameters }) => {
      const value = parameters.id as number;
      const [listing, known] = await Promise.all([
        pages.list(page as PageQuery, { field: 'customerId', value }),
        exists(CUSTOMERS, value),
      ]);
      return known ? listingOutcome(listing) : missing(`There is no customer ${value}`);
    },

    'create:customer': async (asked) => {
      const id = asked.parameters.id as number;
      const sent = asked.values?.customerId;
      const missingCustomer = () => missing(`There is no customer ${id}`);
      if (sent !== undefined && sent !== id) {
        if (!(await exists(CUSTOMERS, id))) return missingCustomer();
        return refused('conflict', 'The order names another customer than the path', {
          errors: [{ pointer: '/customerId', detail: `must be ${id}, or be left out` }],
        });
      }
      return create({ ...asked, values: { ...asked.values, customerId: id } }, missingCustomer);
    },
  } satisfies Actions;
}

import { bulkChecks, nestedBulkChecks } from '../../shared/operations/bulk/on-demand.ts';
import type { ActionInput, Actions } from '../../shared/resource/action.ts';
import { done, type Outcome } from '../../shared/resource/outcome.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { Items } from '../../shared/store/items/items.ts';
import { exists } from '../../shared/store/references.ts';
import { transitionChecks } from '../../shared/store/transition-actions.ts';
import { otherCustomer, PARENT, RULES, unknownCustomer } from './actions.ts';
import { CUSTOMERS } from './active-orders.ts';
import { PROCESS } from './process.ts';
import { valued } from './value.ts';

/** Checks before the service accepts an operation: the value must be computable and the customer must exist. */
export function orderChecks(orders: Resource): Actions {
  const items = new Items(orders);

  /** `known`: the customer that needs no check, because the order has it already or the path names it. */
  async function check({ values = {} }: ActionInput, known?: unknown): Promise<Outcome> {
    const completion = await valued(values);
    if (completion.kind === 'refused') return completion;
    const { customerId } = values;
    if (typeof customerId !== 'number' || customerId === known) return done;
    return (await exists(CUSTOMERS, customerId)) ? done : unknownCustomer(customerId);
  }

  return {
    create: (asked) => check(asked),
    'create:customer': (asked) => {
      const id = asked.parameters.id as number;
      const named = asked.values?.customerId;
      return named === undefined || named === id ? check(asked, id) : otherCustomer(id);
    },
    replace: async (asked) => {
      const order = asked.current ?? (await items.get(asked.parameters.id as number));
      return check(asked, order?.values.customerId);
    },
    ...transitionChecks(orders, PROCESS),
    ...bulkChecks(orders, RULES),
    ...nestedBulkChecks(orders, RULES, PARENT),
  };
}

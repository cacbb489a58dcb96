import { bulkChecks, nestedBulkChecks } from '../../shared/operations/bulk/on-demand.ts';
import type { Action, ActionInput } from '../../shared/resource/actions/action.ts';
import { done, type Outcome } from '../../shared/resource/actions/outcome.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { Items } from '../../shared/store/items/items.ts';
import { exists } from '../../shared/store/references.ts';
import { CUSTOMERS, otherCustomer, PARENT, RULES, unknownCustomer } from './actions.ts';
import { valued } from './value.ts';

/** Checks before the service accepts an operation: the value must be computable and the customer must exist. */
export function orderChecks(orders: Resource) {
  const items = new Items(orders);

  /** `known`: the customer that needs no check, because the order has it already or the path names it. */
  async function check({ values = {} }: ActionInput, known?: unknown): Promise<Outcome> {
    const completion = await valued(values);
    if (completion.kind === 'refused') return completion;
    const { customerId } = values;
    if (typeof customerId !== 'number' || customerId === known) return done;
    return (await exists(CUSTOMERS, customerId)) ? done : unknownCustomer(customerId);
  }

  const create: Action = (input) => check(input);

  const replace: Action<'id'> = async (input) => {
    const order = input.current ?? (await items.get(input.id));
    return check(input, order?.values.customerId);
  };

  const createForCustomer: Action<'id'> = (input) => {
    const named = input.values?.customerId;
    return named === undefined || named === input.id ? check(input, input.id) : otherCustomer(input.id);
  };

  return {
    own: { create, replace, ...bulkChecks(orders, RULES) },
    ofCustomer: { create: createForCustomer, ...nestedBulkChecks(orders, RULES, PARENT) },
  };
}

import type { JsonObject } from '../../shared/json/value.ts';
import { otherParent } from '../../shared/operations/bulk/element-problems.ts';
import { bulkActions, nestedBulkActions } from '../../shared/operations/bulk/on-demand.ts';
import type { BulkRules } from '../../shared/operations/bulk/rules.ts';
import { parentActions } from '../../shared/operations/nested-actions.ts';
import type { ActionInput } from '../../shared/resource/actions/action.ts';
import { type Outcome, replaced } from '../../shared/resource/actions/outcome.ts';
import { unknownItem } from '../../shared/resource/description/references.ts';
import type { Item } from '../../shared/resource/item.ts';
import { initialValues } from '../../shared/resource/process.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { CollectionActions } from '../../shared/resource/styles/collection.ts';
import type { NestedActions } from '../../shared/resource/styles/nested.ts';
import { answerWriter } from '../../shared/store/idempotency/answers.ts';
import {
  expectedVersion,
  insertNew,
  itemActions,
  replacementOutcome,
} from '../../shared/store/item-actions.ts';
import { Items, type Replacement } from '../../shared/store/items/items.ts';
import { existenceCheck, exists } from '../../shared/store/references.ts';
import { newWriteToken } from '../../shared/store/write/parts.ts';
import { MISSING, STALE, type WriteResult } from '../../shared/store/write/results.ts';
import { valued } from './value.ts';

/** The reference of an order to its customer. */
export const CUSTOMERS = { resource: 'customers', key: 'id' };

/** The rules for requests that change several orders. */
export const RULES: BulkRules = {
  complete: valued,
  needs: { reference: CUSTOMERS, field: 'customerId' },
};

/** The parent of nested orders. */
export const PARENT = { name: 'customer', field: 'customerId', table: CUSTOMERS };

/** Refuses an order of a customer that does not exist. */
export const unknownCustomer = (id: unknown): Outcome => ({
  kind: 'refused',
  problem: unknownItem('customerId', id),
});

/** Refuses an order whose `customerId` differs from the customer in the path. */
export const otherCustomer = (id: number): Outcome => ({
  kind: 'refused',
  problem: otherParent(PARENT, 'order', id),
});

/**
 * The actions of orders, as a collection and below their customer. They compute a missing value, and check that a
 * newly assigned customer exists.
 */
export function orderActions(orders: Resource) {
  const items = new Items(orders);
  const pathOf = (order: Item) => `/orders/${order.id}`;

  const isCustomer = (id: number) => exists(CUSTOMERS, id);

  /**
   * Stores an order after the check of its customer. If the customer is deleted in between, the order stays as if the
   * deletion were later, because no client knows the new identifier before the response (decision 40).
   */
  const insert = (input: ActionInput, values: JsonObject): Promise<Outcome> =>
    insertNew(items, input, pathOf, { ...values, ...initialValues(orders) });

  /** Assigns an order to another customer, who must exist, or removes its customer. */
  async function assignTo(values: JsonObject, id: number, write: Replacement): Promise<WriteResult> {
    const before = write.before ?? (await items.get(id));
    if (!before) return MISSING;
    // Meanwhile another request assigned the order to this customer.
    const customerId = (values.customerId ?? undefined) as number | undefined;
    if (before.values.customerId === customerId) return STALE;
    const companions = customerId === undefined ? [] : [existenceCheck(CUSTOMERS, customerId)];
    return items.replace(id, values, { ...write, before, companions });
  }

  const single = {
    ...itemActions(orders),

    create: async (input) => {
      const completion = await valued(input.values ?? {});
      if (completion.kind === 'refused') return completion;
      const { values } = completion;
      const customerId = values.customerId as number | undefined;
      const isKnown = customerId === undefined || (await isCustomer(customerId));
      return isKnown ? insert(input, values) : unknownCustomer(customerId);
    },

    replace: async (input) => {
      const completion = await valued(input.values ?? {});
      if (completion.kind === 'refused') return completion;
      const { values } = completion;
      const { id } = input;
      const write = {
        now: input.now,
        by: input.owner,
        version: expectedVersion(input),
        before: input.current,
        binaries: input.binaries,
        write: newWriteToken(),
        answersOf: answerWriter(input, (order) => replaced(order, pathOf(order))),
      };
      // An order may keep a deleted customer. A new customer must exist.
      const { customerId } = values;
      const isSent = customerId !== undefined;
      let result = await items.replace(id, values, isSent ? { ...write, same: ['customerId'] } : write);
      if (result.kind === 'different') result = await assignTo(values, id, write);
      return result.kind === 'companion-failed'
        ? unknownCustomer(customerId)
        : replacementOutcome(result, pathOf);
    },
  } satisfies CollectionActions;

  const reads = parentActions(orders, PARENT);
  const ofCustomer = {
    ...reads,

    create: async (input) => {
      const { id, values = {} } = input;
      // A missing customer has precedence over every other refusal. Source: Specification 1.13.
      const customer = await reads.exists(input);
      if (customer.kind === 'missing') return customer;
      if (values.customerId !== undefined && values.customerId !== id) return otherCustomer(id);
      const completion = await valued({ ...values, customerId: id });
      return completion.kind === 'refused' ? completion : insert(input, completion.values);
    },
  } satisfies NestedActions;

  const nested = { create: ofCustomer.create, replace: single.replace };
  const parent = { ...PARENT, exists: reads.exists };
  return {
    actions: { ...single, ...bulkActions(orders, single, RULES) },
    ofCustomer: { ...ofCustomer, ...nestedBulkActions(orders, nested, RULES, parent) },
  };
}

import { lazily } from '../on-demand.ts';
import type { CreateCall, ItemCall, ReplaceCall, Run } from '../resource/actions/action.ts';
import { done, missing, type Outcome } from '../resource/actions/outcome.ts';
import { descriptionOf, type Resource } from '../resource/resource.ts';
import type { CollectionActions } from '../resource/styles/collection.ts';
import { itemActions } from '../store/actions/item-actions.ts';
import { checkConstraints } from '../store/constraints/check-constraints.ts';
import { itemsOf } from '../store/items/items.ts';
import type { ItemChange } from '../store/write/item-change.ts';
import { newItem } from '../store/write/new-item.ts';
import { afterReplacement } from '../store/write/replacement.ts';

/** The actions of a collection: single items and bulk requests. Each write of an item applies `complete` of the resource. */
export function collectionActions(resource: Resource) {
  const single = completing(resource, itemActions(resource));
  const bulk = async () => (await import('./bulk/bulk-actions.ts')).bulkActions(resource, single);
  return { ...single, ...lazily(bulk, ['createAll', 'replaceAll', 'removeAll']) };
}

/** Finds the present refusals of these actions. The service calls it before it accepts an operation. */
export function collectionChecks(resource: Resource) {
  const bulk = async () => (await import('./bulk/bulk-actions.ts')).bulkChecks(resource);
  return {
    ...completing(resource, constraintChecks(resource)),
    ...lazily(bulk, ['createAll', 'replaceAll']),
  };
}

/** Completes the values before the actions that write an item. */
function completing<Actions extends Pick<CollectionActions, 'create' | 'replace'>>(
  { complete }: Resource,
  actions: Actions,
): Actions | (Actions & Pick<CollectionActions, 'create' | 'replace'>) {
  if (!complete) return actions;
  const completed =
    <Input extends CreateCall & Pick<Partial<ReplaceCall>, 'current'>>(run: Run<Input>): Run<Input> =>
    async (input) => {
      const { values, sent = Object.keys(values), current } = input;
      const completion = await complete(values, { sent, before: current?.values });
      return completion.kind === 'refused' ? completion : run({ ...input, values: completion.values });
    };
  return { ...actions, create: completed(actions.create), replace: completed(actions.replace) };
}

/** Checks whether the constraints of a resource allow a request, without an effect. Source: Specification 7.1. */
export function constraintChecks(resource: Resource) {
  const description = descriptionOf(resource);
  const allows = async (change: ItemChange): Promise<Outcome> => {
    const problem = (await checkConstraints(resource, [change])).refusals.get(0);
    return problem ? { kind: 'refused', problem } : done;
  };
  const presentOf = async ({ caller, current, id }: ItemCall) =>
    current ?? (await itemsOf(resource, caller).get(id));
  return {
    create: ({ caller, values, now }: CreateCall): Promise<Outcome> =>
      allows({ after: newItem(resource, caller, now, values) }),
    replace: async (input: ReplaceCall): Promise<Outcome> => {
      const before = await presentOf(input);
      if (!before) return missing();
      const { caller, values, now } = input;
      return allows({
        before,
        after: afterReplacement(description.plan, before, values, { now, caller }),
      });
    },
    remove: async (input: ItemCall): Promise<Outcome> => {
      const before = await presentOf(input);
      return before ? allows({ before }) : missing();
    },
  };
}

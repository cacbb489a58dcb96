import type { CreateCall, Run } from '../resource/actions/action.ts';
import type { Resource } from '../resource/resource.ts';
import type { CollectionActions } from '../resource/styles/collection.ts';
import { constraintChecks } from '../store/constraints/checks.ts';
import { itemActions } from '../store/item-actions.ts';
import { bulkActions, bulkChecks } from './bulk/on-demand.ts';
import type { ItemRules } from './bulk/rules.ts';

/**
 * The actions of a collection: single items and bulk requests. A resource overrides those that differ. `rules`: each
 * write of an item applies them.
 */
export function collectionActions(resource: Resource, rules: ItemRules = {}) {
  const single = completing(itemActions(resource), rules);
  return { ...single, ...bulkActions(resource, single, rules) };
}

/** Finds the present refusals of these actions. The service calls it before it accepts an operation. */
export const collectionChecks = (resource: Resource, rules: ItemRules = {}) => ({
  ...completing(constraintChecks(resource), rules),
  ...bulkChecks(resource, rules),
});

/** Applies the rules of a resource before the actions that write an item. */
function completing<Actions extends Pick<CollectionActions, 'create' | 'replace'>>(
  actions: Actions,
  { complete }: ItemRules,
): Actions | (Actions & Pick<CollectionActions, 'create' | 'replace'>) {
  if (!complete) return actions;
  const completed =
    <Input extends CreateCall>(run: Run<Input>): Run<Input> =>
    async (input) => {
      const completion = await complete(input.values);
      return completion.kind === 'refused' ? completion : run({ ...input, values: completion.values });
    };
  return { ...actions, create: completed(actions.create), replace: completed(actions.replace) };
}

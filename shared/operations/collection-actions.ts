import type { CreateCall, Run } from '../resource/actions/action.ts';
import type { Resource } from '../resource/resource.ts';
import type { CollectionActions } from '../resource/styles/collection.ts';
import { constraintChecks } from '../store/constraints/checks.ts';
import { itemActions } from '../store/item-actions.ts';
import { bulkActions, bulkChecks } from './bulk/on-demand.ts';

/** The actions of a collection: single items and bulk requests. Each write of an item applies `complete` of the resource. */
export function collectionActions(resource: Resource) {
  const single = completing(resource, itemActions(resource));
  return { ...single, ...bulkActions(resource, single) };
}

/** Finds the present refusals of these actions. The service calls it before it accepts an operation. */
export const collectionChecks = (resource: Resource) => ({
  ...completing(resource, constraintChecks(resource)),
  ...bulkChecks(resource),
});

/** Completes the values before the actions that write an item. */
function completing<Actions extends Pick<CollectionActions, 'create' | 'replace'>>(
  { complete }: Resource,
  actions: Actions,
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

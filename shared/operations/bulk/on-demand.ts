import type { Calls, ElementsCall, Run } from '../../resource/actions/action.ts';
import type { Resource } from '../../resource/resource.ts';
import type { Parent, Single } from './bulked.ts';
import type { ParentFacts } from './problems.ts';

/** Loads the module on the first bulk request, because these are rare. */
const load = () => import('#bulk');

/** The bulk actions with these inputs. */
interface Bulk<Elements, All> {
  readonly createAll: Run<Elements>;
  readonly replaceAll: Run<Elements>;
  readonly removeAll: Run<All>;
}

const onDemand = <Elements, All>(find: () => Promise<Bulk<Elements, All>>): Bulk<Elements, All> => ({
  createAll: async (input) => (await find()).createAll(input),
  replaceAll: async (input) => (await find()).replaceAll(input),
  removeAll: async (input) => (await find()).removeAll(input),
});

/** The bulk actions of a resource. */
export const bulkActions = (resource: Resource, single: Single) =>
  onDemand(async () => (await load()).bulkActions(resource, single));

/** The bulk actions of the items below a parent: those whose `field` is the identifier in the path. */
export const nestedBulkActions = (
  ...given: readonly [resource: Resource, single: Single<Calls['createBelow']>, parent: Parent]
) => onDemand(async () => (await load()).nestedBulkActions(...given));

/** Checks whether bulk actions would succeed, without changes. */
export function bulkChecks(resource: Resource) {
  const checks = async () => (await load()).bulkChecks(resource);
  return {
    createAll: async (input: ElementsCall) => (await checks()).createAll(input),
    replaceAll: async (input: ElementsCall) => (await checks()).replaceAll(input),
  };
}

/** The same for the items below a parent, whose identifier is in the path. */
export function nestedBulkChecks(resource: Resource, { name, field }: Pick<ParentFacts, 'name' | 'field'>) {
  const checks = async (value: number) => (await load()).bulkChecks(resource, { name, field, value });
  return {
    createAll: async (input: Calls['elementsBelow']) => (await checks(input.id)).createAll(input),
    replaceAll: async (input: Calls['elementsBelow']) => (await checks(input.id)).replaceAll(input),
  };
}

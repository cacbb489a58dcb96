import type { Calls, ElementsCall } from '../../resource/actions/action.ts';
import type { Resource } from '../../resource/resource.ts';
import type { BulkActions, CollectionActions } from '../../resource/styles/collection.ts';
import type { NestedActions, NestedBulkActions } from '../../resource/styles/nested.ts';
import type { Parent, Single } from './bulked.ts';
import type { ItemRules, ParentFacts } from './rules.ts';

/** Loads the module on the first bulk request, because these are rare. */
const load = () => import('#bulk');

/** The bulk actions of a resource. */
export function bulkActions(resource: Resource, single: Single, rules: ItemRules = {}) {
  const actions = async () => (await load()).bulkActions(resource, single, rules);
  return {
    createAll: async (input) => (await actions()).createAll(input),
    replaceAll: async (input) => (await actions()).replaceAll(input),
    removeAll: async (input) => (await actions()).removeAll(input),
  } satisfies BulkActions & Pick<CollectionActions, 'createAll'>;
}

/** The bulk actions of the items below a parent: those whose `field` is the identifier in the path. */
export function nestedBulkActions(
  resource: Resource,
  single: Single<Calls['createBelow']>,
  rules: ItemRules,
  parent: Parent,
) {
  const actions = async () => (await load()).nestedBulkActions(resource, single, rules, parent);
  return {
    createAll: async (input) => (await actions()).createAll(input),
    replaceAll: async (input) => (await actions()).replaceAll(input),
    removeAll: async (input) => (await actions()).removeAll(input),
  } satisfies Pick<NestedActions & NestedBulkActions, 'createAll' | 'replaceAll' | 'removeAll'>;
}

/** Checks whether bulk actions would succeed, without changes. */
export function bulkChecks(resource: Resource, rules: ItemRules = {}) {
  const checks = async () => (await load()).bulkChecks(resource, rules);
  return {
    createAll: async (input: ElementsCall) => (await checks()).createAll(input),
    replaceAll: async (input: ElementsCall) => (await checks()).replaceAll(input),
  };
}

/** The same for the items below a parent, whose identifier is in the path. */
export function nestedBulkChecks(
  resource: Resource,
  rules: ItemRules,
  { name, field }: Pick<ParentFacts, 'name' | 'field'>,
) {
  const checks = async (value: number) => (await load()).bulkChecks(resource, rules, { name, field, value });
  return {
    createAll: async (input: Calls['elementsBelow']) => (await checks(input.id)).createAll(input),
    replaceAll: async (input: Calls['elementsBelow']) => (await checks(input.id)).replaceAll(input),
  };
}

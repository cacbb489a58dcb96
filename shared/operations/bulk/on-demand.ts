import type { Action } from '../../resource/actions/action.ts';
import type { Resource } from '../../resource/resource.ts';
import type { Parent, Single } from './bulked.ts';
import type { ItemRules, ParentFacts } from './rules.ts';

/** Loads the module on the first bulk request, because these are rare. */
const load = () => import('#bulk');

/** The bulk actions of a resource. */
export function bulkActions(resource: Resource, single: Single, rules: ItemRules = {}) {
  const act =
    (name: 'createAll' | 'replaceAll' | 'removeAll'): Action =>
    async (input) =>
      (await load()).bulkActions(resource, single, rules)[name](input);
  return { createAll: act('createAll'), replaceAll: act('replaceAll'), removeAll: act('removeAll') };
}

/** The bulk actions of the items below a parent: those whose `field` is the identifier in the path. */
export function nestedBulkActions(
  resource: Resource,
  single: Single<'id'>,
  rules: ItemRules,
  parent: Parent,
) {
  const act =
    (name: 'createAll' | 'replaceAll' | 'removeAll'): Action<'id'> =>
    async (input) =>
      (await load()).nestedBulkActions(resource, single, rules, parent)[name](input);
  return { createAll: act('createAll'), replaceAll: act('replaceAll'), removeAll: act('removeAll') };
}

/**
 * Checks whether bulk actions would succeed, without changes. `parent`: the parent of the items, whose identifier is in
 * the path.
 */
export function bulkChecks(
  resource: Resource,
  rules: ItemRules = {},
  parent?: Pick<ParentFacts, 'name' | 'field'>,
) {
  const check =
    (action: 'createAll' | 'replaceAll'): Action =>
    async (input) => {
      const within = parent && input.id !== undefined ? { ...parent, value: input.id } : undefined;
      return (await load()).bulkChecks(resource, rules, within)[action](input);
    };
  return { createAll: check('createAll'), replaceAll: check('replaceAll') };
}

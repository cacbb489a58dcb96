import type { Action, InputWith } from '../../resource/actions/action.ts';
import type { Resource } from '../../resource/resource.ts';
import type { Parent, Single } from './bulked.ts';
import type { BulkRules } from './rules.ts';

/** Loads the module on the first bulk request, because these are rare. */
const load = () => import('#bulk');

/** The bulk actions of a resource. */
export function bulkActions(resource: Resource, single: Single, rules: BulkRules = {}) {
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
  rules: BulkRules,
  parent: Parent,
) {
  const act =
    (name: 'createAll' | 'replaceAll' | 'removeAll'): Action<'id'> =>
    async (input) =>
      (await load()).nestedBulkActions(resource, single, rules, parent)[name](input);
  return { createAll: act('createAll'), replaceAll: act('replaceAll'), removeAll: act('removeAll') };
}

/** Checks whether bulk actions would succeed, without changes. */
export function bulkChecks(resource: Resource, rules: BulkRules = {}) {
  const check =
    (name: 'createAll' | 'replaceAll'): Action =>
    async (input) =>
      (await load()).bulkChecks(resource, rules)[name](input);
  return { createAll: check('createAll'), replaceAll: check('replaceAll') };
}

/** The same checks for items below a parent. Each item has the identifier of the parent in `field`. */
export function nestedBulkChecks(
  resource: Resource,
  rules: BulkRules,
  { name, field }: Pick<Parent, 'name' | 'field'>,
) {
  const check =
    (action: 'createAll' | 'replaceAll'): Action<'id'> =>
    async (input: InputWith<'id'>) =>
      (await load()).bulkChecks(resource, rules, { name, field, value: input.id })[action](input);
  return { createAll: check('createAll'), replaceAll: check('replaceAll') };
}

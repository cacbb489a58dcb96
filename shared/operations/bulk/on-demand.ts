import type { Action, ActionInput, Actions } from '../../resource/action.ts';
import type { Resource } from '../../resource/resource.ts';
import type { Parent, Single } from './bulked.ts';
import type { BulkRules } from './rules.ts';

/** Loads the module on the first bulk request, because these are rare. */
const load = () => import('#bulk');

/** The bulk actions of a resource. */
export function bulkActions(resource: Resource, single: Single, rules: BulkRules = {}) {
  const act =
    (name: 'createAll' | 'replaceAll' | 'removeAll'): Action =>
    async (asked: ActionInput) =>
      (await load()).bulkActions(resource, single, rules)[name](asked);
  return { createAll: act('createAll'), replaceAll: act('replaceAll'), removeAll: act('removeAll') };
}

/** The bulk actions of the items below a parent: those whose `field` is the number in the path. */
export function nestedBulkActions(
  resource: Resource,
  single: Single,
  rules: BulkRules,
  parent: Parent,
): Actions {
  const names = ['createAll', 'replaceAll', 'removeAll'].map((name) => `${name}:${parent.parent}`);
  const act =
    (name: string): Action =>
    async (asked) =>
      ((await load()).nestedBulkActions(resource, single, rules, parent)[name] as Action)(asked);
  return Object.fromEntries(names.map((name) => [name, act(name)]));
}

/** Checks whether bulk actions would succeed, without changes, by the names of the actions. */
export function bulkChecks(resource: Resource, rules: BulkRules = {}): Actions {
  const check =
    (name: 'createAll' | 'replaceAll'): Action =>
    async (asked) =>
      (await load()).bulkChecks(resource, rules)[name](asked);
  return { createAll: check('createAll'), replaceAll: check('replaceAll') };
}

/** The same checks for items below a parent. */
export function nestedBulkChecks(
  resource: Resource,
  rules: BulkRules,
  { parent, field }: Pick<Parent, 'parent' | 'field'>,
): Actions {
  const scopeOf = ({ parameters }: ActionInput) => ({ field, value: parameters.id as number });
  const check =
    (name: 'createAll' | 'replaceAll'): Action =>
    async (asked) =>
      (await load()).bulkChecks(resource, rules, scopeOf)[name](asked);
  return { [`createAll:${parent}`]: check('createAll'), [`replaceAll:${parent}`]: check('replaceAll') };
}

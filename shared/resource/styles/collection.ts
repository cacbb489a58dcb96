import type { Action } from '../actions/action.ts';
import { emptyForm } from '../actions/outcome.ts';
import type { Endpoint, Route } from '../route.ts';
import { bulkWork, create, form, list, type OnItem, read, remove } from './action-endpoints.ts';

/** The actions of a collection. Without `createAll`, POST takes one item and no list. */
export interface CollectionActions {
  readonly list: Action<'list'>;
  readonly read: OnItem;
  readonly create: Action<'create'>;
  readonly createAll?: Action<'elements'>;
  readonly replace: Action<'replace'>;
  readonly remove: OnItem;
}

/** The actions of bulk work on a collection. */
export interface BulkActions {
  readonly replaceAll: Action<'elements'>;
  readonly removeAll: Action<'bulk'>;
}

/** Finds the present refusal of each action, without an effect. The flow calls it before it accepts an operation. */
type Checks<Actions = CollectionActions> = Partial<Actions>;

const creating = (actions: Pick<CollectionActions, 'create' | 'createAll'>, checks: Checks): Endpoint =>
  create(
    { takes: 'create', run: actions.create, check: checks.create },
    actions.createAll && { takes: 'elements', run: actions.createAll, check: checks.createAll },
  );

/** PUT, PATCH and POST on an item differ in their content alone: each replaces the item. */
const replacing = (
  id: 'replace' | 'patch' | 'change',
  actions: Pick<CollectionActions, 'replace'>,
  checks: Pick<Checks, 'replace'>,
): Endpoint => ({
  id,
  takes: 'replace',
  run: actions.replace,
  check: checks.replace,
  effect: 'change',
  content: id === 'replace' ? 'item' : id,
});

/**
 * Server-managed: POST on the collection creates an item, and the server chooses its URI. PUT on a missing item
 * gets 404.
 */
export const collection = (path: string, actions: CollectionActions, checks: Checks = {}): Route[] => [
  { path, endpoints: { GET: list(actions.list), POST: creating(actions, checks) } },
  {
    path: `${path}/{id}`,
    endpoints: {
      GET: read(actions.read),
      PUT: replacing('replace', actions, checks),
      PATCH: replacing('patch', actions, checks),
      DELETE: remove(actions.remove, checks.remove),
    },
  },
];

/**
 * Returns a change that is neither full replacement nor a patch: POST on the item itself. Only the properties in the
 * body change. Source: Specification 1.7.
 */
export const change = (
  path: string,
  actions: Pick<CollectionActions, 'replace'>,
  checks: Pick<Checks, 'replace'> = {},
): Route[] => [{ path: `${path}/{id}`, endpoints: { POST: replacing('change', actions, checks) } }];

/** Returns the same actions by GET and POST for browsers without script, at control URIs. */
export function forms(path: string, actions: CollectionActions, checks: Checks = {}): Route[] {
  const { createAll: _none, ...single } = actions;
  const blank = { id: 'blank', takes: 'document', run: () => emptyForm } as const;
  const shown = { id: 'read', takes: 'item', run: actions.read } as const;
  return [
    form(`${path}/new`, 'new', blank, creating(single, checks)),
    form(`${path}/{id}/edit`, 'edit', shown, replacing('change', actions, checks)),
    form(`${path}/{id}/delete`, 'delete', shown, remove(actions.remove, checks.remove)),
  ];
}

/** Bulk work on a collection: PUT replaces the items in the body, DELETE removes all items. */
export const bulk = (path: string, actions: BulkActions, checks: Checks<BulkActions> = {}): Route[] => [
  {
    path,
    endpoints: bulkWork(
      {
        takes: 'elements',
        run: actions.replaceAll,
        check: checks.replaceAll,
        refusals: ['conflict'],
      },
      { takes: 'bulk', run: actions.removeAll },
    ),
  },
];

import type { Action } from '../actions/action.ts';
import { emptyForm } from '../actions/outcome.ts';
import type { Endpoint, Route } from '../route.ts';
import { type Details, factsOf, form, list, type OnItem, read, remove } from './named-action.ts';

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

const create = (
  actions: Pick<CollectionActions, 'create' | 'createAll'>,
  details: Details<CollectionActions>,
): Endpoint => ({
  id: 'create',
  takes: 'create',
  run: actions.create,
  ...factsOf(details, 'create'),
  content: 'item',
  creates: true,
  ...(actions.createAll
    ? {
        several: {
          id: 'createAll',
          takes: 'elements',
          run: actions.createAll,
          ...factsOf(details, 'createAll'),
        },
      }
    : {}),
});

/** PUT, PATCH and POST on an item differ in their content alone: each replaces the item. */
const replace = (
  id: 'replace' | 'patch' | 'change',
  actions: Pick<CollectionActions, 'replace'>,
  details: Details<Pick<CollectionActions, 'replace'>>,
): Endpoint => ({
  id,
  takes: 'replace',
  run: actions.replace,
  ...factsOf(details, 'replace'),
  content: id === 'replace' ? 'item' : id,
});

/**
 * Server-managed: POST on the collection creates an item, and the server chooses its URI. PUT on a missing item
 * gets 404.
 */
export const collection = (
  path: string,
  actions: CollectionActions,
  details: Details<CollectionActions> = {},
): Route[] => [
  { path, endpoints: { GET: list(actions.list), POST: create(actions, details) } },
  {
    path: `${path}/{id}`,
    endpoints: {
      GET: read(actions.read),
      PUT: replace('replace', actions, details),
      PATCH: replace('patch', actions, details),
      DELETE: remove(actions, details),
    },
  },
];

/**
 * A change that is neither full replacement nor a patch: POST on the item itself. Only the properties in the body
 * change. Source: Specification 1.7.
 */
export const change = (
  path: string,
  actions: Pick<CollectionActions, 'replace'>,
  details: Details<Pick<CollectionActions, 'replace'>> = {},
): Route[] => [{ path: `${path}/{id}`, endpoints: { POST: replace('change', actions, details) } }];

/** The same actions by GET and POST for browsers without script, at control URIs. */
export function forms(
  path: string,
  actions: CollectionActions,
  details: Details<CollectionActions> = {},
): Route[] {
  const { createAll: _none, ...single } = actions;
  const shown = { id: 'read', takes: 'item', run: actions.read } as const;
  return [
    form(
      `${path}/new`,
      'new',
      { id: 'blank', takes: 'document', run: () => emptyForm },
      create(single, details),
    ),
    form(`${path}/{id}/edit`, 'edit', shown, replace('change', actions, details)),
    form(`${path}/{id}/delete`, 'delete', shown, remove(actions, details)),
  ];
}

/** Bulk work on a collection: PUT replaces the items in the body, DELETE removes all items. */
export const bulk = (path: string, actions: BulkActions, details: Details<BulkActions> = {}): Route[] => [
  {
    path,
    endpoints: {
      PUT: {
        id: 'replaceAll',
        takes: 'elements',
        run: actions.replaceAll,
        ...factsOf(details, 'replaceAll'),
        content: 'items',
        bulk: true,
      },
      DELETE: {
        id: 'removeAll',
        takes: 'bulk',
        run: actions.removeAll,
        ...factsOf(details, 'removeAll'),
        content: 'none',
        bulk: true,
      },
    },
  },
];

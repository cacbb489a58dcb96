import { type Action, needing } from '../actions/action.ts';
import type { Route } from '../route.ts';
import { type Details, named, type OnItem, read } from './named-action.ts';

/** The actions of items below an item of another resource, whose identifier is in the path. */
export interface NestedActions {
  /** The field of the items with the identifier of the other item. */
  readonly field: string;
  /** Returns `missing` if the parent does not exist. */
  readonly exists: OnItem;
  readonly list: Action<'id' | 'page'>;
  readonly create: OnItem;
  readonly createAll?: OnItem;
  /** Finds the present refusals of these actions, without an effect. */
  readonly checks?: Partial<Pick<NestedActions, 'create' | 'createAll'>>;
}

/** The actions of bulk work below an item of another resource. */
export interface NestedBulkActions extends Pick<NestedActions, 'exists'> {
  readonly replaceAll: OnItem;
  readonly removeAll: OnItem;
  /** Finds the present refusals of these actions, without an effect. */
  readonly checks?: Partial<Pick<NestedBulkActions, 'replaceAll'>>;
}

/** Items under an item of another resource: GET lists them, POST creates them. */
export function nested(
  path: `${string}{id}${string}`,
  actions: NestedActions,
  { refusals = {} }: Pick<Details<NestedActions>, 'refusals'> = {},
): Route[] {
  const parent = needing(['id'], actions.exists);
  const { createAll, checks = {} } = actions;
  const several = createAll && named('createAll', ['id'], createAll, checks.createAll, refusals.createAll);
  return [
    {
      path,
      endpoints: {
        GET: {
          ...named('list', ['id', 'page'], actions.list),
          content: 'none',
          shape: 'list',
          parent,
          listedBy: actions.field,
        },
        POST: {
          ...named('create', ['id'], actions.create, checks.create, refusals.create),
          content: 'item',
          creates: true,
          ...(several ? { several } : {}),
          parent,
        },
      },
    },
  ];
}

/** Bulk work on the items under an item of another resource. */
export function nestedBulk(
  path: `${string}{id}${string}`,
  actions: NestedBulkActions,
  { refusals = {} }: Pick<Details<NestedBulkActions>, 'refusals'> = {},
): Route[] {
  const parent = needing(['id'], actions.exists);
  return [
    {
      path,
      endpoints: {
        PUT: {
          ...named('replaceAll', ['id'], actions.replaceAll, actions.checks?.replaceAll, refusals.replaceAll),
          content: 'items',
          bulk: true,
          parent,
        },
        DELETE: {
          ...named('removeAll', ['id'], actions.removeAll, undefined, refusals.removeAll),
          content: 'none',
          bulk: true,
          parent,
        },
      },
    },
  ];
}

/** A read-only item of this resource below an item of another one, such as the customer of an order. */
export const relatedItem = (path: `${string}{id}${string}`, run: OnItem): Route[] => [
  { path, endpoints: { GET: read(run) } },
];

/** A read-only list of this resource below an item of another one, such as the products of an order. */
export const relatedList = (path: `${string}{id}${string}`, run: Action<'id' | 'page'>): Route[] => [
  { path, endpoints: { GET: { ...named('list', ['id', 'page'], run), content: 'none', shape: 'list' } } },
];

import type { Action } from '../actions/action.ts';
import type { Route } from '../route.ts';
import { type Details, factsOf, type OnItem, read } from './named-action.ts';

/** The actions of items below an item of another resource, whose identifier is in the path. */
export interface NestedActions {
  /** The field of the items with the identifier of the other item. */
  readonly field: string;
  /** Returns `missing` if the parent does not exist. */
  readonly exists: OnItem;
  readonly list: Action<'listBelow'>;
  readonly create: Action<'createBelow'>;
  readonly createAll?: Action<'elementsBelow'>;
  /** Finds the present refusals of these actions, without an effect. */
  readonly checks?: Partial<Pick<NestedActions, 'create' | 'createAll'>>;
}

/** The actions of bulk work below an item of another resource. */
export interface NestedBulkActions extends Pick<NestedActions, 'exists'> {
  readonly replaceAll: Action<'elementsBelow'>;
  readonly removeAll: Action<'bulkBelow'>;
  /** Finds the present refusals of these actions, without an effect. */
  readonly checks?: Partial<Pick<NestedBulkActions, 'replaceAll'>>;
}

/** Items under an item of another resource: GET lists them, POST creates them. */
export function nested(
  path: `${string}{id}${string}`,
  actions: NestedActions,
  { refusals }: Pick<Details<NestedActions>, 'refusals'> = {},
): Route[] {
  const { createAll, checks, exists: parent } = actions;
  const details: Details<NestedActions> = { checks, refusals };
  return [
    {
      path,
      endpoints: {
        GET: {
          id: 'list',
          takes: 'listBelow',
          run: actions.list,
          content: 'none',
          shape: 'list',
          parent,
          listedBy: actions.field,
        },
        POST: {
          id: 'create',
          takes: 'createBelow',
          run: actions.create,
          ...factsOf(details, 'create'),
          content: 'item',
          creates: true,
          ...(createAll
            ? {
                several: {
                  id: 'createAll',
                  takes: 'elementsBelow',
                  run: createAll,
                  ...factsOf(details, 'createAll'),
                },
              }
            : {}),
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
  { refusals }: Pick<Details<NestedBulkActions>, 'refusals'> = {},
): Route[] {
  const { checks, exists: parent } = actions;
  const details: Details<NestedBulkActions> = { checks, refusals };
  return [
    {
      path,
      endpoints: {
        PUT: {
          id: 'replaceAll',
          takes: 'elementsBelow',
          run: actions.replaceAll,
          ...factsOf(details, 'replaceAll'),
          content: 'items',
          bulk: true,
          parent,
        },
        DELETE: {
          id: 'removeAll',
          takes: 'bulkBelow',
          run: actions.removeAll,
          ...factsOf(details, 'removeAll'),
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
export const relatedList = (path: `${string}{id}${string}`, run: Action<'listBelow'>): Route[] => [
  { path, endpoints: { GET: { id: 'list', takes: 'listBelow', run, content: 'none', shape: 'list' } } },
];

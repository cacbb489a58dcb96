import type { Action } from '../actions/action.ts';
import type { EndpointFacts } from '../facts.ts';
import type { Route } from '../route.ts';
import { bulkWork, create as createEndpoint, type OnItem, read } from './action-endpoints.ts';

/** The actions of items below an item of another resource, whose identifier is in the path. */
export interface NestedActions {
  /** The field of the items with the identifier of the other item. */
  readonly field: string;
  /** Returns `missing` if the parent does not exist. */
  readonly exists: OnItem;
  readonly list: Action<'listBelow'>;
  readonly create: Action<'createBelow'>;
  readonly createAll?: Action<'elementsBelow'>;
  /** The name of the other resource. */
  readonly parents: string;
  /** Finds the present refusals of these actions, without an effect. */
  readonly checks?: Partial<Pick<NestedActions, 'create' | 'createAll'>>;
}

/** The actions of bulk work below an item of another resource. */
export interface NestedBulkActions extends Pick<NestedActions, 'field' | 'exists'> {
  readonly replaceAll: Action<'elementsBelow'>;
  readonly removeAll: Action<'bulkBelow'>;
  /** Finds the present refusals of these actions, without an effect. */
  readonly checks?: Partial<Pick<NestedBulkActions, 'replaceAll'>>;
}

/** Items under an item of another resource: GET lists them, POST creates them. */
export function nested(
  path: `${string}{id}${string}`,
  { field, parents, exists: parent, list, create, createAll, checks = {} }: NestedActions,
): Route[] {
  const lists = { id: 'list', takes: 'listBelow', run: list, content: 'none', shape: 'list' } as const;
  const creates = createEndpoint(
    { takes: 'createBelow', run: create, check: checks.create },
    createAll && { takes: 'elementsBelow', run: createAll, check: checks.createAll },
  );
  return [
    {
      path,
      endpoints: {
        GET: { ...lists, parent, listedBy: field, below: { resource: parents } },
        POST: { ...creates, parent, fills: field },
      },
    },
  ];
}

/** Bulk work on the items under an item of another resource. */
export function nestedBulk(
  path: `${string}{id}${string}`,
  { field, exists: parent, replaceAll, removeAll, checks = {} }: NestedBulkActions,
): Route[] {
  const { PUT, DELETE } = bulkWork(
    { takes: 'elementsBelow', run: replaceAll, check: checks.replaceAll },
    { takes: 'bulkBelow', run: removeAll },
  );
  return [{ path, endpoints: { PUT: { ...PUT, parent, fills: field }, DELETE: { ...DELETE, parent } } }];
}

/** The other resource of a read-only path below its items, and the field that the path shows. */
type Below = Required<NonNullable<EndpointFacts['below']>>;

/** Returns a read-only item of this resource below an item of another one, such as the customer of an order. */
export const relatedItem = (path: `${string}{id}${string}`, below: Below, run: OnItem): Route[] => [
  { path, endpoints: { GET: { ...read(run), below } } },
];

/** Returns a read-only list of this resource below an item of another one, such as the products of an order. */
export const relatedList = (
  path: `${string}{id}${string}`,
  below: Below,
  run: Action<'listBelow'>,
): Route[] => [
  {
    path,
    endpoints: { GET: { id: 'list', takes: 'listBelow', run, content: 'none', shape: 'list', below } },
  },
];

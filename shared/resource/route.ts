import type { Access } from './access.ts';

/** The methods that a route can define. HEAD follows GET, and OPTIONS works everywhere. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How the action uses the content of a request. `none`: it ignores the content. `item`: a complete representation.
 * `items`: several of them. `change`: the properties to change, in any format of an item. `patch`: a patch
 * document. `bytes`: stored unchanged. `files`: several files.
 */
export type ContentKind = 'none' | 'item' | 'items' | 'change' | 'patch' | 'bytes' | 'files';

/**
 * The purpose of a form: to create an item, to change it, to remove it, or to trigger a transition (a button only).
 */
export type FormKind = 'new' | 'edit' | 'delete' | 'move';

/**
 * The meaning of a method at a path. `shape` is the shape of a GET's response: one item, a list, bytes, a form, or
 * a document that is none of these.
 */
export interface Operation {
  readonly action: string;
  readonly content: ContentKind;
  readonly shape?: 'item' | 'list' | 'bytes' | 'form' | 'document';
  /** Present for a control URI of the form style: GET shows the form, POST accepts it. */
  readonly form?: FormKind;
  /** The action that reads the target, if it is not the GET at the same path. */
  readonly reads?: string;
  /** The action that checks whether the parent item exists. */
  readonly parent?: string;
  /** The action for several items, if the content is a list. */
  readonly several?: string;
  /** The operation can change many items. The client can limit their number by `max-affected`. */
  readonly bulk?: boolean;
  /** The target need not exist, because the action creates it. */
  readonly creates?: boolean;
  /** The client chose the URI: the flow evaluates preconditions even if the target does not exist. */
  readonly clientManaged?: boolean;
  /** Query parameters in addition to those of the shape. */
  readonly parameters?: readonly string[];
  /** The media types of the bytes, if they are fixed. */
  readonly mediaTypes?: readonly string[];
}

/** One path template and its methods. */
export interface Route {
  readonly path: string;
  /** A binary property with media types and methods of its own. A client selects it by `?fields={part}`. */
  readonly part?: string;
  /** Who may use the route; undefined: callers with a scope of the resource. */
  readonly access?: Access;
  readonly operations: Readonly<Partial<Record<RouteMethod, Operation>>>;
}

const METHODS: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The value of `Allow`. Source: RFC 9110 §10.2.1. */
export function allow(route: Route): string {
  const allowed: string[] = [];
  for (const method of METHODS) {
    if (!route.operations[method]) continue;
    allowed.push(method);
    if (method === 'GET') allowed.push('HEAD');
  }
  return [...allowed, 'OPTIONS'].join(', ');
}

/** Whether a client can create and change items by forms. */
export const hasForms = ({ routes }: { readonly routes: readonly Route[] }): boolean =>
  routes.some(({ operations }) => operations.POST?.form === 'new');

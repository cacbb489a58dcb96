import type { Access } from './access.ts';

/** The methods a route can give a meaning of its own. HEAD follows GET, OPTIONS is answered everywhere. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What the content of a request is to the action:
 * `none` (ignored), `item` (a complete representation), `items` (several of them), `change` (the members to change, in any format of an item),
 * `patch` (a patch document), `bytes` (stored as they are), `files` (several files at once).
 */
export type ContentKind = 'none' | 'item' | 'items' | 'change' | 'patch' | 'bytes' | 'files';

/** What a form is for: to make an item, to change it, to remove it, or to move it on in its process (a button alone). */
export type FormKind = 'new' | 'edit' | 'delete' | 'move';

/**
 * What a method does at a path.
 * `shape` is the shape of a GET's answer: one item, a list, bytes, a form, or a document that is none of them.
 */
export interface Operation {
  readonly action: string;
  readonly content: ContentKind;
  readonly shape?: 'item' | 'list' | 'bytes' | 'form' | 'document';
  /** A control URI of the form style: GET shows the form, POST takes it. */
  readonly form?: FormKind;
  /** The action that reads what the operation changes, where GET at its path does not. */
  readonly reads?: string;
  /** The action that tells whether the parent item exists. */
  readonly parent?: string;
  /** The action for several items at once, where the content is a list of them. */
  readonly several?: string;
  /** It changes many items: how many at most can be said beforehand. */
  readonly bulk?: boolean;
  /** The target need not exist: the action creates it. */
  readonly creates?: boolean;
  /** The client chose the URI: preconditions are evaluated even where nothing is there. */
  readonly clientManaged?: boolean;
  /** Query parameters beyond those the shape brings. */
  readonly parameters?: readonly string[];
  /** What bytes are served as, where that is known beforehand. */
  readonly mediaTypes?: readonly string[];
}

/** One path template and what each method does there. */
export interface Route {
  readonly path: string;
  /** A part of an item with media types and methods of its own, chosen by `?fields={part}`. */
  readonly part?: string;
  /** Who may use it; undefined: those whose scopes name the resource. */
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

/** Whether items can be made and changed by forms. */
export const hasForms = ({ routes }: { readonly routes: readonly Route[] }): boolean =>
  routes.some(({ operations }) => operations.POST?.form === 'new');

import type { ProblemName } from '../http/problem.ts';
import type { Access } from './access/access.ts';
import type { Action } from './actions/action.ts';
import type { Fields } from './description/description.ts';

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
export type FormKind = 'new' | 'edit' | 'delete' | 'transition';

/** An action under a stable name, with what the flow and the description know of it. */
export interface NamedAction {
  /** Never change it: it is in published names, such as the kind of an operation (`orders.pay`). */
  readonly id: string;
  readonly run: Action;
  /**
   * Returns what `run` would refuse now, without an effect; `done`: nothing. The flow calls it before it accepts a
   * request as an operation, and before a 412. Source: Specification 3.3, 7.1.
   */
  readonly check?: Action;
  /** Problems that the action can return, in addition to those of the flow. */
  readonly refusals?: readonly ProblemName[];
}

/**
 * The meaning of a method at a path, with the action that performs it. `shape` is the shape of a GET's response: one
 * item, a list, bytes, a form, or another document.
 */
export interface Endpoint extends NamedAction {
  readonly content: ContentKind;
  /** The effect in a few words, such as `Cancel an operation`, if its method, content and shape do not say it. */
  readonly summary?: string;
  /** The effect in sentences for the description, if its content and shape do not say it. */
  readonly about?: string;
  readonly shape?: 'item' | 'list' | 'bytes' | 'form' | 'document';
  /** Present for a control URI of the form style: GET shows the form, POST accepts it. */
  readonly form?: FormKind;
  /** Reads the target, if it is not the GET at the same path. */
  readonly reads?: Action;
  /** Reads the one item that the content names. Preconditions then apply to this item. */
  readonly readsNamed?: Action;
  /** Of a list below another item: the field of its items with the identifier of that item. */
  readonly listedBy?: string;
  /** Checks whether the parent item exists. */
  readonly parent?: Action;
  /** For a binary property: reads the item that has it. */
  readonly whole?: Action;
  /** The action for several items, if the content is a list. */
  readonly several?: NamedAction;
  /** The endpoint can change many items. The client can limit their number by `max-affected`. */
  readonly bulk?: boolean;
  /** The target need not exist, because the action creates it. */
  readonly creates?: boolean;
  /** The client chose the URI: the flow evaluates preconditions even if the target does not exist. */
  readonly clientManaged?: boolean;
  /** Query parameters in addition to those of the shape. */
  readonly parameters?: readonly string[];
  /** It signs a person in or out, so its action reads the cookies. Without a shape, it leads the browser elsewhere. */
  readonly signsIn?: boolean;
  /** The media types of the bytes, if they are fixed. */
  readonly mediaTypes?: readonly string[];
  /** The properties of a document. */
  readonly fields?: Fields;
  /** The document is also available as `text/plain`. */
  readonly plain?: boolean;
}

/**
 * The binary properties that a route serves: a declared one, or all undeclared ones. A client selects one by
 * `?fields={name}`. `accepts`: the range of its media types, for example `image/*`.
 */
export type ServedBinary =
  | { readonly kind: 'declared'; readonly name: string; readonly accepts: string }
  | { readonly kind: 'undeclared' };

/** One path template and its methods. */
export interface Route {
  readonly path: string;
  /** The bytes that the route serves; undefined: the whole item, list or document at the path. */
  readonly binary?: ServedBinary;
  /** Who may use the route; undefined: callers with a scope of the resource. */
  readonly access?: Access;
  readonly endpoints: Readonly<Partial<Record<RouteMethod, Endpoint>>>;
}

const METHODS: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** True if a route can define a method. */
export const isRouteMethod = (method: string): method is RouteMethod => METHODS.some((one) => one === method);

/** The value of `Allow`. Source: RFC 9110 §10.2.1. */
export function allow(route: Route): string {
  const allowed: string[] = [];
  for (const method of METHODS) {
    if (!route.endpoints[method]) continue;
    allowed.push(method);
    if (method === 'GET') allowed.push('HEAD');
  }
  return [...allowed, 'OPTIONS'].join(', ');
}

/** True if the path is that of a collection: it has a list, or POST creates an item in it. */
export const isCollection = ({ endpoints: { GET, POST } }: Route): boolean =>
  GET?.shape === 'list' || POST?.creates === true;

/** True if a client can create and change items by forms. */
export const hasForms = ({ routes }: { readonly routes: readonly Route[] }): boolean =>
  routes.some(({ endpoints }) => endpoints.POST?.form === 'new');

/** True if POST on an endpoint of a resource accepts forms of browsers. */
export const acceptsForms = (
  resource: { readonly routes: readonly Route[] },
  { content, form }: Pick<Endpoint, 'content' | 'form'>,
): boolean => (content === 'item' || content === 'change' ? hasForms(resource) : form !== undefined);

/**
 * Merges routes with the same path and the same binary property. Of two endpoints for the same method, the later one
 * counts.
 *
 * @throws Error if routes of one path have different access: API Gateway has one authorizer for each path
 */
export function mergeRoutes(routes: readonly Route[]): Route[] {
  const merged = new Map<string, Route>();
  for (const route of routes) {
    const first = routes.find(({ path }) => path === route.path);
    if (first?.access !== route.access)
      throw new Error(
        `The routes of '${route.path}' have different access: make all of them open, all authenticated, or neither`,
      );
    const key = JSON.stringify([route.path, route.binary]);
    const before = merged.get(key);
    merged.set(key, { ...route, endpoints: { ...before?.endpoints, ...route.endpoints } });
  }
  return [...merged.values()];
}

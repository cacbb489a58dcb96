import type { Action, Call, Shaped } from './actions/action.ts';
import type {
  ActionFacts,
  BodyFacts,
  Effect,
  EndpointFacts,
  ResourceFacts,
  RouteFacts,
  RouteMethod,
} from './facts.ts';
import type { Item } from './item.ts';
import type { LinkFact } from './link.ts';
import type { Relation } from './relation.ts';

/** An action under a stable name, with what the flow and the description know of it. */
export type NamedAction = ActionFacts & Shaped;

/** The actions that look-up and several items need, in addition to the action of the endpoint. */
interface OtherActions {
  /** Reads the target, if it is not the GET at the same path. */
  readonly reads?: Shaped;
  /** Reads the one item that the content names. Preconditions then apply to this item. */
  readonly readsNamed?: Action<'file'>;
  /** Checks whether the parent item exists. */
  readonly parent?: Action<'item'>;
  /** For a binary property: reads the item that has it. */
  readonly whole?: Action<'item'>;
  /** The action for several items, if the content is a list. */
  readonly several?: NamedAction;
  /**
   * The version of an item or a file at a time, in ms since the epoch; undefined: it did not exist then; false: the
   * store keeps no versions of it. Source: RFC 7089 §2.2.2.
   */
  readonly timeGate?: (
    call: Pick<Call, 'caller'> & { readonly id: number | string },
    time: number,
  ) => Promise<number | string | undefined | false>;
}

/** The meaning of a method at a path, with the action that performs it. */
export type Endpoint = EndpointFacts & NamedAction & OtherActions;

/** One path template and its methods, with their actions. */
export interface Route extends RouteFacts {
  readonly endpoints: Readonly<Partial<Record<RouteMethod, Endpoint>>>;
}

const METHODS: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Returns the value of `Allow`. Source: RFC 9110 §10.2.1. */
export function allow(route: RouteFacts): string {
  const allowed: string[] = [];
  for (const method of METHODS) {
    if (!route.endpoints[method]) continue;
    allowed.push(method);
    if (method === 'GET') allowed.push('HEAD');
  }
  return [...allowed, 'OPTIONS'].join(', ');
}

/**
 * Returns the path template of a route alone: `/products/{id}/productImage` for the bytes of a declared binary property.
 * Requests to it mean `/products/{id}?fields=productImage`.
 */
export const addressOf = ({ path, binary }: Pick<RouteFacts, 'path' | 'binary'>): string =>
  binary?.kind === 'declared' ? `${path}/${binary.name}` : path;

/**
 * True if a path names an item and nothing else. A version has a number of its own, which a row of a list does not choose.
 */
export const namesItemAlone = (path: string): boolean => path.split('{').length === 2;

/** True if the path is that of a collection: it has a list, or POST creates an item in it. */
export const isCollection = ({ endpoints: { GET, POST } }: RouteFacts): boolean =>
  GET?.shape === 'list' || POST?.creates === true;

/** True if the items have a list at `/{name}`. */
export const hasList = ({
  name,
  routes,
}: {
  readonly name: string;
  readonly routes: readonly RouteFacts[];
}): boolean => routes.some(({ path, endpoints: { GET } }) => path === `/${name}` && GET?.shape === 'list');

/** True if people can create items by a form, or change them by one. */
export const hasForm = (
  { routes }: { readonly routes: readonly RouteFacts[] },
  ...kinds: readonly ('new' | 'edit')[]
): boolean => routes.some(({ endpoints: { POST } }) => kinds.some((kind) => POST?.form === kind));

/** True if clients can restore earlier versions of items. */
export const restores = ({ history, closed }: Pick<ResourceFacts, 'history' | 'closed'>): boolean =>
  history !== undefined && !closed?.includes('change');

/** Returns the routes without the closed endpoints. Each path stays, so that a request to it gets 405. */
export const withoutClosed = (routes: readonly Route[], closed: readonly Effect[]): Route[] =>
  routes.map((route) => {
    const isOpen = ([, { effect }]: [string, Endpoint]) => effect === undefined || !closed.includes(effect);
    return { ...route, endpoints: Object.fromEntries(Object.entries(route.endpoints).filter(isOpen)) };
  });

/** True if POST on an endpoint of a resource accepts forms of browsers. */
export const acceptsForms = (
  resource: { readonly routes: readonly RouteFacts[] },
  { content, form }: Pick<EndpointFacts, 'content' | 'form'>,
): boolean =>
  content === 'item' || content === 'change' ? hasForm(resource, 'new', 'edit') : form !== undefined;

/** The relations of what people send to a resource: those of its items, and those of the bodies of its custom actions. */
export const relationsIn = ({
  relations,
  routes,
}: {
  readonly relations: BodyFacts['relations'];
  readonly routes: readonly RouteFacts[];
}): readonly Relation[] => [
  ...Object.values(relations),
  ...routes.flatMap(({ endpoints: { POST } }) => Object.values(POST?.body?.relations ?? {})),
];

/** True if the endpoint runs a custom action. */
export const isCustomAction = <One extends Pick<Shaped, 'takes'>>(
  endpoint: One | undefined,
): endpoint is One & { readonly takes: 'customOfItem' | 'customOfList' } =>
  endpoint?.takes === 'customOfItem' || endpoint?.takes === 'customOfList';

/** True if requests run code of an author that can call other services: a custom action or a view. */
export const runsCode = ({ routes }: { readonly routes: readonly Route[] }): boolean =>
  routes.some(({ endpoints: { GET, POST } }) => isCustomAction(POST) || GET?.asked !== undefined);

/** Returns the custom actions of a shape, and their path templates. */
const customOf = (routes: readonly Route[], takes: 'customOfItem' | 'customOfList') =>
  routes.flatMap(({ path, endpoints: { POST } }) => (POST?.takes === takes ? [{ path, ...POST }] : []));

const customLink = ({ id, summary }: Pick<EndpointFacts, 'id' | 'summary'>, href: string): LinkFact => ({
  rel: id,
  href,
  method: 'POST',
  ...(summary === undefined ? {} : { title: summary }),
});

/** Returns the links to the custom actions of a resource: those of an item, and those of the list. */
export function customLinks(routes: readonly Route[]) {
  const ofItem = customOf(routes, 'customOfItem');
  return {
    ofItem: ({ id, values }: Pick<Item, 'id' | 'values'>) =>
      ofItem
        .filter(({ when }) => when === undefined || when(values) === true)
        .map((one) => customLink(one, one.path.replace('{id}', String(id)))),
    ofList: customOf(routes, 'customOfList').map((one) => customLink(one, one.path)),
  };
}

/** Makes routes need no credentials. */
export const open = (routes: readonly Route[]): Route[] =>
  routes.map((route) => ({ ...route, access: 'open' }));

/** Makes routes need credentials but no scope. */
export const authenticated = (routes: readonly Route[]): Route[] =>
  routes.map((route) => ({ ...route, access: 'authenticated' }));

/** Returns the routes of a service without pages: without forms, and without the paths that forms alone need. */
export const withoutForms = (routes: readonly Route[]): Route[] =>
  routes.flatMap((route) => {
    const { GET, ...others } = route.endpoints;
    if (GET?.shape !== 'form') return [route];
    return GET.form === 'transition' || GET.form === 'action' ? [{ ...route, endpoints: others }] : [];
  });

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

import type { Resource } from '../shared/resource/resource.ts';
import { acceptsForms, type Endpoint, type Route, type RouteMethod } from '../shared/resource/route.ts';

/** One method of one route, with its resource and endpoint. */
export interface Target {
  readonly resource: Resource;
  readonly route: Route;
  readonly method: RouteMethod;
  readonly endpoint: Endpoint;
}

/** The targets of one method of a path. There are several if a binary property shares the path. */
export type Targets = readonly [Target, ...Target[]];

/** A path of the service and the methods of its routes. */
export interface Path {
  readonly path: string;
  readonly resource: Resource;
  readonly routes: readonly Route[];
  readonly methods: ReadonlyMap<RouteMethod, Targets>;
}

/** Every path of the registry, in its order. */
export function pathsOf(registry: readonly Resource[]): Path[] {
  return registry.flatMap((resource) => {
    const paths = [...new Set(resource.routes.map(({ path }) => path))];
    return paths.map((path) => {
      // No client knows the names of undeclared properties from the description.
      const routes = resource.routes.filter(
        (route) => route.path === path && route.binary?.kind !== 'undeclared',
      );
      return { path, resource, routes, methods: methodsOf(resource, routes) };
    });
  });
}

function methodsOf(resource: Resource, routes: readonly Route[]): Map<RouteMethod, Targets> {
  const methods = new Map<RouteMethod, Targets>();
  for (const route of routes) {
    for (const [name, endpoint] of Object.entries(route.endpoints)) {
      const method = name as RouteMethod;
      const target: Target = { resource, route, method, endpoint };
      const before = methods.get(method);
      methods.set(method, before ? [...before, target] : [target]);
    }
  }
  return methods;
}

/** The name of the declared binary property whose bytes the target serves. */
export const binaryOf = ({ route: { binary } }: Target): string | undefined =>
  binary?.kind === 'declared' ? binary.name : undefined;

/** True if the target has a state for preconditions. */
export const isConditional = ({ route, endpoint }: Target): boolean => {
  const reader = route.endpoints.GET;
  return reader !== undefined || endpoint.reads !== undefined || endpoint.creates === true;
};

/** True if the request accepts an idempotency key. Source: draft-ietf-httpapi-idempotency-key-header §2. */
export const isKeyed = ({ method }: Target): boolean => method === 'POST' || method === 'PATCH';

/** True if the response to the target can have upload links. */
export const givesUploadLinks = ({ endpoint: { content, id } }: Target): boolean =>
  content === 'files' || id === 'renew';

/** True if the target accepts forms of browsers. */
export const isFormTarget = ({ resource, method, endpoint }: Target): boolean =>
  method === 'POST' && acceptsForms(resource, endpoint);

/** True if the list is below an item of another resource and is read-only there. */
export const isRelated = (
  { resource, endpoint }: Pick<Target, 'resource' | 'endpoint'>,
  path: string,
): boolean => endpoint.shape === 'list' && !endpoint.parent && path !== `/${resource.name}`;

/** Names of the variables in a path template. */
export const variablesOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

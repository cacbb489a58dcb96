import type { RouteMethod } from '../shared/resource/facts.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { addressOf, type Endpoint, type Route, withoutForms } from '../shared/resource/route.ts';

/** One method of one route, with its resource and endpoint. */
export interface Target {
  readonly resource: Resource;
  readonly route: Route;
  readonly method: RouteMethod;
  readonly endpoint: Endpoint;
}

/** A path of the service and the methods of its route. */
export interface Path {
  /** The template. The bytes of a binary property have one of their own. */
  readonly path: string;
  readonly resource: Resource;
  readonly methods: ReadonlyMap<RouteMethod, Target>;
}

/** Returns the paths of the registry for programs, in its order. The others have forms of people. */
export function pathsOf(registry: readonly Resource[]): Path[] {
  return registry.flatMap((resource) => {
    // No client knows the names of undeclared properties from the description.
    const routes = withoutForms(resource.routes).filter(({ binary }) => binary?.kind !== 'undeclared');
    const paths = Map.groupBy(routes, addressOf);
    return [...paths].flatMap(([path, own]) => {
      const methods = methodsOf(resource, own);
      // A definition can close all methods of a path.
      return methods.size > 0 ? [{ path, resource, methods }] : [];
    });
  });
}

function methodsOf(resource: Resource, routes: readonly Route[]): Map<RouteMethod, Target> {
  return new Map(
    routes.flatMap((route) =>
      Object.entries(route.endpoints).map(([name, endpoint]) => {
        const method = name as RouteMethod;
        return [method, { resource, route, method, endpoint }] as const;
      }),
    ),
  );
}

/** Returns the name of the declared binary property whose bytes the target serves. */
export const binaryOf = ({ route: { binary } }: Target): string | undefined =>
  binary?.kind === 'declared' ? binary.name : undefined;

/** True if the target has a state for preconditions. */
export const isConditional = ({ route, endpoint }: Target): boolean => {
  // The GET at the path of such an action is its form, which has no state.
  if (endpoint.takes === 'customOfList') return false;
  const reader = route.endpoints.GET;
  return reader !== undefined || endpoint.reads !== undefined || endpoint.creates === true;
};

/** True if the request accepts an idempotency key. Source: draft-ietf-httpapi-idempotency-key-header §2. */
export const isKeyed = ({ method }: Target): boolean => method === 'POST' || method === 'PATCH';

/** True if the response to the target can have upload links. */
export const givesUploadLinks = ({ endpoint: { content, id } }: Target): boolean =>
  content === 'files' || id === 'renew';

/** True if the list is below an item of another resource and is read-only there. */
export const isRelated = (
  { resource, endpoint }: Pick<Target, 'resource' | 'endpoint'>,
  path: string,
): boolean => endpoint.shape === 'list' && !endpoint.parent && path !== `/${resource.name}`;

/** Names of the variables in a path template. */
export const variablesOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** True if the path fills a required field of the items that the target creates. */
export const fillsRequired = (
  { description }: Pick<Resource, 'description'>,
  { fills, creates }: Pick<Endpoint, 'fills' | 'creates'>,
): boolean => creates === true && fills !== undefined && description?.required.includes(fills) === true;

/** Returns the first such endpoint of a resource. */
export const fillingOf = (resource: Resource): Endpoint | undefined =>
  resource.routes
    .flatMap(({ endpoints: { POST } }) => POST ?? [])
    .find((endpoint) => fillsRequired(resource, endpoint));

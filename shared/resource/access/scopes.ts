import type { EndpointFacts, ResourceFacts, RouteFacts } from '../facts.ts';
import { scopeOf, scopesOfPath } from './access.ts';

/** Returns the scopes that the fields of a resource need, and the wider ones of its endpoints, in addition to those of its paths. */
export const fieldScopesOf = ({
  description,
  routes,
}: Pick<ResourceFacts, 'description' | 'routes'>): string[] => [
  ...Object.values(description?.fields ?? {}).flatMap(({ readableBy, writableBy }) =>
    [readableBy, writableBy].filter((scope) => scope !== undefined),
  ),
  ...routes.flatMap(({ endpoints }) =>
    Object.values(endpoints).flatMap(({ widerScope }) => widerScope ?? []),
  ),
];

/** Every scope that the paths of a resource need. */
export const scopesOf = ({ name, routes }: Pick<ResourceFacts, 'name' | 'routes'>): string[] => [
  ...new Set(
    routes.flatMap(({ access, endpoints }) =>
      Object.entries(endpoints).flatMap(
        ([method, { scope }]) => scope ?? scopeOf(name, access, method) ?? [],
      ),
    ),
  ),
];

/**
 * Returns the scopes of an endpoint. A path below the items of another resource shows which of them exist, so reading
 * it needs the scope to read them too.
 *
 * Source: Specification 11.4.
 */
export const scopesNeeded = (
  resource: string,
  { access }: Pick<RouteFacts, 'access'>,
  method: string,
  { scope, below }: Pick<EndpointFacts, 'scope' | 'below'>,
): string[] => [
  ...(scope === undefined ? [] : [scope]),
  ...scopesOfPath(
    { resource: access === undefined && scope === undefined ? resource : null, below: below?.resource },
    method,
  ),
];

import type { ClosedPath, ClosedPaths } from '../../shared/resource/access/access.ts';
import { scopesOf } from '../../shared/resource/access/scopes.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { addressOf } from '../../shared/resource/route.ts';

/** The catch-all of the API: paths that no other template matches. */
export const PROXY = '/{proxy+}';

/** Finds the path templates that need a token, with what each needs. */
export function closedPathsOf(registry: readonly Resource[]): ClosedPaths {
  const closed = registry.flatMap(({ name, routes }) =>
    routes
      .filter(({ access }) => access !== 'open')
      .flatMap((route): [string, ClosedPath][] => {
        const { path, access, endpoints } = route;
        const managed = Object.entries(endpoints).flatMap(([method, one]) => (one.managed ? [method] : []));
        const closed = {
          resource: access === undefined ? name : null,
          below: endpoints.GET?.below?.resource,
        };
        const needed = managed.length > 0 ? { ...closed, managed } : closed;
        return [...new Set([path, addressOf(route)])].map((one) => [one, needed]);
      }),
  );
  return Object.fromEntries([...closed, [PROXY, { resource: null }] as const].sort());
}

/** Finds the scopes that the sign-in on pages requests for a person. */
export const signInScopesOf = (registry: readonly Resource[]): readonly string[] =>
  registry.flatMap(scopesOf).sort();

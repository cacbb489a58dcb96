import { scopesOf } from '../../shared/resource/access/scopes.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** The catch-all of the API: paths that no other template matches. */
export const PROXY = '/{proxy+}';

/** Finds the path templates that need a token: the resource whose scope each needs; null: any scope. */
export function closedPathsOf(registry: readonly Resource[]): Readonly<Record<string, string | null>> {
  const closed = registry.flatMap(({ name, routes }) =>
    routes
      .filter(({ access }) => access !== 'open')
      .map(({ path, access }): [string, string | null] => [path, access === undefined ? name : null]),
  );
  return Object.fromEntries([...closed, [PROXY, null] as const].sort());
}

/** Finds the scopes that the sign-in on pages requests for a person. */
export const signInScopesOf = (registry: readonly Resource[]): readonly string[] =>
  registry.flatMap(scopesOf).sort();

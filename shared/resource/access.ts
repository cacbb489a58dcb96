import type { Resource } from './resource.ts';
import type { Route } from './route.ts';

/** Who may use a route where callers say who they are: `open` everybody, `authenticated` whoever they are. */
export type Access = 'open' | 'authenticated';

/** Routes that need no credentials. */
export const open = (routes: readonly Route[]): Route[] =>
  routes.map((route) => ({ ...route, access: 'open' }));

/** Routes that need credentials, but no scope. */
export const authenticated = (routes: readonly Route[]): Route[] =>
  routes.map((route) => ({ ...route, access: 'authenticated' }));

/** Methods that change nothing need another scope than the others. Source: RFC 9110 §9.2.1. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** `members:read` for a method that is safe, else `members:write`; undefined where none is needed. */
export const scopeOf = (resource: string, access: Access | undefined, method: string): string | undefined =>
  access === undefined ? `${resource}:${SAFE.has(method) ? 'read' : 'write'}` : undefined;

/** Every scope of a resource. */
export const scopesOf = ({ name, routes }: Pick<Resource, 'name' | 'routes'>): string[] => [
  ...new Set(
    routes.flatMap(({ access, operations }) =>
      Object.keys(operations).flatMap((method) => scopeOf(name, access, method) ?? []),
    ),
  ),
];

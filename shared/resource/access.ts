import type { Principal } from '../http/request.ts';
import type { Resource } from './resource.ts';
import type { Route } from './route.ts';

/**
 * Who may use a route if the service requires credentials. `open`: every caller. `authenticated`: every caller with
 * valid credentials, whatever their scopes.
 */
export type Access = 'open' | 'authenticated';

/** Makes routes need no credentials. */
export const open = (routes: readonly Route[]): Route[] =>
  routes.map((route) => ({ ...route, access: 'open' }));

/** Makes routes need credentials but no scope. */
export const authenticated = (routes: readonly Route[]): Route[] =>
  routes.map((route) => ({ ...route, access: 'authenticated' }));

/** Safe methods need the scope `read`, all others the scope `write`. Source: RFC 9110 §9.2.1. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** `members:read` for a safe method, otherwise `members:write`; undefined if the route needs no scope. */
export const scopeOf = (resource: string, access: Access | undefined, method: string): string | undefined =>
  access === undefined ? `${resource}:${SAFE.has(method) ? 'read' : 'write'}` : undefined;

/** The scope of callers who see the authors of items: `createdBy` and `updatedBy`. */
export const AUDIT_SCOPE = 'audit:read';

/** Whether a caller sees the authors of items. Source: Specification 11.15. */
export const seesAuthors = (principal: Principal | undefined): boolean =>
  principal?.scopes.includes(AUDIT_SCOPE) === true;

/** Every scope of a resource. */
export const scopesOf = ({ name, routes }: Pick<Resource, 'name' | 'routes'>): string[] => [
  ...new Set(
    routes.flatMap(({ access, endpoints }) =>
      Object.keys(endpoints).flatMap((method) => scopeOf(name, access, method) ?? []),
    ),
  ),
];

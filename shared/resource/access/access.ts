import { SAFE_METHODS } from '../../http/request.ts';

/**
 * Who may use a route if the service requires credentials. `open`: every caller. `authenticated`: every caller with
 * valid credentials, whatever their scopes.
 */
export type Access = 'open' | 'authenticated';

/** Returns the scope of a method: `members:read` for a safe one, otherwise `members:write`. Source: RFC 9110 §9.2.1. */
export const scopeFor = (resource: string, method: string): string =>
  `${resource}:${SAFE_METHODS.has(method) ? 'read' : 'write'}`;

/** Returns the scope of a method of a route; undefined if the route needs none. */
export const scopeOf = (resource: string, access: Access | undefined, method: string): string | undefined =>
  access === undefined ? scopeFor(resource, method) : undefined;

/**
 * A path template that needs a token. `resource`: whose scope it needs; null: any scope. `below`: the resource that a
 * safe method must be able to read too.
 */
export interface ClosedPath {
  readonly resource: string | null;
  readonly below?: string | undefined;
  /** The methods that operators may use, with `MANAGER_SCOPE` alone. */
  readonly managed?: readonly string[];
}

/** The path templates of a service that need a token. */
export type ClosedPaths = Readonly<Record<string, ClosedPath>>;

/** The scope of operators, who manage the subscriptions of all owners. No wide scope includes it. */
export const MANAGER_SCOPE = 'subscriptions:manage';

/** The scope of callers who undo their own changes. */
export const UNDO_SCOPE = 'changes:undo';

/** The scope of operators, who undo the changes of other callers. No wide scope includes it. */
export const UNDO_ALL_SCOPE = 'undo:all';

/** Returns the scopes that a caller with some scopes lacks for a method at a path template. */
export const lackingScopes = (path: ClosedPath, method: string, scopes: readonly string[]): string[] =>
  path.managed?.includes(method === 'HEAD' ? 'GET' : method) && scopes.includes(MANAGER_SCOPE)
    ? []
    : scopesOfPath(path, method).filter((one) => !scopes.includes(one));

/** Returns the scopes that a method needs at a path template. */
export const scopesOfPath = ({ resource, below }: ClosedPath, method: string): string[] => [
  ...(resource === null ? [] : [scopeFor(resource, method)]),
  ...(below !== undefined && SAFE_METHODS.has(method) ? [scopeFor(below, 'GET')] : []),
];

/**
 * The scopes that stand for `<resource>:read` and `<resource>:write` of every resource. No resource has the name `all`.
 * Source: Specification 11.4.
 */
export const WIDE_SCOPES: readonly string[] = ['all:read', 'all:write'];

/** Returns the scopes of a token, with those of each of these resources in place of a wide one. */
export const eachScope = (scopes: readonly string[], resources: readonly string[]): string[] => [
  ...new Set(
    scopes.flatMap((scope) =>
      WIDE_SCOPES.includes(scope) ? resources.map((name) => scope.replace('all', name)) : [scope],
    ),
  ),
];

/** Returns the header field of a refusal for lack of a scope. Source: RFC 6750 §3.1 (insufficient_scope). */
export const scopeChallenge = (scopes: readonly string[]): Readonly<Record<string, string>> => ({
  'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`,
});

/** The refusal of a caller whose subject operators deny access. */
export const DENIED = 'The operators of this service have denied you access. Ask them for the reason';

/** Says which scopes a token lacks. */
export const adviceOnScopes = (scopes: readonly string[]): string =>
  scopes.length === 1
    ? `The scope ${scopes[0]} is needed. Get a token with it`
    : `The scopes ${scopes.join(' and ')} are needed. Get a token with them`;

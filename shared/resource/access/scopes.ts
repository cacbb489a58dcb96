import type { ResourceFacts } from '../facts.ts';
import { scopeOf, WIDE_SCOPES } from './access.ts';

/** The scopes that the fields of a resource need, in addition to those of its paths. */
export const fieldScopesOf = ({ description }: Pick<ResourceFacts, 'description'>): string[] =>
  Object.values(description?.fields ?? {}).flatMap(({ readableBy, writableBy }) =>
    [readableBy, writableBy].filter((scope) => scope !== undefined),
  );

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

/** The fewest scopes for every path of these resources: the wide ones, and those of actions with a scope of their own. */
export const fewestScopesOf = (registry: readonly Pick<ResourceFacts, 'name' | 'routes'>[]): string[] => [
  ...WIDE_SCOPES,
  ...new Set(
    registry.flatMap((one) =>
      scopesOf(one).filter((scope) => ![`${one.name}:read`, `${one.name}:write`].includes(scope)),
    ),
  ),
];

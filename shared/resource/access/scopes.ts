import type { ResourceFacts } from '../facts.ts';
import { scopeOf } from './access.ts';

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

import type { Reader } from '../access/access.ts';
import { sightOf } from '../access/field-access.ts';
import type { Description } from '../description/description.ts';

/**
 * Caches the results of `make`: one for each resource and each set of scopes that let a reader see more fields. `make`
 * must use the reader only in calls of `isVisible`.
 */
export function bySight<Facts extends object, Result>(
  descriptionOf: (facts: Facts) => Description | undefined,
  make: (facts: Facts, reader: Reader | undefined) => Result,
): (facts: Facts, reader: Reader | undefined) => Result {
  const known = new WeakMap<Facts, Map<string, Result>>();
  return (facts, reader) => {
    const results = known.get(facts) ?? new Map<string, Result>();
    known.set(facts, results);
    const description = descriptionOf(facts);
    const sight = description ? sightOf(description, reader).join(' ') : '';
    const found = results.get(sight) ?? make(facts, reader);
    results.set(sight, found);
    return found;
  };
}

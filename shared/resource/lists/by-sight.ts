import type { Reader } from '../access/access.ts';
import { sightOf } from '../access/field-access.ts';
import type { Description } from '../description/description.ts';

/**
 * Keeps what a function makes of the facts of a resource for a reader. Readers with the same scopes for its fields share
 * one result. `make` must depend on the reader by `isVisible` alone.
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

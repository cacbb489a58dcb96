import { type Problem, problem } from '../../http/problem.ts';
import { sameMember } from '../../json/equal.ts';
import type { Resource } from '../../resource/resource.ts';
import type { ItemChange } from './change.ts';

/** The fields whose value never changes after the creation of an item. */
const immutableFields = ({ description }: Pick<Resource, 'description'>): string[] =>
  Object.entries(description?.fields ?? {}).flatMap(([name, { immutable }]) => (immutable ? [name] : []));

/** True if items of the resource have values that never change. */
export const hasImmutable = (resource: Pick<Resource, 'description'>): boolean =>
  immutableFields(resource).length > 0;

/** The problems of the changes that change or remove such a value, by the index of the change. */
export function refusedImmutable(
  resource: Pick<Resource, 'description'>,
  changes: readonly ItemChange[],
): Map<number, Problem> {
  const fields = immutableFields(resource);
  return new Map(
    changes.flatMap(({ before, after }, at): [number, Problem][] => {
      if (!before || !after) return [];
      const changed = fields.filter((name) => !sameMember(before.values[name], after.values[name]));
      return changed.length > 0 ? [[at, fixed(changed)]] : [];
    }),
  );
}

const fixed = (names: readonly string[]): Problem =>
  problem('conflict', `${names.join(', ')} cannot change after creation. Send the present value`, {
    errors: names.map((name) => ({ pointer: `/${name}`, detail: 'cannot change after creation' })),
  });

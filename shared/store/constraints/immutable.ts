import { type Problem, problem } from '../../http/problem.ts';
import { sameMember } from '../../json/equal.ts';
import type { ItemChange } from './change.ts';

/** The problems of the changes that change or remove the value of such a field, by the index of the change. */
export function refusedImmutable(
  fields: readonly string[],
  changes: readonly ItemChange[],
): Map<number, Problem> {
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

import type { Problem } from '../../http/problem.ts';
import type { SentItem } from '../../resource/action.ts';
import { type Outcome, refused } from '../../resource/outcome.ts';
import { withPointerPrefix } from '../../resource/pointer-prefix.ts';

/** Faults that are told at once. */
const TOLD = 100;

/** Nothing was done: everything that was wrong with any of them, each where it stands in what was sent. */
export function refusedAll(
  found: readonly { readonly problem: Problem; readonly sent: SentItem }[],
): Outcome {
  const [first] = found;
  if (!first) throw new Error('Nothing was refused');
  const errors = found.flatMap(({ problem, sent }) => withPointerPrefix({ ...sent, problem }).errors ?? []);
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
  return {
    kind: 'refused',
    problem: {
      ...first.problem,
      detail: `Nothing was changed. ${first.problem.detail}${more}`,
      errors: errors.slice(0, TOLD),
    },
  };
}

/** More items would be affected than the client wants to be. */
export const tooMany = (affected: number, maximum: number, done: string): Outcome =>
  refused('conflict', `${affected} would be ${done}, more than ${maximum}: nothing was`, {
    members: { affected, maximum },
  });

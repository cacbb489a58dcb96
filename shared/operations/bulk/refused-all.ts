import type { Problem } from '../../http/problem.ts';
import { forbiddenElements } from '../../resource/access/forbidden-fields.ts';
import { problemOfElement } from '../../resource/actions/element-problem.ts';
import { type Outcome, refused } from '../../resource/actions/outcome.ts';
import type { SentItem } from '../../resource/actions/sent.ts';

/** The maximum number of errors in one response. */
const MAXIMUM_ERRORS = 100;

/** The refusal of a whole request: the errors of all elements, each with its pointer into the request body. */
export function refusedAll(
  found: readonly { readonly problem: Problem; readonly sent: SentItem }[],
): Outcome {
  const [first] = found;
  if (!first) throw new Error('Nothing was refused');
  const forbidden = forbiddenElements(found.map(({ problem, sent }) => ({ ...sent, problem })));
  if (forbidden) return { kind: 'refused', problem: forbidden };
  const errors = found.flatMap(({ problem, sent }) => problemOfElement({ ...sent, problem }).errors ?? []);
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
  return {
    kind: 'refused',
    problem: {
      ...first.problem,
      detail: `Nothing was changed. ${first.problem.detail}${more}`,
      errors: errors.slice(0, MAXIMUM_ERRORS),
    },
  };
}

/** The refusal of a request that affects more items than `max-affected` allows. Source: Specification 9.7. */
export const tooMany = (affected: number, maximum: number, done: string): Outcome =>
  refused(
    'conflict',
    `${affected} items would be ${done}, more than the limit of ${maximum}. Nothing was ${done}. Raise max-affected, or affect fewer items`,
    {
      members: { affected, maximum },
    },
  );

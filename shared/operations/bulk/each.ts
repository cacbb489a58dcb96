import { type Problem, problem } from '../../http/problem.ts';
import { Unavailable } from '../../http/unavailable.ts';
import type { Action, Asked, SentItem } from '../../resource/action.ts';
import type { Outcome, Result } from '../../resource/outcome.ts';
import { pointed } from '../../resource/pointed.ts';
import type { Resource } from '../../resource/resource.ts';
import { around } from '../../store/around.ts';
import { atOnce } from './at-once.ts';

/** How often a write that was overtaken is tried again. */
const ATTEMPTS = 8;

/**
 * Does to each of several items what is done to one alone, and answers the result of each: one that fails does not keep
 * the others from being done.
 *
 * @throws Unavailable when none could be done
 */
export function each(resource: Resource, asked: Asked, location: string, single: Action): Promise<Outcome> {
  return around(asked, async () => {
    const { elements = [] } = asked;
    const results = await atOnce(elements, (sent) => resultOf(resource, asked, sent, single, location));
    const isDown = results.every((one) => one.kind === 'refused' && one.problem.name === 'unavailable');
    if (isDown) throw new Unavailable(new Error('None of the items could be written'));
    return { kind: 'several', results, location, each: true };
  });
}

async function resultOf(
  resource: Resource,
  asked: Asked,
  sent: SentItem,
  single: Action,
  list: string,
): Promise<Result> {
  const { id, values, problem: wrong } = sent;
  const location = id === undefined ? list : `/${resource.name}/${id}`;
  const refused = (stated: Problem): Result => ({
    kind: 'refused',
    location,
    problem: stated.errors ? pointed({ ...sent, problem: stated }) : stated,
  });
  if (wrong) return refused(wrong);
  const one = {
    ...asked,
    parameters: id === undefined ? asked.parameters : { id },
    values,
    elements: undefined,
    once: undefined,
    expected: undefined,
    current: undefined,
  };
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const outcome = await single(one);
      if ((outcome.kind === 'created' || outcome.kind === 'replaced') && outcome.state.kind === 'item')
        return { kind: outcome.kind, location: outcome.location, item: outcome.state.item };
      if (outcome.kind === 'missing')
        return refused(problem('not-found', outcome.detail ?? `There is no ${location}`));
      if (outcome.kind === 'refused') return refused(outcome.problem);
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
  return refused(problem('unavailable', 'This one may not have been written: please send it again'));
}

import type { CreateCall, ItemCall, ReplaceCall } from '../../resource/actions/action.ts';
import { done, missing, type Outcome } from '../../resource/actions/outcome.ts';
import { descriptionOf, planOf } from '../../resource/description/described.ts';
import type { Resource } from '../../resource/resource.ts';
import { itemsOf } from '../items/items.ts';
import { newItem } from '../items/new-item.ts';
import { afterReplacement } from '../write/replacement.ts';
import { checkConstraints, type ItemChange } from './check-constraints.ts';

/** Checks whether the constraints of a resource allow a request, without an effect. Source: Specification 7.1. */
export function constraintChecks(resource: Resource) {
  const description = descriptionOf(resource);
  const allows = async (change: ItemChange): Promise<Outcome> => {
    const problem = (await checkConstraints(resource, [change])).refusals.get(0);
    return problem ? { kind: 'refused', problem } : done;
  };
  const presentOf = async ({ caller, current, id }: ItemCall) =>
    current ?? (await itemsOf(resource, caller).get(id));
  return {
    create: ({ caller, values, now }: CreateCall): Promise<Outcome> =>
      allows({ after: newItem(resource, caller, now, values) }),
    replace: async (input: ReplaceCall): Promise<Outcome> => {
      const before = await presentOf(input);
      if (!before) return missing();
      const { caller, values, now } = input;
      return allows({
        before,
        after: afterReplacement(planOf(description), before, values, { now, caller }),
      });
    },
    remove: async (input: ItemCall): Promise<Outcome> => {
      const before = await presentOf(input);
      return before ? allows({ before }) : missing();
    },
  };
}

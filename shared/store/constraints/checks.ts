import type { ActionInput, InputWith } from '../../resource/actions/action.ts';
import { done, missing, type Outcome } from '../../resource/actions/outcome.ts';
import { withComputed } from '../../resource/description/computed.ts';
import { descriptionOf } from '../../resource/description/described.ts';
import type { Resource } from '../../resource/resource.ts';
import { newIdentifier } from '../items/identifier.ts';
import { Items } from '../items/items.ts';
import { afterReplacement } from '../write/replacement.ts';
import type { ItemChange } from './change.ts';
import { checkConstraints } from './check-constraints.ts';

/** Checks whether the constraints of a resource allow a request, without an effect. Source: Specification 7.1. */
export function constraintChecks(resource: Resource) {
  const items = new Items(resource);
  const description = descriptionOf(resource);
  const allows = async (change: ItemChange): Promise<Outcome> => {
    const problem = (await checkConstraints(resource, [change])).refusals.get(0);
    return problem ? { kind: 'refused', problem } : done;
  };
  const current = async (input: InputWith<'id'>) => input.current ?? (await items.get(input.id, input.whose));
  return {
    create: ({ values = {}, now, whose }: ActionInput): Promise<Outcome> => {
      const times = { createdAt: now, updatedAt: now };
      const whole = { values: withComputed(description, values), internal: {} };
      return allows({ after: { id: newIdentifier(now), version: 1, ...times, owner: whose, ...whole } });
    },
    replace: async (input: InputWith<'id'>): Promise<Outcome> => {
      const before = await current(input);
      if (!before) return missing();
      const { values = {}, now } = input;
      return allows({ before, after: afterReplacement(description, before, values, { now }) });
    },
    remove: async (input: InputWith<'id'>): Promise<Outcome> => {
      const before = await current(input);
      return before ? allows({ before }) : missing();
    },
  };
}

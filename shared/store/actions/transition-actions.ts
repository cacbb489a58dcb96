import type { ItemCall } from '../../resource/actions/action.ts';
import {
  done,
  foundItem,
  missing,
  type Outcome,
  refused,
  replaced,
  stale,
} from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import { allowedTransitions, type Process } from '../../resource/process.ts';
import type { Resource } from '../../resource/resource.ts';
import type { Transition } from '../../resource/styles/process.ts';
import { answerWrites, recordAnswer } from '../idempotency/answers.ts';
import { itemsOf } from '../items/items.ts';
import { expectedVersion, replacementOutcome } from '../items/outcomes.ts';

/**
 * Returns the transitions of a process. The write of a transition requires the version whose state allowed it. If two
 * transitions exclude each other, one succeeds. The service then checks the other against the new state.
 *
 * Source: Specification 8.1 and 8.2.
 * @throws Error if the resource states no process
 */
export function transitions(resource: Resource): Transition[] {
  const { process } = resource;
  if (!process) throw new Error(`${resource.name} has transitions: state its \`process\``);
  const pathOf = (item: Item) => `/${resource.name}/${item.id}`;
  return Object.entries(process.transitions).map(([name, { from, to }]) => {
    const allows = (state: unknown) => from.some((one) => one === state);
    return {
      name,

      run: async (input: ItemCall): Promise<Outcome> => {
        const { caller, idempotency, now } = input;
        const items = itemsOf(resource, caller);
        const item = input.current ?? (await items.get(input.id));
        if (!item) return missing();
        const expected = expectedVersion(input);
        if (expected !== undefined && expected !== item.version) return stale;
        const state = item.values[process.field];
        if (state === to) return recordAnswer(input, foundItem(item, pathOf(item)));
        if (!allows(state)) return forbidden(resource, process, item, name);
        const values = { ...item.values, [process.field]: to };
        const write = {
          now,
          version: item.version,
          before: item,
          answersOf:
            idempotency && ((after: Item) => answerWrites(idempotency, replaced(after, pathOf(after)), now)),
        };
        return replacementOutcome(await items.replace(item.id, values, write), pathOf);
      },

      check: async ({ caller, current, id }: ItemCall): Promise<Outcome> => {
        const item = current ?? (await itemsOf(resource, caller).get(id));
        if (!item) return missing();
        const state = item.values[process.field];
        return state === to || allows(state) ? done : forbidden(resource, process, item, name);
      },
    };
  });
}

function forbidden(resource: Resource, process: Process, item: Item, name: string): Outcome {
  const currentStatus = item.values[process.field];
  const allowed = allowedTransitions(process, currentStatus);
  const singular = resource.description?.singular;
  const advice = allowed.length > 0 ? `Use ${allowed.join(' or ')}` : 'No transition is left';
  const detail = `This ${singular} is ${currentStatus}: '${name}' is not allowed. ${advice}`;
  return refused('invalid-transition', detail, { members: { currentStatus, allowed } });
}

import { currentTime } from '../../aws/clock.ts';
import { problem, Unavailable } from '../../http/problem.ts';
import type { Call, CustomActionBody, ItemCall } from '../../resource/actions/action.ts';
import { done, missing, type Outcome, stale } from '../../resource/actions/outcome.ts';
import { type CustomAction, refuse } from '../../resource/custom-action.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { Forbidden } from '../../store/custom/unit-items.ts';
import { itemsOf } from '../../store/items/items.ts';
import { expectedVersion } from '../../store/items/outcomes.ts';
import { EachRun, LONGEST_RUN, type ResumableCode } from './each-run.ts';

/** Unwinds the run of an action that has nothing to do: the item is gone. */
class ItemIsGone extends Error {}

/** The input of a long action; of one at the collection, without an item. */
type Input = Call & CustomActionBody & Partial<Pick<ItemCall, 'id' | 'current' | 'expected'>>;

/**
 * Returns a long action. A request becomes an operation, whose code gets `each`. The item, its version and the condition of
 * the action are judged before acceptance, and again when the code begins, but not when it goes on: its own writes can
 * change them.
 *
 * Source: Specification 22.1 to 22.4; docs/decisions/0104-long-actions-and-kept-totals.md.
 */
export function performLong(resource: Resource, action: CustomAction) {
  const refusal = async (input: Input, item: Item | undefined): Promise<Outcome | undefined> => {
    if (action.at === 'collection') return undefined;
    if (!item) return missing();
    const expected = expectedVersion(input);
    if (expected !== undefined && expected !== item.version) return stale;
    const allowed = action.when?.(item.values) ?? true;
    return allowed === true ? undefined : refuse(allowed);
  };
  const itemOf = async ({ current, id, caller }: Input) =>
    id === undefined ? undefined : (current ?? (await itemsOf(resource, caller).get(id)));
  const refusalOf = async (input: Input) => refusal(input, await itemOf(input));

  const goOn = async (input: Input, work: NonNullable<Call['work']>): Promise<Outcome> => {
    const { caller, body, id } = input;
    if (currentTime() - work.acceptedAt > LONGEST_RUN)
      return { kind: 'refused', problem: problem('unavailable', 'The action has taken 24 hours') };
    const call: ResumableCode['call'] = async (tools, unit) => {
      if (!unit) return;
      // The time of the request is the same in each run.
      const given = { ...tools, items: unit.items(), body, caller, now: work.acceptedAt };
      const itemIn = async () => {
        const item = id === undefined ? undefined : await unit.own.get(id);
        if (item) return item;
        throw new ItemIsGone();
      };
      const result = await (action.at === 'item'
        ? action.run({ ...given, item: await itemIn() })
        : action.run(given));
      if (!result) return;
      if ('problem' in result) throw new Forbidden(result.problem);
      throw new Error(
        `${resource.name}: the long action ${action.id} returns an item, but its answer is 202: return nothing`,
      );
    };
    const run = new EachRun({ own: resource, uses: resource.uses, caller, call }, work);
    try {
      await run.perform();
    } catch (error) {
      if (error instanceof Forbidden) return { kind: 'refused', problem: error.problem };
      if (error instanceof ItemIsGone) return missing();
      // This run has gone on, so it has not failed. The next one continues.
      if (error instanceof Unavailable && run.checkpoint !== work.checkpoint)
        return { kind: 'interrupted', by: 'time' };
      throw error;
    }
    return run.interrupted
      ? { kind: 'interrupted', by: run.interrupted }
      : { kind: 'completed', checkpoint: run.checkpoint };
  };

  return {
    run: async (input: Input): Promise<Outcome> => {
      const { work } = input;
      const isBegun = work?.checkpoint.cursor !== undefined;
      const refused = isBegun ? undefined : await refusalOf(input);
      if (refused) return refused;
      return work ? goOn(input, work) : { kind: 'mustDefer' };
    },
    check: async (input: Input): Promise<Outcome> => (await refusalOf(input)) ?? done,
  };
}

import type { Call, Calls, CustomActionBody, ItemCall } from '../../resource/actions/action.ts';
import {
  created,
  done,
  foundItem,
  missing,
  type Outcome,
  replaced,
  stale,
} from '../../resource/actions/outcome.ts';
import { type CustomAction, refuse } from '../../resource/custom-action.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { answerParts, recordAnswer } from '../idempotency/answers.ts';
import { expectedVersion } from '../items/outcomes.ts';
import { MAXIMUM_PARTS } from '../write/limits.ts';
import { isUnchanged } from '../write/replacement.ts';
import { transact } from '../write/transaction.ts';
import { Unit } from './unit.ts';
import { Forbidden } from './unit-items.ts';
import { tooManyParts } from './validate-changes.ts';

/** A run of an action that nothing forbids: what its unit writes, and the outcome after that. */
interface Attempt {
  readonly kind: 'attempt';
  readonly parts: Extract<Awaited<ReturnType<Unit['plan']>>, { kind: 'planned' }>['parts'];
  readonly outcome: Outcome;
}

type Result = Awaited<ReturnType<CustomAction['run']>>;

type OfItem = Extract<CustomAction, { at: 'item' }>;
type OfList = Extract<CustomAction, { at: 'collection' }>;

/**
 * Returns a custom action of an item, in units of work. One transaction commits all changes of an action, together with
 * the recorded answer of its request. If an item has changed meanwhile, the outcome is `stale`, and the flow runs the
 * action again on the new state.
 *
 * Source: docs/decisions/0067-custom-actions.md.
 */
export const performOnItem = (resource: Resource, action: OfItem) =>
  performed(async (input: Calls['customOfItem']) => {
    const unit = new Unit(resource, input);
    const item = await itemOf(unit, input);
    if (!item) return missing();
    const expected = expectedVersion(input);
    if (expected !== undefined && expected !== item.version) return stale;
    const allowed = action.when?.(item.values) ?? true;
    if (allowed !== true) return refuse(allowed);
    return attemptOf(unit, item, () => action.run({ ...inputOf(input), item, items: unit.items() }));
  });

/** Returns the same for an action of the collection. */
export const performOnList = (resource: Resource, action: OfList) =>
  performed((input: Call & CustomActionBody) => {
    const unit = new Unit(resource, input);
    return attemptOf(unit, undefined, () => action.run({ ...inputOf(input), items: unit.items() }));
  });

const inputOf = ({ body, caller, now }: Call & CustomActionBody) => ({ body, caller, now });

const itemOf = async ({ own }: Unit, { current, id }: ItemCall): Promise<Item | undefined> =>
  current ? own.take(current) : own.get(id);

/** Runs an action without a write. `item`: the item in the path. */
async function attemptOf(
  unit: Unit,
  item: Item | undefined,
  run: () => Promise<Result> | Result,
): Promise<Attempt | Outcome> {
  try {
    const result = await run();
    if (result && 'problem' in result) return result;
    const planned = await unit.plan();
    if (planned.kind === 'refused') return planned;
    return { kind: 'attempt', parts: planned.parts, outcome: outcomeOf(unit, item, result) };
  } catch (error) {
    if (error instanceof Forbidden) return { kind: 'refused', problem: error.problem };
    throw error;
  }
}

/** Returns the outcome for what an action returns. @throws Error if that is not an item of its resource */
function outcomeOf({ own }: Unit, item: Item | undefined, result: Item | undefined): Outcome {
  const pathOf = ({ id }: Item) => `/${own.resource.name}/${id}`;
  if (!result) {
    const isLeft = item && own.heldOf(item).after;
    return isLeft ? { kind: 'done', location: pathOf(item) } : done;
  }
  const { before, after } = own.heldOf(result);
  if (!after)
    throw new Error(`${own.resource.name}: the action returns the item ${result.id}, which it has removed`);
  if (!before) return created(after, pathOf(after));
  return isUnchanged(before, after) ? foundItem(before, pathOf(before)) : replaced(after, pathOf(after));
}

function performed<Input extends Call>(attempt: (input: Input) => Promise<Attempt | Outcome>) {
  return {
    run: async (input: Input): Promise<Outcome> => {
      const made = await attempt(input);
      if (made.kind !== 'attempt') return made;
      const { parts, outcome } = made;
      if (parts.length === 0) return recordAnswer(input, outcome);
      const all = [...parts, ...(await answerParts(input, outcome))];
      if (all.length > MAXIMUM_PARTS) return { kind: 'refused', problem: tooManyParts() };
      return (await transact(all)) ? stale : outcome;
    },
    check: async (input: Input): Promise<Outcome> => {
      const made = await attempt(input);
      return made.kind === 'attempt' ? done : made;
    },
  };
}

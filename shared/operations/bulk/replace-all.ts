import { CONCURRENCY, mapConcurrently } from '../../concurrency/map-concurrently.ts';
import { type Problem, problem } from '../../http/problem.ts';
import type { ElementsCall } from '../../resource/actions/action.ts';
import { type Completion, complete, type Outcome } from '../../resource/actions/outcome.ts';
import { problemOfState } from '../../resource/process.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { SentItem } from '../../resource/sent.ts';
import { UnreadableItem, unreadableItem } from '../../resource/store-refusal.ts';
import { checkConstraints } from '../../store/constraints/check-constraints.ts';
import { itemsOf } from '../../store/items/items.ts';
import { bytesOfChange, itemsPerStep, portionsOf } from '../../store/write/fitting.ts';
import type { ConstraintResult } from '../../store/write/item-change.ts';
import { MAXIMUM_PARTS } from '../../store/write/limits.ts';
import { afterReplacement } from '../../store/write/replacement.ts';
import { bound, discardBound, partsOf, type Replaced } from './bound.ts';
import { inOneTransaction, severalItems } from './in-one-transaction.ts';
import { failuresOf, notInList, otherParent, refusalOf, tooMany, type Within } from './problems.ts';
import { runSteps } from './steps.ts';

type Refused = Extract<Completion, { kind: 'refused' }>;

/** An item before and after its replacement, or the problem that prevents the replacement. */
type Prepared = Replaced | Refused;

const refusal = (stated: Problem): Refused => ({ kind: 'refused', problem: stated });

/**
 * Replaces the items whose identifiers the elements name. If they fit into one transaction, it replaces all of them or
 * none. Otherwise the outcome is `mustDefer`, and the operation replaces them in steps.
 *
 * Source: Specification 9.1 to 9.3.
 *
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers continue
 */
export async function replaceAll(
  resource: Resource,
  input: ElementsCall,
  { within, location }: { within: Within; location: string },
): Promise<Outcome> {
  const { elements, work, lenient, maximum } = input;
  if (maximum !== undefined && elements.length > maximum) return tooMany(elements.length, maximum, 'changed');
  const prepare = preparing(resource, within, input);
  if (elements.length <= MAXIMUM_PARTS && !lenient) {
    const outcome = await whole(resource, input, prepare, location);
    if (outcome.kind !== 'mustDefer') return outcome;
  }
  if (!work) return { kind: 'mustDefer' };
  if (work.checkpoint.cursor === undefined && !lenient) {
    // They do not fit into one transaction. Check all of them first, so that a fault prevents every change.
    const refused = await refusedOf(resource, elements, prepare);
    if (refused) return refused;
  }
  const limit = itemsPerStep(resource, 'replacement');
  return runSteps(work, { ...work.checkpoint, total: elements.length }, async ({ cursor = '0' }, _, most) => {
    const at = Number(cursor);
    const chunk = elements.slice(at, at + Math.min(limit, most));
    if (chunk.length === 0) return undefined;
    const all = await mapConcurrently(CONCURRENCY.items, chunk, prepare);
    const [fit = []] = portionsOf(all, limit, (one) =>
      one.kind === 'prepared' ? bytesOfChange(resource, one) : 0,
    );
    const { prepared, parts: others } = await constrained(resource, fit);
    const changed = await bound(resource, replacedOf(prepared), input);
    const failures = failuresOf(resource, chunk, prepared, location);
    const parts = [...(await partsOf(resource, changed, input)), ...others];
    return {
      parts,
      done: changed.length,
      first: changed[0] && `/${resource.name}/${changed[0].before.id}`,
      failures,
      cursor: String(at + prepared.length),
    };
  });
}

/** The refusal of a replacement; undefined if nothing prevents it. @throws Unavailable if DynamoDB does not respond */
export const replacementFaults = (
  resource: Resource,
  input: ElementsCall,
  within: Within,
): Promise<Outcome | undefined> => refusedOf(resource, input.elements, preparing(resource, within, input));

const whole = (
  resource: Resource,
  input: ElementsCall,
  prepare: (sent: SentItem) => Promise<Prepared>,
  location: string,
): Promise<Outcome> =>
  inOneTransaction(resource, input, async () => {
    const { elements } = input;
    const all = await mapConcurrently(CONCURRENCY.items, elements, prepare);
    const { prepared, parts: others } = await constrained(resource, all);
    const refused = refusalOf(elements, prepared);
    if (refused) return refused;
    const changed = await bound(resource, replacedOf(prepared), input);
    return {
      kind: 'attempt',
      changes: changed,
      parts: await partsOf(resource, changed, input),
      others,
      outcome: severalItems(
        resource,
        'replaced',
        changed.map(({ after }) => after),
        location,
      ),
      undo: () => discardBound(resource, changed),
    };
  });

/**
 * Reads an item and computes its replacement. A missing item is a conflict of the whole request. In a lenient request,
 * the missing item alone gets `not-found`. Source: Specification 9.2 and 9.4.
 */
function preparing(
  resource: Resource,
  within: Within,
  { caller, lenient, now, fieldLimits }: Pick<ElementsCall, 'caller' | 'lenient' | 'now' | 'fieldLimits'>,
) {
  const items = itemsOf(resource, caller);
  const description = descriptionOf(resource);
  return async (sent: SentItem): Promise<Prepared> => {
    const { values, binaries = [], problem: wrong } = sent;
    if (wrong || sent.id === undefined)
      return refusal(
        wrong ??
          problem(
            'validation-error',
            'The element needs the identifier of an existing item. Take it from the list',
          ),
      );
    const before = await items.get(sent.id).catch(unknownForm);
    if (before === 'unknown-form') return refusal(unreadableItem());
    if (!before || (within && before.values[within.field] !== within.value))
      return refusal(notInList(resource, sent, { isLenient: lenient }));
    const other = problemOfState(resource.process, sent.state, before);
    if (other) return refusal(other);
    const named = within && values[within.field];
    if (within && named !== undefined && named !== within.value)
      return refusal(otherParent(within, description.singular, within.value));
    const own = fieldLimits ? fieldLimits.completed(before, { values, binaries }) : complete(values);
    if (own.kind === 'refused') return own;
    const writing = { sent: sent.names ?? Object.keys(values), before: before.values };
    const completed = resource.complete ? await resource.complete(own.values, writing) : own;
    if (completed.kind === 'refused') return completed;
    const after = afterReplacement(description.plan, before, completed.values, { now, caller });
    return { kind: 'prepared', before, after, binaries };
  };
}

/** Returns an item of unknown stored form fails alone. */
function unknownForm(error: unknown): 'unknown-form' {
  if (error instanceof UnreadableItem) return 'unknown-form';
  throw error;
}

/** Returns the items that the constraints of the resource allow, and what they add to the transaction. */
async function constrained(
  resource: Resource,
  all: readonly Prepared[],
): Promise<Pick<ConstraintResult, 'parts'> & { readonly prepared: readonly Prepared[] }> {
  const { parts, refusals } = await checkConstraints(
    resource,
    all.map((one) => (one.kind === 'prepared' ? one : {})),
  );
  const prepared = all.map((one, at) => {
    const refused = refusals.get(at);
    return refused ? refusal(refused) : one;
  });
  return { prepared, parts };
}

const replacedOf = (prepared: readonly Prepared[]): Replaced[] =>
  prepared.filter((one) => one.kind === 'prepared');

async function refusedOf(
  resource: Resource,
  elements: readonly SentItem[],
  prepare: (sent: SentItem) => Promise<Prepared>,
): Promise<Outcome | undefined> {
  const all = await mapConcurrently(CONCURRENCY.items, elements, prepare);
  return refusalOf(elements, (await constrained(resource, all)).prepared);
}

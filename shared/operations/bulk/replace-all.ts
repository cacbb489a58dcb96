import { CONCURRENCY, concurrently } from '../../concurrency/concurrently.ts';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { type Problem, problem } from '../../http/problem.ts';
import { Unavailable } from '../../http/unavailable.ts';
import type { ElementsCall } from '../../resource/actions/action.ts';
import { complete } from '../../resource/actions/completion.ts';
import { problemOfElement } from '../../resource/actions/element-problem.ts';
import { type Outcome, stale } from '../../resource/actions/outcome.ts';
import type { SentItem } from '../../resource/actions/sent.ts';
import { descriptionOf } from '../../resource/description/described.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { UnreadableItem, unreadableItem } from '../../resource/unreadable-item.ts';
import { checkConstraints, type Held } from '../../store/constraints/check-constraints.ts';
import { answerParts } from '../../store/idempotency/answers.ts';
import { itemsOf } from '../../store/items/items.ts';
import { afterReplacement } from '../../store/write/replacement.ts';
import { MAXIMUM_PARTS, transact } from '../../store/write/transaction.ts';
import { itemsPerStep } from '../running/advance.ts';
import { bound, discardBound, partsOf, type Replaced } from './bound.ts';
import { notInList, otherParent } from './element-problems.ts';
import { refusedAll, tooMany } from './refused-all.ts';
import type { ItemRules, Within } from './rules.ts';
import { type Failure, runSteps } from './steps.ts';

interface Refused {
  readonly kind: 'refused';
  readonly problem: Problem;
}

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
  rules: ItemRules,
  input: ElementsCall,
  { within, location }: { within: Within; location: string },
): Promise<Outcome> {
  const { elements, work, lenient, maximum } = input;
  if (maximum !== undefined && elements.length > maximum) return tooMany(elements.length, maximum, 'changed');
  const prepare = preparing(resource, rules, within, input);
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
  const limit = itemsPerStep(resource);
  return runSteps(work, { ...work.checkpoint, total: elements.length }, async ({ cursor = '0' }) => {
    const at = Number(cursor);
    const chunk = elements.slice(at, at + limit);
    if (chunk.length === 0) return undefined;
    const fit = fitting(await concurrently(CONCURRENCY.items, chunk, prepare));
    const { prepared, parts: others } = await constrained(resource, fit);
    const changed = await bound(resource, replacedOf(prepared), input);
    const failures = prepared.flatMap((one, n): Failure[] => {
      const sent = chunk[n] as SentItem;
      const href = sent.id === undefined ? location : `/${resource.name}/${sent.id}`;
      return one.kind === 'refused'
        ? [{ href, problem: problemOfElement({ ...sent, problem: one.problem }) }]
        : [];
    });
    const parts = [...partsOf(resource, changed, input), ...others];
    return { parts, done: changed.length, failures, cursor: String(at + prepared.length) };
  });
}

/** The refusal of a replacement; undefined if nothing prevents it. @throws Unavailable if DynamoDB does not respond */
export const replacementFaults = (
  resource: Resource,
  rules: ItemRules,
  input: ElementsCall,
  within: Within,
): Promise<Outcome | undefined> =>
  refusedOf(resource, input.elements, preparing(resource, rules, within, input));

async function whole(
  resource: Resource,
  input: ElementsCall,
  prepare: (sent: SentItem) => Promise<Prepared>,
  location: string,
): Promise<Outcome> {
  const { elements } = input;
  for await (const _ of attempts(RETRIES.bulk)) {
    const all = await concurrently(CONCURRENCY.items, elements, prepare);
    const { prepared, parts: others } = await constrained(resource, all);
    const refused = refusalsOf(elements, prepared);
    if (refused.length > 0) return refusedAll(refused);
    if (fitting(prepared).length < prepared.length) return { kind: 'mustDefer' };
    const changed = await bound(resource, replacedOf(prepared), input);
    const outcome: Outcome = {
      kind: 'several',
      location,
      results: changed.map(({ after }) => ({
        kind: 'replaced',
        location: `/${resource.name}/${after.id}`,
        item: after,
      })),
    };
    const answers = await answerParts(input, outcome);
    const parts = partsOf(resource, changed, input);
    const size = parts.length + others.length + answers.length;
    if (size > MAXIMUM_PARTS) {
      await discardBound(resource, changed);
      return { kind: 'mustDefer' };
    }
    // An empty list changes nothing, and DynamoDB refuses an empty transaction.
    const failed = size > 0 ? await transact([...parts, ...others, ...answers]) : undefined;
    if (!failed) return outcome;
    await discardBound(resource, changed);
    if (failed.index >= parts.length) return stale;
    // Another writer changed an item. Prepare the replacements again from the current items.
  }
  throw new Unavailable(new Error('Conflicts with other writers of the items did not end'));
}

/** Bytes of the items of a transaction, each at its larger size of before and after. DynamoDB accepts 4 MB. */
const MAXIMUM_BYTES = 3_500_000;

const sizeOf = ({ values }: Item): number => Buffer.byteLength(JSON.stringify(values));

/**
 * The first items that fit into one transaction, and at least one.
 *
 * Source: Amazon DynamoDB API Reference, TransactWriteItems.
 */
function fitting(prepared: readonly Prepared[]): readonly Prepared[] {
  let room = MAXIMUM_BYTES;
  const end = prepared.findIndex((one) => {
    room -= one.kind === 'prepared' ? Math.max(sizeOf(one.before), sizeOf(one.after)) : 0;
    return room < 0;
  });
  return end < 0 ? prepared : prepared.slice(0, Math.max(end, 1));
}

/**
 * Reads an item and computes its replacement. A missing item is a conflict of the whole request. In a lenient request,
 * the missing item alone gets `not-found`. Source: Specification 9.2 and 9.4.
 */
function preparing(
  resource: Resource,
  { complete: completion }: ItemRules,
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
    const named = within && values[within.field];
    if (within && named !== undefined && named !== within.value)
      return refusal(otherParent(within, description.singular, within.value));
    const own = fieldLimits ? fieldLimits.completed(before, { values, binaries }) : complete(values);
    if (own.kind === 'refused') return own;
    const completed = completion ? await completion(own.values) : own;
    if (completed.kind === 'refused') return completed;
    const after = afterReplacement(description, before, completed.values, { now, caller });
    return { kind: 'prepared', before, after, binaries };
  };
}

/** An item of unknown stored form fails alone. */
function unknownForm(error: unknown): 'unknown-form' {
  if (error instanceof UnreadableItem) return 'unknown-form';
  throw error;
}

/** The items that the constraints of the resource allow, and what they add to the transaction. */
async function constrained(
  resource: Resource,
  all: readonly Prepared[],
): Promise<Pick<Held, 'parts'> & { readonly prepared: readonly Prepared[] }> {
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

const refusalsOf = (elements: readonly SentItem[], prepared: readonly Prepared[]) =>
  prepared.flatMap((one, at) =>
    one.kind === 'refused' ? [{ problem: one.problem, sent: elements[at] as SentItem }] : [],
  );

async function refusedOf(
  resource: Resource,
  elements: readonly SentItem[],
  prepare: (sent: SentItem) => Promise<Prepared>,
): Promise<Outcome | undefined> {
  const all = await concurrently(CONCURRENCY.items, elements, prepare);
  const refused = refusalsOf(elements, (await constrained(resource, all)).prepared);
  return refused.length > 0 ? refusedAll(refused) : undefined;
}

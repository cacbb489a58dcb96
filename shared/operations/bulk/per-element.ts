import { CONCURRENCY, mapConcurrently } from '../../concurrency/map-concurrently.ts';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { type Problem, problem, Unavailable } from '../../http/problem.ts';
import { CREATED } from '../../http/response.ts';
import type {
  Call,
  CreateCall,
  ElementsCall,
  IdempotentRequest,
  ItemCall,
} from '../../resource/actions/action.ts';
import { complete, missing, type Outcome, type Result } from '../../resource/actions/outcome.ts';
import { problemOfState } from '../../resource/process.ts';
import type { Resource } from '../../resource/resource.ts';
import { problemOfElement, type SentItem } from '../../resource/sent.ts';
import { StoreRefusal } from '../../resource/store-refusal.ts';
import { recordedAnswerOf } from '../../store/idempotency/answers.ts';
import { withIdempotencyLock } from '../../store/idempotency/lock.ts';
import { itemsOf } from '../../store/items/items.ts';
import { notInList } from './problems.ts';

/** The action for one element. `target`: the item that it replaces; undefined: the element is a new item. */
export type ElementAction = (
  one: CreateCall,
  target: Pick<ItemCall, 'id' | 'expected' | 'current'> | undefined,
) => Promise<Outcome> | Outcome;

/**
 * Runs a single action for each element and returns one result for each. The failure of an element does not affect the
 * others.
 *
 * Source: Specification 9.4.
 *
 * @throws Unavailable if every element failed because an engine did not respond
 */
export function actPerElement(
  resource: Resource,
  input: ElementsCall,
  location: string,
  single: ElementAction,
): Promise<Outcome> {
  return withIdempotencyLock(input, async () => {
    const { elements } = input;
    const numbered = elements.map((sent, at) => ({
      sent,
      idempotency: input.idempotency && idempotencyOf(input.idempotency, at),
    }));
    const results = await mapConcurrently(CONCURRENCY.items, numbered, ({ sent, idempotency }) =>
      resultOf(resource, { ...input, idempotency }, sent, single, location),
    );
    const isDown = (one: Result) => one.kind === 'refused' && one.problem.name === 'unavailable';
    if (results.length > 0 && results.every(isDown))
      throw new Unavailable(new Error('None of the items could be written'));
    return { kind: 'several', results, location, perElement: true };
  });
}

async function resultOf(
  resource: Resource,
  input: ElementsCall,
  sent: SentItem,
  single: ElementAction,
  list: string,
): Promise<Result> {
  const { id, values, binaries, problem: wrong } = sent;
  const location = id === undefined ? list : `/${resource.name}/${id}`;
  const refused = (stated: Problem): Result => ({
    kind: 'refused',
    location,
    problem: problemOfElement({ ...sent, problem: stated }),
  });
  if (wrong) return refused(wrong);
  const { caller, now, idempotency, work, fieldLimits } = input;
  const one: CreateCall = { caller, now, idempotency, work, values, binaries };
  try {
    for await (const _ of attempts(RETRIES.element)) {
      const before = await resultBefore(resource, input);
      if (before) return before;
      const outcome = await limited(resource, one, sent, fieldLimits, single);
      if ((outcome.kind === 'created' || outcome.kind === 'replaced') && outcome.state.kind === 'item')
        return { kind: outcome.kind, location: outcome.location, item: outcome.state.item };
      if (outcome.kind === 'missing')
        return refused(
          id === undefined ? parentRemoved(outcome.detail) : notInList(resource, sent, { isLenient: true }),
        );
      if (outcome.kind === 'refused') return refused(outcome.problem);
    }
  } catch (error) {
    if (error instanceof StoreRefusal) return refused(error.problem);
    if (!(error instanceof Unavailable)) throw error;
  }
  return refused(problem('unavailable', 'The service may not have written this element. Send it again'));
}

/** The problem of a new item whose parent another request has removed. `detail`: a sentence that names the parent. */
const parentRemoved = (detail = 'Another request has removed the parent of this list'): Problem =>
  problem('not-found', `${detail}. Leave this element out`);

/**
 * Runs the action. A caller who cannot see or set all fields keeps their values in an item that it replaces. An item with
 * another state than the element stays.
 */
async function limited(
  resource: Resource,
  one: CreateCall,
  { id, state }: SentItem,
  fieldLimits: ElementsCall['fieldLimits'],
  single: ElementAction,
): Promise<Outcome> {
  if (id === undefined) return single(one, undefined);
  if (!fieldLimits && state === undefined) return single(one, { id });
  const current = await itemsOf(resource, one.caller).get(id);
  if (!current) return missing();
  const other = problemOfState(resource.process, state, current);
  if (other) return { kind: 'refused', problem: other };
  const kept = fieldLimits?.completed(current, one) ?? complete(one.values);
  if (kept.kind === 'refused') return kept;
  const expected = { kind: 'version', version: current.version } as const;
  return single({ ...one, values: kept.values }, { id, current, expected });
}

/** Gives an element its own idempotency key. After a crash, a repeated request skips elements that succeeded. */
const idempotencyOf = (whole: IdempotentRequest, at: number): IdempotentRequest => ({
  ...whole,
  id: `${whole.id}:${at}`,
  answer: async (outcome) => {
    const headers: Record<string, string> =
      outcome.kind === 'created' || outcome.kind === 'replaced' ? { Location: outcome.location } : {};
    // The service never sends this answer. It records the path of the item and whether the item is new.
    return { status: CREATED, headers, body: outcome.kind };
  },
});

/** Returns the result of an element in an earlier attempt of the request; undefined if it has none. */
async function resultBefore(
  resource: Resource,
  { caller, idempotency, now }: Call,
): Promise<Result | undefined> {
  const before = idempotency && (await recordedAnswerOf(idempotency, now));
  if (before?.kind !== 'answered' || !before.answer) return undefined;
  const { headers, body } = before.answer;
  const location = headers.Location ?? '';
  const item = await itemsOf(resource, caller).get(Number(location.split('/').at(-1)));
  if (item) return { kind: body === 'created' ? 'created' : 'replaced', location, item };
  return {
    kind: 'refused',
    location,
    problem: problem(
      'not-found',
      `The service wrote ${location}, and another request has removed it since. Leave this element out`,
    ),
  };
}

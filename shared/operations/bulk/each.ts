import { CONCURRENCY, concurrently } from '../../concurrency/concurrently.ts';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { CREATED } from '../../http/created-location.ts';
import { type Problem, problem } from '../../http/problem.ts';
import { Unavailable } from '../../http/unavailable.ts';
import type { Action, ActionInput, IdempotentRequest } from '../../resource/actions/action.ts';
import { problemOfElement } from '../../resource/actions/element-problem.ts';
import { missing, type Outcome, type Result } from '../../resource/actions/outcome.ts';
import type { SentItem } from '../../resource/actions/sent.ts';
import type { Resource } from '../../resource/resource.ts';
import { UnreadableItem, unreadableItem } from '../../resource/unreadable-item.ts';
import { recordedAnswerOf } from '../../store/idempotency/answers.ts';
import { withIdempotencyLock } from '../../store/idempotency/lock.ts';
import { itemsOf } from '../../store/items/items.ts';
import { notInList } from './element-problems.ts';

/**
 * Runs a single action for each element and returns one result for each. The failure of an element does not affect the
 * others.
 *
 * Source: Specification 9.4.
 *
 * @throws Unavailable if every element failed because an engine did not respond
 */
export function each(
  resource: Resource,
  input: ActionInput,
  location: string,
  single: Action,
): Promise<Outcome> {
  return withIdempotencyLock(input, async () => {
    const { elements = [] } = input;
    const numbered = elements.map((sent, at) => ({
      sent,
      idempotency: input.idempotency && idempotencyOf(input.idempotency, at),
    }));
    const results = await concurrently(CONCURRENCY.items, numbered, ({ sent, idempotency }) =>
      resultOf(resource, { ...input, idempotency }, sent, single, location),
    );
    const isDown = (one: Result) => one.kind === 'refused' && one.problem.name === 'unavailable';
    if (results.length > 0 && results.every(isDown))
      throw new Unavailable(new Error('None of the items could be written'));
    return { kind: 'several', results, location, each: true };
  });
}

async function resultOf(
  resource: Resource,
  input: ActionInput,
  sent: SentItem,
  single: Action,
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
  const one = {
    ...input,
    id: id ?? input.id,
    values,
    binaries,
    elements: undefined,
    expected: undefined,
    current: undefined,
  };
  try {
    for await (const _ of attempts(RETRIES.element)) {
      const before = await resultBefore(resource, input);
      if (before) return before;
      const outcome = await limited(resource, one, sent, single);
      if ((outcome.kind === 'created' || outcome.kind === 'replaced') && outcome.state.kind === 'item')
        return { kind: outcome.kind, location: outcome.location, item: outcome.state.item };
      if (outcome.kind === 'missing')
        return refused(
          id === undefined ? parentRemoved(outcome.detail) : notInList(resource, sent, { isLenient: true }),
        );
      if (outcome.kind === 'refused') return refused(outcome.problem);
    }
  } catch (error) {
    if (error instanceof UnreadableItem) return refused(unreadableItem());
    if (!(error instanceof Unavailable)) throw error;
  }
  return refused(problem('unavailable', 'The service may not have written this element. Send it again'));
}

/** The problem of a new item whose parent another request has removed. `detail`: a sentence that names the parent. */
const parentRemoved = (detail = 'Another request has removed the parent of this list'): Problem =>
  problem('not-found', `${detail}. Leave this element out`);

/**
 * Runs the action. A caller who cannot see or set all fields keeps their values in an item that it replaces.
 */
async function limited(
  resource: Resource,
  one: ActionInput,
  { id, values, binaries }: SentItem,
  single: Action,
): Promise<Outcome> {
  if (!one.fieldLimits || id === undefined) return single(one);
  const current = await itemsOf(resource, one.caller).get(id);
  if (!current) return missing();
  const kept = one.fieldLimits.completed(current, { values, binaries });
  if (kept.kind === 'refused') return kept;
  const expected = { kind: 'version', version: current.version } as const;
  return single({ ...one, values: kept.values, current, expected });
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

/** The result of an element in an earlier attempt of the request; undefined if it has none. */
async function resultBefore(
  resource: Resource,
  { caller, idempotency, now }: ActionInput,
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

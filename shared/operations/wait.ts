import { config } from '../aws/config.ts';
import type { ProblemName } from '../http/problem.ts';
import type { JsonObject } from '../json/value.ts';
import type { Action } from '../resource/action.ts';
import type { Item } from '../resource/item.ts';
import { type Outcome, refused } from '../resource/outcome.ts';
import { recordedAnswerOf, replaceAnswer } from '../store/idempotency/answers.ts';
import { accepted } from './accepted.ts';
import { isFinal } from './fields.ts';
import { idempotencyOf } from './idempotency.ts';
import { awaitsClient, pathOf } from './operations.ts';
import { attributesOf, itemOf } from './record.ts';

/** Milliseconds between two looks at a record, at first and at most. */
const FIRST_LOOK = 20;
const LAST_LOOK = 500;

/**
 * Looks at an operation until it has ended, as long as the client would wait and may. The service does not wait for others'
 * operations, since the time would show that there is one, nor for operations that wait for their client.
 *
 * Answers the item as it was last seen; undefined when there is none of their own.
 */
export async function poll(
  id: number,
  patience: number,
  isOwn: (item: Item) => boolean = () => true,
): Promise<Item | undefined> {
  const until = performance.now() + Math.min(patience, config.maximumWait());
  for (let pause = FIRST_LOOK; ; pause = Math.min(pause * 2, LAST_LOOK)) {
    const attributes = await attributesOf(id);
    const item = attributes && itemOf(attributes);
    const left = until - performance.now();
    if (!item || !isOwn(item)) return undefined;
    if (isFinal(item) || awaitsClient(item) || left <= 0) return item;
    await new Promise((later) => setTimeout(later, Math.min(pause, left)));
  }
}

/**
 * The action that waits for an operation that was just begun; what has ended in time is answered as if it had been no
 * operation, and so is a repeat of a keyed request.
 */
export const waitForEnd: Action = async ({ outcome, once, patience = 0, now }) => {
  if (outcome?.kind !== 'accepted') throw new Error('There is nothing to wait for');
  const id = outcome.item.id as number;
  const item = await poll(id, patience);
  if (!item || !isFinal(item)) return { ...outcome, ...(item ? accepted(item) : {}) };
  const end = await endOf(item, now);
  if (once) {
    const { done = 0 } = (item.values.progress ?? {}) as { done?: number };
    // What failed without a trace may be sent again. What is kept already is right as well: that it is being done.
    if (end.kind === 'refused' && done > 0) return end;
    const answer =
      end.kind === 'answered' ? end.answer : end.kind === 'refused' ? undefined : await once.answer(end);
    await replaceAnswer(once, answer, now).catch(() => undefined);
  }
  return end;
};

/** What the request would have been answered with. What was divided has no answer of its own: the operation tells. */
async function endOf(item: Item, now: number): Promise<Outcome> {
  const { status } = item.values;
  if (status === 'Failed') return failure(item);
  if (status === 'Succeeded') {
    const before = await recordedAnswerOf(idempotencyOf(item.id as number), now);
    if (before.kind === 'answered' && before.answer) return before;
  }
  return accepted(item);
}

/** The operation itself; what it created is read elsewhere. */
export const found = (item: Item): Outcome => ({
  kind: 'found',
  state: { kind: 'item', item },
  location: pathOf(item.id),
  seeOther: item.internal.location === undefined ? undefined : String(item.internal.location),
  retryAfter: isFinal(item) ? undefined : 1,
  ...(awaitsClient(item) ? { unwaited: true } : {}),
});

/** The problem that the request would have been answered with. */
function failure({ values }: Item): Outcome {
  const {
    type,
    title: _title,
    status: _status,
    detail,
    instance: _instance,
    requestId: _id,
    errors,
    ...members
  } = values.error as JsonObject;
  const name = String(type).split('/').at(-1) as ProblemName;
  return refused(name, String(detail), { errors: errors as never, members });
}

import { config } from '../../aws/config.ts';
import { sleep } from '../../concurrency/retry.ts';
import type { Fault, ProblemName } from '../../http/problem.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Caller } from '../../resource/access/owner.ts';
import type { Deferral } from '../../resource/actions/capabilities.ts';
import { type Outcome, refused } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import { recordedAnswerOf, replaceAnswer } from '../../store/idempotency/answers.ts';
import { waitInPlace } from '../../store/idempotency/waiting-places.ts';
import { isFinal } from '../record/fields.ts';
import { acceptedOutcome, awaitsClient } from '../record/operations.ts';
import { attributesOf, itemOf } from '../record/record.ts';
import { idempotencyOf } from '../running/finish.ts';

/** Milliseconds between two reads of a record: the first pause and the longest one. */
const FIRST_LOOK = 20;
const LAST_LOOK = 500;

/** The item of the last read. `waited`: false if the service did not wait, because it had no place for that. */
export interface PolledOperation {
  readonly item: Item;
  readonly waited: boolean;
}

/**
 * Reads an operation until it has ended, or for `waitMs` ms at most. The configuration limits `waitMs`. The
 * service does not wait for operations of other callers, because the delay would reveal that they exist. It does not
 * wait for operations that wait for their client either. Returns undefined if the caller has no such operation.
 *
 * Source: Specification 7.4.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function pollOperation(
  id: number,
  { caller, waitMs }: { readonly caller: Caller; readonly waitMs: number },
  isOwn: (item: Item) => boolean = () => true,
): Promise<PolledOperation | undefined> {
  const read = async (): Promise<Item | undefined> => {
    const attributes = await attributesOf(id);
    const item = attributes && itemOf(attributes);
    return item && isOwn(item) ? item : undefined;
  };
  const ends = (item: Item) => isFinal(item) || awaitsClient(item);
  const first = await read();
  if (!first || ends(first) || waitMs <= 0) return first && { item: first, waited: true };
  const most = Math.min(waitMs, config.maximumWait());
  const until = performance.now() + most;
  const after = await waitInPlace(caller.subject, most, async () => {
    for (let pause = FIRST_LOOK; ; pause = Math.min(pause * 2, LAST_LOOK)) {
      await sleep(Math.min(pause, until - performance.now()));
      const item = await read();
      if (!item || ends(item) || performance.now() >= until) return { item };
    }
  });
  if (!after) return { item: first, waited: false };
  return after.item && { item: after.item, waited: true };
}

/**
 * Waits for the end of a new operation. Returns undefined at once if there is no place to wait. If the operation ends in
 * time, the client gets the response of a request without deferral. A replay of the request gets the same response.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export const waitForEnd: Deferral['waitForEnd'] = async (input, operation) => {
  const { caller, idempotency, waitMs = 0, now } = input;
  const polled = await pollOperation(operation.item.id as number, { caller, waitMs });
  if (polled?.waited === false) return undefined;
  const { item } = polled ?? {};
  if (!item || !isFinal(item)) return { ...operation, ...(item ? acceptedOutcome(item) : {}) };
  const end = await endOf(item, now);
  if (idempotency) {
    const { done = 0 } = (item.values.progress ?? {}) as { done?: number };
    // If nothing was changed, free the key so that the client can retry. Otherwise the recorded 202 stays.
    if (end.kind === 'refused' && done > 0) return end;
    const answer =
      end.kind === 'answered'
        ? end.answer
        : end.kind === 'refused'
          ? undefined
          : await idempotency.answer(end);
    await replaceAnswer(idempotency, answer, now).catch(() => undefined);
  }
  return end;
};

/** The outcome without deferral. Work in several steps has no recorded answer, so the outcome is the operation. */
async function endOf(item: Item, now: number): Promise<Outcome> {
  const { status } = item.values;
  if (status === 'Failed') return failure(item);
  if (status === 'Succeeded') {
    const before = await recordedAnswerOf(idempotencyOf(item.id as number), now);
    if (before.kind === 'answered' && before.answer) return before;
  }
  return acceptedOutcome(item);
}

/** Returns the errors of a stored problem; undefined if it has none. */
const errorsOf = (errors: JsonValue | undefined): Fault[] | undefined =>
  Array.isArray(errors) ? errors.filter(isObject).map(faultOf) : undefined;

/** Returns one error of a stored problem. */
function faultOf({ pointer, parameter, header, detail }: JsonObject): Fault {
  return {
    ...(typeof pointer === 'string' ? { pointer } : {}),
    ...(typeof parameter === 'string' ? { parameter } : {}),
    ...(typeof header === 'string' ? { header } : {}),
    detail: String(detail),
  };
}

/** Returns the problem that the request would have got without deferral. */
function failure({ values, internal: { scopes } }: Item): Outcome {
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
  return refused(name, String(detail), {
    errors: errorsOf(errors),
    members,
    ...(scopes === undefined ? {} : { scopes: String(scopes).split(' ') }),
  });
}

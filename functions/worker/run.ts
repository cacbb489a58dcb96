import { files } from '../../service/files.ts';
import { registry } from '../../service/registry.ts';
import { sendOperation } from '../../shared/aws/clients/queue.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { config } from '../../shared/aws/config.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import { faultOf, log, operationAtWork, trace } from '../../shared/aws/log.ts';
import { type Performed, perform } from '../../shared/flow/perform.ts';
import { problem, Unavailable } from '../../shared/http/problem.ts';
import { type Request, restoredRequest, type StoredRequest } from '../../shared/http/request.ts';
import type { Times } from '../../shared/lambda/retried.ts';
import { handlerOf } from '../../shared/operations/record/fields.ts';
import { getInput, removeInput } from '../../shared/operations/record/long-inputs.ts';
import { redeliveryDelay } from '../../shared/operations/record/record.ts';
import {
  abandon,
  type End,
  failureWith,
  finish,
  type Holder,
  idempotencyOf,
  recordedEnd,
  successOf,
} from '../../shared/operations/running/finish.ts';
import { DENIED } from '../../shared/resource/access/access.ts';
import type { Work } from '../../shared/resource/actions/work.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { StoreRefusal } from '../../shared/resource/store-refusal.ts';
import { recordedAnswerOf } from '../../shared/store/idempotency/answers.ts';
import { isDenied } from '../../shared/store/idempotency/denied-subjects.ts';
import { performBackfill } from './backfill/operation.ts';
import { type Claimed, claim, release, renew } from './claim.ts';
import { endOfUpload } from './uploads.ts';

/** Consecutive crashed runs after which the worker abandons an operation: the next run would crash too. */
const CRASHED_RUNS = 5;
/** Renewals of a lease in its duration. */
const RENEWALS_PER_LEASE = 3;

/**
 * Runs an operation from its last checkpoint. A second run and a crash at any line are harmless. The lease keeps other
 * workers away, each write moves the checkpoint, and an idempotency record prevents a second effect.
 *
 * @throws Unavailable when an engine does not respond; the worker has released the lease
 */
export async function run(operationId: number, { deadline, again }: Times): Promise<void> {
  const claimed = await claim(operationId, deadline);
  if (!claimed) return;
  // For the rest of this run alone: the batch continues without it.
  trace.enterWith(claimed.origin.traceparent);
  const { work, canceled, crashes, input } = claimed;
  const holder: Holder = { kind: 'lease', lease: work.lease };
  const beat = setInterval(() => renew(work).catch(() => undefined), config.leaseTime() / RENEWALS_PER_LEASE);
  try {
    const store = handlerOf(claimed.item) === 'upload' ? files : undefined;
    const isAbandoned = !store && (crashes >= CRASHED_RUNS || (canceled && !(await isBegun(claimed))));
    const end = store
      ? await endOfUpload(store, claimed, crashes < CRASHED_RUNS ? deadline : undefined)
      : isAbandoned
        ? undefined
        : await endOf(claimed);
    if (!isAbandoned && !end) return;
    const isEnded = await (end ? finish(operationId, end, holder) : abandon(claimed, holder));
    // Another worker that took over still needs the input. S3 expires an input that stays.
    if (isEnded && input === undefined) await removeInput(operationId).catch(() => undefined);
  } catch (error) {
    await release(work, again + redeliveryDelay()).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(beat);
  }
}

/** True if an earlier run started an effect outside DynamoDB. Such an operation completes despite its cancellation. */
async function isBegun({ id }: Claimed): Promise<boolean> {
  const before = await recordedAnswerOf(idempotencyOf(id), currentTime());
  return before.kind === 'answered' && !before.answer;
}

/** Performs the request and returns the end of the operation; undefined if this run does not end it. */
async function endOf(claimed: Claimed): Promise<End | undefined> {
  const { id, item, origin, work, input } = claimed;
  const now = currentTime();
  const stored = input ?? (await orUnavailable(getInput(id)));
  let performed: Performed;
  try {
    performed = await (handlerOf(item) === 'backfill'
      ? performBackfill(stored, work)
      : performRequest(id, stored, work, now));
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    const { requestId } = origin;
    log('error', { requestId, operationId: id, ...faultOf(error) });
    const stated =
      error instanceof StoreRefusal
        ? error.problem
        : problem('internal', `Tell the operators this number: ${requestId}`);
    return (await recordedEnd(id, origin, now)) ?? failureWith(stated, origin);
  }
  switch (performed.kind) {
    case 'refused':
      return failureWith(performed.problem, origin);
    case 'answered':
      return successOf(performed.response, origin, performed.checkpoint, performed.report);
    case 'interrupted':
      if (performed.by === 'cancellation') return { status: 'Canceled' };
      if (performed.by === 'time') await continueLater(claimed);
      return undefined;
  }
}

/** Performs a request, unless operators have denied its caller access since then, and it has had no effect yet. */
async function performRequest(id: number, stored: string, work: Work, now: number): Promise<Performed> {
  const request = restoredRequest(JSON.parse(stored) as StoredRequest, now);
  if (await orUnavailable(isDenied(request.principal?.subject))) {
    const recorded = await recordedAnswerOf(idempotencyOf(id), now);
    if (recorded.kind !== 'answered') return { kind: 'refused', problem: problem('forbidden', DENIED) };
  }
  return operationAtWork.run({ operation: id, isUndo: false }, () =>
    perform(resourceOf(request), request, { work, keyed: idempotencyOf(id, now) }),
  );
}

/** Leaves the remaining work to another run. If the message is not sent, the sweeper sends it. */
async function continueLater({ id, item, work }: Claimed): Promise<void> {
  await release(work, currentTime() + redeliveryDelay());
  await orUnavailable(sendOperation(id, String(item.internal.owner)));
}

/** Returns the resource with the path of the request: each path belongs to one resource. */
function resourceOf({ template }: Request): Resource {
  const resource = registry.find(({ routes }) => routes.some(({ path }) => path === template));
  if (!resource) throw new Error(`No resource has the path ${template}`);
  return resource;
}

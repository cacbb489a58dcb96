import { config } from '../../shared/aws/config.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import { getInput, removeInput } from '../../shared/aws/inputs.ts';
import { faultOf, log } from '../../shared/aws/log.ts';
import { sendOperation } from '../../shared/aws/queue.ts';
import { type Performed, perform } from '../../shared/flow/perform.ts';
import { type KeptRequest, requestOf } from '../../shared/http/kept-request.ts';
import { problem } from '../../shared/http/problem.ts';
import { Unavailable } from '../../shared/http/unavailable.ts';
import type { Times } from '../../shared/lambda/retried.ts';
import { abandon } from '../../shared/operations/abandon.ts';
import { type Claimed, claim, release, renew } from '../../shared/operations/claim.ts';
import { type End, failed, finish, succeeded } from '../../shared/operations/finish.ts';
import { idempotencyOf, recordedEnd } from '../../shared/operations/idempotency.ts';
import { redeliveryDelay } from '../../shared/operations/overdue.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { recordedAnswerOf } from '../../shared/store/idempotency/answers.ts';
import { registry } from '../registry.ts';
import { isUpload, resumeUpload } from './uploads.ts';

/** Runs in a row that may die at an operation before it is given up: each would die as the last one did. */
const CRASHED_RUNS = 5;
/** A lease is renewed so often before it expires. */
const RENEWALS_PER_LEASE = 3;

/**
 * One run of an operation, from where the run before came to. Harmless to repeat and to be killed at any line: the lease
 * keeps others away, the checkpoint moves with what is done, and what is one effect is had once.
 *
 * @throws Unavailable when an engine does not answer: the lease was given back
 */
export async function run(operationId: number, { deadline, again }: Times): Promise<void> {
  const claimed = await claim(operationId, deadline);
  if (!claimed) return;
  const { work, canceled, deaths, input } = claimed;
  const beat = setInterval(() => renew(work).catch(() => undefined), config.leaseTime() / RENEWALS_PER_LEASE);
  try {
    if (isUpload(claimed))
      return await resumeUpload(registry, claimed, deaths < CRASHED_RUNS ? deadline : undefined);
    const isGivenUp = deaths >= CRASHED_RUNS || (canceled && !(await isBegun(claimed)));
    const end = isGivenUp ? undefined : await endOf(claimed);
    if (!isGivenUp && !end) return;
    const isEnded = await (end ? finish(operationId, end, work) : abandon(claimed, work));
    // Whoever took over needs the input; what is left of one expires by itself.
    if (isEnded && input === undefined) await removeInput(operationId).catch(() => undefined);
  } catch (error) {
    await release(work, again + redeliveryDelay()).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(beat);
  }
}

/** An effect was begun that DynamoDB cannot take into a transaction: it comes to its end, whatever the client wants by now. */
async function isBegun({ id }: Claimed): Promise<boolean> {
  const before = await recordedAnswerOf(idempotencyOf(id), Date.now());
  return before.kind === 'answered' && !before.answer;
}

/** How the operation ends; undefined when this run does not end it. */
async function endOf(claimed: Claimed): Promise<End | undefined> {
  const { id, item, origin, work, input } = claimed;
  const now = Date.now();
  const request = requestOf(JSON.parse(input ?? (await orUnavailable(getInput(id)))) as KeptRequest, now);
  let performed: Performed;
  try {
    const resource = resourceOf(String(item.values.kind));
    performed = await perform(resource, request, { work, effect: idempotencyOf(id, now) });
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    const { requestId } = origin;
    log('error', { requestId, operationId: id, ...faultOf(error) });
    const stated = problem('internal', `Tell the operators this number: ${requestId}`);
    return (await recordedEnd(id, origin, now)) ?? failed(stated, origin);
  }
  switch (performed.kind) {
    case 'refused':
      return failed(performed.problem, origin);
    case 'answered':
      return succeeded(performed.response, origin, performed.checkpoint);
    case 'interrupted':
      if (performed.by === 'cancellation') return { status: 'Canceled' };
      if (performed.by === 'time') await goOn(claimed);
      return undefined;
  }
}

/** Leaves what is left to another run. A message that is not sent is sent by the sweeper. */
async function goOn({ id, item, work }: Claimed): Promise<void> {
  await release(work, Date.now() + redeliveryDelay());
  await orUnavailable(sendOperation(id, String(item.internal.owner)));
}

function resourceOf(kind: string): Resource {
  const resource = registry.find(({ name }) => name === kind.split('.')[0]);
  if (!resource) throw new Error(`No resource does ${kind}`);
  return resource;
}

import { reach } from '../../shared/aws/faults.ts';
import { removeInput } from '../../shared/aws/inputs.ts';
import { sendOperation } from '../../shared/aws/queue.ts';
import { givenUp } from '../../shared/files/uploads/give-up.ts';
import { type Awaiting, kindOf } from '../../shared/files/uploads/record.ts';
import { type Performed, perform } from '../../shared/flow/perform.ts';
import { requestOf } from '../../shared/http/kept-request.ts';
import { problem } from '../../shared/http/problem.ts';
import { Unavailable } from '../../shared/http/unavailable.ts';
import { type Claimed, claim, release } from '../../shared/operations/claim.ts';
import { sentWithin } from '../../shared/operations/defer.ts';
import { effectOf } from '../../shared/operations/effect.ts';
import { type End, errorOf, finish } from '../../shared/operations/finish.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { registry } from '../registry.ts';

/** What a request that was not divided amounts to. */
const ONE = { done: 1, failed: 0, failures: [] };

/**
 * One run of an operation, from where the run before came to. Harmless to repeat and to be killed at any line: the lease
 * keeps others away, the checkpoint moves with what is done, and what is one effect is had once.
 *
 * @throws Unavailable when an engine does not answer: the lease was given back
 */
export async function run(operationId: number, deadline: number): Promise<void> {
  const claimed = await claim(operationId, deadline);
  if (!claimed) return;
  try {
    const end = isWaiting(claimed) ? await endOfWaiting(claimed) : await endOfWork(claimed);
    if (!end) return;
    await finish(operationId, end, { lease: claimed.work.lease });
    // What is left of the input expires by itself.
    if (claimed.hasObject) await removeInput(operationId).catch(() => undefined);
  } catch (error) {
    await release(claimed.work, Date.now() + sentWithin()).catch(() => undefined);
    throw error;
  }
}

/** Whether it is not worked on but waited for. */
const isWaiting = ({ item }: Claimed): boolean => item.values.kind === kindOf('files');

/** How an operation ends that was cancelled or waited for in vain; undefined while there is time. */
async function endOfWaiting({ item, request, work, canceled }: Claimed): Promise<End | undefined> {
  const awaiting = request as unknown as Awaiting;
  const end = await givenUp(item, awaiting, canceled);
  if (!end) await release(work, awaiting.until);
  return end;
}

/** How the operation ends; undefined when this run does not end it. */
async function endOfWork(claimed: Claimed): Promise<End | undefined> {
  if (claimed.canceled) return { status: 'Canceled' };
  const { item, request, work } = claimed;
  const now = Date.now();
  let performed: Performed;
  try {
    const resource = resourceOf(String(item.values.kind));
    performed = await perform(resource, requestOf(request, now), {
      work,
      effect: effectOf(work.operationId, now),
    });
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    console.error(
      JSON.stringify({ level: 'error', requestId: request.requestId, error: (error as Error).stack }),
    );
    const stated = problem('internal', `Tell the operators this number: ${request.requestId}`);
    return { status: 'Failed', error: errorOf(stated, request) };
  }
  switch (performed.kind) {
    case 'refused':
      return { status: 'Failed', error: errorOf(performed.problem, request) };
    case 'answered': {
      const { status, headers } = performed.response;
      const location = status === 201 ? headers.Location?.slice(request.basePath.length) : undefined;
      return { status: 'Succeeded', answered: status, location, checkpoint: ONE };
    }
    case 'worked': {
      const { location, checkpoint } = performed;
      const answered = location === undefined ? (request.method === 'DELETE' ? 204 : 200) : 201;
      return { status: 'Succeeded', answered, location, checkpoint };
    }
    case 'interrupted':
      if (performed.by === 'cancellation') return { status: 'Canceled' };
      if (performed.by === 'time') await goOn(claimed);
      return undefined;
  }
}

/** Leaves what is left to another run. A message that is not sent is sent by the sweeper. */
async function goOn({ item, work }: Claimed): Promise<void> {
  await release(work, Date.now() + sentWithin());
  await reach(sendOperation(work.operationId, String(item.internal.owner)));
}

function resourceOf(kind: string): Resource {
  const resource = registry.find(({ name }) => name === kind.split('.')[0]);
  if (!resource) throw new Error(`No resource does ${kind}`);
  return resource;
}

import { currentTime } from '../../shared/aws/clock.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import { Objects } from '../../shared/files/objects.ts';
import { arrivedAt } from '../../shared/files/uploads/arrive.ts';
import { endOf } from '../../shared/files/uploads/end.ts';
import { abandon, removeStaged } from '../../shared/files/uploads/multipart.ts';
import { type Awaiting, FILES, isMadeOf, stagedAt } from '../../shared/files/uploads/record.ts';
import { problem } from '../../shared/http/problem.ts';
import { getInput } from '../../shared/operations/record/long-inputs.ts';
import { type End, failureWith } from '../../shared/operations/running/finish.ts';
import { settledParts, waitingFor } from '../../shared/operations/running/part-tracker.ts';
import type { Checkpoint, Work } from '../../shared/resource/actions/work.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { type Claimed, release } from './claim.ts';

/**
 * Returns the end of an upload operation that its client canceled or whose time is over. While there is time left, it
 * is undefined, and the lease is free. If time is over, the function first publishes uploads whose notification did not
 * arrive. Then it removes all other uploads. Published files stay. `deadline`: the end of this run, in ms since the
 * epoch. It is undefined if earlier runs crashed while they published late uploads; this run then leaves that out.
 *
 * @throws Unavailable when S3 or DynamoDB does not respond
 */
export async function endOfUpload(
  resource: Resource,
  { id, canceled, origin, work, input }: Claimed,
  deadline: number | undefined,
): Promise<End | undefined> {
  const { files, until } = JSON.parse(input ?? (await orUnavailable(getInput(id)))) as Awaiting;
  const end = endOf(resource.name, files, origin, work.checkpoint);
  if (end) return end;
  if (!canceled && currentTime() <= until) {
    await release(work, until);
    return undefined;
  }
  const before =
    canceled || deadline === undefined
      ? work.checkpoint
      : await afterLastLook(resource, work, files, deadline);
  // It removes the sources before it aborts the copies, so that no other run can publish a file afterwards.
  await removeStaged(id, files);
  await abandon(id, files);
  const checkpoint = await withUncounted(id, files, before);
  const late = endOf(resource.name, files, origin, checkpoint);
  if (late) return late;
  if (canceled) return { status: 'Canceled', checkpoint };
  const detail = `${checkpoint.done} of ${files.length} files arrived before the links expired`;
  return failureWith(problem('timeout', detail), origin);
}

/** Publishes each upload that arrived and that no run has counted. Returns the checkpoint after that. */
async function afterLastLook(
  resource: Resource,
  { operationId, lease, checkpoint }: Work,
  files: Awaiting['files'],
  deadline: number,
): Promise<Checkpoint> {
  const settled = settledParts(checkpoint);
  for (const at of files.keys()) {
    if (!settled.has(at))
      await arrivedAt(resource, stagedAt(operationId, at), { deadline, holder: { kind: 'lease', lease } });
  }
  const waiting = await waitingFor(operationId);
  return waiting?.checkpoint ?? checkpoint;
}

/** Counts files that another run published during the cancellation, when that run could no longer count them. */
async function withUncounted(id: number, files: Awaiting['files'], before: Checkpoint): Promise<Checkpoint> {
  const objects = new Objects(FILES);
  const settled = settledParts(before);
  let { done } = before;
  for (const [at, { name }] of files.entries()) {
    if (!settled.has(at) && isMadeOf(await objects.head(name), id, at)) done += 1;
  }
  return { ...before, done };
}

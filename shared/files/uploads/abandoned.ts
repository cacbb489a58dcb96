import { problem } from '../../http/problem.ts';
import type { Claimed } from '../../operations/claim.ts';
import { type End, failed } from '../../operations/finish.ts';
import { settledParts, waitingFor } from '../../operations/part-tracker.ts';
import type { Resource } from '../../resource/resource.ts';
import type { Checkpoint, Work } from '../../resource/work.ts';
import { Objects } from '../objects.ts';
import { arrivedAt } from './arrive.ts';
import { endOf } from './end.ts';
import { abandon, removeStaged } from './multipart.ts';
import { type Awaiting, FILES, isMadeOf, stagedAt } from './record.ts';

/**
 * How an operation ends that waits for uploads, when its client cancelled it or its time is over. When time is over, it
 * publishes first what arrived unnoticed. Then it removes the other uploads; files stay. undefined: there is time left.
 * `deadline`: when the look at S3 has to be done, in ms since the epoch; undefined: it does not look.
 *
 * @throws Unavailable when S3 or DynamoDB does not answer
 */
export async function endOfAbandonedUpload(
  resource: Resource,
  { id, canceled, origin, work }: Claimed,
  { files, until }: Awaiting,
  deadline: number | undefined,
): Promise<End | undefined> {
  const end = endOf(resource.name, files, origin, work.checkpoint);
  if (end || (!canceled && Date.now() <= until)) return end;
  const before =
    canceled || deadline === undefined
      ? work.checkpoint
      : await afterLastLook(resource, work, files, deadline);
  // First what copies are made of, then the copies: what was not made by now is not made any more.
  await removeStaged(id, files);
  await abandon(id, files);
  const checkpoint = await withUncounted(id, files, before);
  const late = endOf(resource.name, files, origin, checkpoint);
  if (late) return late;
  if (canceled) return { status: 'Canceled' };
  const detail = `${checkpoint.done} of ${files.length} files came before the links expired`;
  return failed(problem('timeout', detail), origin);
}

/** Publishes each upload that is there although no message about it was worked on. Answers the checkpoint after that. */
async function afterLastLook(
  resource: Resource,
  { operationId, lease, checkpoint }: Work,
  files: Awaiting['files'],
  deadline: number,
): Promise<Checkpoint> {
  const settled = settledParts(checkpoint);
  for (const at of files.keys()) {
    if (!settled.has(at))
      await arrivedAt(resource, stagedAt(operationId, at), { deadline, holder: { lease } });
  }
  const waiting = await waitingFor(operationId);
  return typeof waiting === 'string' ? checkpoint : waiting.checkpoint;
}

/** A file that appeared in the moment of its cancellation was not counted any more: it came too late, and is told. */
async function withUncounted(id: number, files: Awaiting['files'], before: Checkpoint): Promise<Checkpoint> {
  const objects = new Objects(FILES);
  const settled = settledParts(before);
  let { done } = before;
  for (const [at, { name }] of files.entries()) {
    if (!settled.has(at) && isMadeOf(await objects.head(name), id, at)) done += 1;
  }
  return { ...before, done };
}

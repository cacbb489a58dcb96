import { problem } from '../../http/problem.ts';
import type { Claimed } from '../../operations/claim.ts';
import { type End, failed } from '../../operations/finish.ts';
import { settledIn } from '../../operations/waiting-for.ts';
import type { Checkpoint } from '../../resource/work.ts';
import { Objects } from '../objects.ts';
import { endOf } from './end.ts';
import { abandon, removeStaged } from './multipart.ts';
import { type Awaiting, FILES, isMadeOf } from './record.ts';

/**
 * How an operation ends that waits for uploads, when it was cancelled or its time is over: what was sent and is no file
 * yet is removed, files stay. undefined: its time is not over yet.
 *
 * @throws Unavailable when S3 does not answer
 */
export async function givenUp(claimed: Claimed, { files, until }: Awaiting): Promise<End | undefined> {
  const { id, item, canceled, origin, work } = claimed;
  const collection = String(item.values.kind).split('.')[0] as string;
  const end = endOf(collection, files, origin, work.checkpoint);
  if (end || (!canceled && Date.now() <= until)) return end;
  // First what copies are made of, then the copies: what was not made by now is not made any more.
  await removeStaged(id, files);
  await abandon(id, files);
  const checkpoint = await withUncounted(id, files, work.checkpoint);
  const late = endOf(collection, files, origin, checkpoint);
  if (late) return late;
  if (canceled) return { status: 'Canceled' };
  const detail = `${checkpoint.done} of ${files.length} files came before the links expired`;
  return failed(problem('timeout', detail), origin);
}

/** A file that appeared in the moment of its cancellation was not counted any more: it came too late, and is told. */
async function withUncounted(id: number, files: Awaiting['files'], before: Checkpoint): Promise<Checkpoint> {
  const objects = new Objects(FILES);
  const settled = settledIn(before);
  let { done } = before;
  for (const [at, { name }] of files.entries()) {
    if (!settled.has(at) && isMadeOf(await objects.head(name), id, at)) done += 1;
  }
  return { ...before, done };
}

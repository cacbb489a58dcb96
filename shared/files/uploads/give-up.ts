import { problem } from '../../http/problem.ts';
import type { Claimed } from '../../operations/claim.ts';
import { type End, failed } from '../../operations/finish.ts';
import { Objects } from '../objects.ts';
import { PREFIX } from './arrive.ts';
import { endOf } from './end.ts';
import { abandon } from './multipart.ts';
import type { Awaiting } from './record.ts';

/**
 * How an operation ends that waits for uploads, when it was cancelled or its time is over: what comes in parts is given
 * up, what is there stays. undefined: its time is not over yet.
 *
 * @throws Unavailable when S3 does not answer
 */
export async function givenUp(claimed: Claimed, { files, until }: Awaiting): Promise<End | undefined> {
  const { item, canceled, origin, work } = claimed;
  const end = endOf(String(item.values.kind).split('.')[0] as string, files, origin, work.checkpoint);
  if (end || (!canceled && Date.now() <= until)) return end;
  await abandon(new Objects(PREFIX), files);
  if (canceled) return { status: 'Canceled' };
  const detail = `${work.checkpoint.done} of ${files.length} files came before the links expired`;
  return failed(problem('timeout', detail), origin);
}

import { problem } from '../../http/problem.ts';
import { type End, errorOf } from '../../operations/finish.ts';
import type { Item } from '../../resource/item.ts';
import { Objects } from '../objects.ts';
import { abandon } from './announce.ts';
import { PREFIX } from './arrive.ts';
import type { Awaiting } from './record.ts';

/**
 * Ends an operation that waits for uploads, when it was cancelled or its time is over: what comes in parts is given up,
 * what is there stays. undefined: its time is not over yet.
 *
 * @throws Unavailable when S3 does not answer
 */
export async function givenUp(item: Item, awaiting: Awaiting, canceled: boolean): Promise<End | undefined> {
  if (!canceled && Date.now() <= awaiting.until) return undefined;
  await abandon(new Objects(PREFIX), awaiting.files);
  if (canceled) return { status: 'Canceled' };
  const { done = 0 } = item.values.progress as { done?: number };
  const detail = `${done} of ${awaiting.files.length} files came before the links expired`;
  return { status: 'Failed', error: errorOf(problem('timeout', detail), awaiting.origin) };
}

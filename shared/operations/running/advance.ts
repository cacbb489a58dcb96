import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { currentTime } from '../../aws/clock.ts';
import type { Checkpoint, Interruption, Work } from '../../resource/actions/work.ts';
import type { Attributes } from '../../store/form/attribute-value.ts';
import { number, structure, text } from '../../store/form/attributes.ts';
import type { FailedPart } from '../../store/write/conflict.ts';
import { and, attributeNotExists, compare } from '../../store/write/expression.ts';
import { transact } from '../../store/write/transaction.ts';
import { type Change, CRASHES, CURSOR, changePart, FAILURES, LEASE, leaseFrom } from '../record/record.ts';

/** The parts of a step that failed, with their indexes. */
export type Failed = FailedPart['all'];

/** The result of a step. `failed`: the conditions of some parts did not hold, and nothing was written. */
export type Advance =
  | { readonly kind: 'moved' }
  | { readonly kind: 'interrupted'; readonly by: Interruption }
  | { readonly kind: 'failed'; readonly parts: Failed };

/**
 * Runs one step of an operation. One transaction writes the parts, moves the checkpoint and renews the lease.
 * `interrupted`: the run must stop. After an interruption by time, the step has had its effect.
 *
 * @throws Unavailable if DynamoDB does not respond
 * @throws OversizedWrite if the parts are too large
 */
export async function advance(
  work: Work,
  from: Checkpoint,
  to: Checkpoint,
  parts: readonly TransactWriteItem[],
): Promise<Advance> {
  const failed = await transact([{ Update: changePart(work.operationId, moving(work, from, to)) }, ...parts]);
  const { Item: found } = failed?.index === 0 ? failed.failure : {};
  const isOwn = found?.[LEASE]?.S === work.lease;
  // After a lost response the SDK retries. The retry fails, because the first attempt has moved the checkpoint.
  const isDone = !failed || (isOwn && to.cursor !== undefined && found?.[CURSOR]?.S === to.cursor);
  if (isDone) return currentTime() > work.deadline ? { kind: 'interrupted', by: 'time' } : { kind: 'moved' };
  if (failed.index === 0)
    return { kind: 'interrupted', by: isOwn && found?.status?.S !== 'Running' ? 'cancellation' : 'lease' };
  return { kind: 'failed', parts: failed.all.map(({ index, failure }) => ({ index: index - 1, failure })) };
}

function moving(work: Work, from: Checkpoint, to: Checkpoint): Change {
  const { lease } = work;
  const now = currentTime();
  const { cursor, done, failed, total, failures } = to;
  return {
    now,
    set: {
      progress: structure({ done, ...(total === undefined ? {} : { total }), failed }),
      ...(cursor === undefined ? {} : { [CURSOR]: text(cursor) }),
      ...(failures.length > 0 ? { [FAILURES]: structure(failures) } : {}),
      ...(total === undefined ? {} : forecast(work, done + failed, total, now)),
      ...leaseFrom(now),
    },
    // A run that moves the checkpoint resets the count of crashed runs.
    remove: [CRASHES],
    condition: and(
      compare(LEASE, '=', text(lease)),
      compare('status', '=', text('Running')),
      from.cursor === undefined ? attributeNotExists(CURSOR) : compare(CURSOR, '=', text(from.cursor)),
    ),
  };
}

/**
 * Returns the progress in percent, and the estimated time of completion at the rate of this run. The time between two
 * runs does not count. Source: Specification 7.16.
 */
function forecast({ startedAt, checkpoint }: Work, settled: number, total: number, now: number): Attributes {
  const percentComplete = number(total === 0 ? 100 : Math.min(99, Math.floor((settled / total) * 100)));
  const settledNow = settled - checkpoint.done - checkpoint.failed;
  if (settledNow === 0) return { percentComplete };
  const left = ((now - startedAt) / settledNow) * Math.max(total - settled, 0);
  return { percentComplete, estimatedCompletionTime: number(Math.round(now + left)) };
}

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Checkpoint, Interruption, Work } from '../resource/work.ts';
import type { Attributes } from '../store/attributes.ts';
import { transact } from '../store/transaction.ts';
import { leased } from './claim.ts';
import { type Change, CURSOR, changePart, FAILURES, number, structure, text } from './record.ts';

/** Parts that a step may have: a transaction has 100, one of which moves the checkpoint. */
export const STEP_PARTS = 99;
/** Failures that are kept with an operation; the others are counted. */
export const KEPT_FAILURES = 100;

/**
 * One step of an operation: writes its parts and moves the checkpoint behind them, or does neither. It renews the lease.
 * Answers undefined when it is done, what stops the run, or the index of the part whose condition failed.
 *
 * @throws Unavailable when DynamoDB does not answer
 */
export async function advance(
  work: Work,
  checkpoint: Checkpoint,
  parts: readonly TransactWriteItem[],
): Promise<undefined | Interruption | number> {
  const failed = await transact([
    { Update: changePart(work.operationId, moveTo(work, checkpoint)) },
    ...parts,
  ]);
  if (!failed) return Date.now() > work.deadline ? 'time' : undefined;
  if (failed.index > 0) return failed.index - 1;
  const { Item: found } = failed.failure;
  return found?._lease?.S === work.lease ? 'cancellation' : 'lease';
}

function moveTo({ lease, startedAt }: Work, { cursor, done, failed, total, failures }: Checkpoint): Change {
  const now = Date.now();
  return {
    now,
    set: {
      progress: structure({ done, ...(total === undefined ? {} : { total }), failed }),
      ...(cursor === undefined ? {} : { [CURSOR]: text(cursor) }),
      ...(failures.length > 0 ? { [FAILURES]: structure(failures.slice(0, KEPT_FAILURES)) } : {}),
      ...(total === undefined ? {} : forecast(done + failed, total, startedAt, now)),
      ...leased(now),
    },
    condition: '#_lease = :lease AND #status = :running',
    given: { lease: text(lease), running: text('Running') },
  };
}

/** How much is done in percent and, at the rate until now, when all will be. */
function forecast(settled: number, total: number, startedAt: number, now: number): Attributes {
  const percentComplete = number(total === 0 ? 100 : Math.min(99, Math.floor((settled / total) * 100)));
  if (settled === 0) return { percentComplete };
  const left = ((now - startedAt) / settled) * Math.max(total - settled, 0);
  return { percentComplete, estimatedCompletionTime: number(Math.round(now + left)) };
}

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Checkpoint, Interruption, Work } from '../resource/work.ts';
import type { Attributes } from '../store/items/attributes.ts';
import type { FailedPart } from '../store/write/conflict.ts';
import { transact } from '../store/write/transaction.ts';
import { leased } from './claim.ts';
import {
  type Change,
  CURSOR,
  changePart,
  DEATHS,
  FAILURES,
  LEASE,
  number,
  structure,
  text,
} from './record.ts';

/** Parts that a step may have: a transaction has 100, one of which moves the checkpoint. */
export const STEP_PARTS = 99;

/**
 * One step of an operation: writes its parts and moves the checkpoint behind them, or does neither. It renews the lease.
 * Answers undefined when it is done, what stops the run, or the parts whose conditions failed.
 *
 * @throws Unavailable when DynamoDB does not answer
 */
export async function advance(
  work: Work,
  from: Checkpoint,
  to: Checkpoint,
  parts: readonly TransactWriteItem[],
): Promise<undefined | Interruption | Failed> {
  const failed = await transact([{ Update: changePart(work.operationId, moving(work, from, to)) }, ...parts]);
  const { Item: found } = failed?.index === 0 ? failed.failure : {};
  const isOwn = found?.[LEASE]?.S === work.lease;
  // The step was done, and its answer lost: the client tried again, and found the checkpoint where it moved it to.
  const isDone = !failed || (isOwn && to.cursor !== undefined && found?.[CURSOR]?.S === to.cursor);
  if (isDone) return Date.now() > work.deadline ? 'time' : undefined;
  if (failed.index > 0) return failed.all.map(({ index, failure }) => ({ index: index - 1, failure }));
  return isOwn ? 'cancellation' : 'lease';
}

/** The parts that failed, by their index. */
export type Failed = FailedPart['all'];

function moving({ lease, startedAt }: Work, from: Checkpoint, to: Checkpoint): Change {
  const now = Date.now();
  const { cursor, done, failed, total, failures } = to;
  const isBegun = from.cursor !== undefined;
  return {
    now,
    set: {
      progress: structure({ done, ...(total === undefined ? {} : { total }), failed }),
      ...(cursor === undefined ? {} : { [CURSOR]: text(cursor) }),
      ...(failures.length > 0 ? { [FAILURES]: structure(failures) } : {}),
      ...(total === undefined ? {} : forecast(done + failed, total, startedAt, now)),
      ...leased(now),
    },
    // Whoever comes on is not dying at it.
    remove: [DEATHS],
    condition: `#_lease = :lease AND #status = :running AND ${isBegun ? '#_cursor = :before' : 'attribute_not_exists(#_cursor)'}`,
    given: {
      lease: text(lease),
      running: text('Running'),
      ...(isBegun ? { before: text(from.cursor as string) } : {}),
    },
  };
}

/** How much is done in percent and, at the rate until now, when all will be. */
function forecast(settled: number, total: number, startedAt: number, now: number): Attributes {
  const percentComplete = number(total === 0 ? 100 : Math.min(99, Math.floor((settled / total) * 100)));
  if (settled === 0) return { percentComplete };
  const left = ((now - startedAt) / settled) * Math.max(total - settled, 0);
  return { percentComplete, estimatedCompletionTime: number(Math.round(now + left)) };
}

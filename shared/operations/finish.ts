import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { config } from '../aws/config.ts';
import type { KeptRequest } from '../http/kept-request.ts';
import { type Problem, problem, problemDetails } from '../http/problem.ts';
import type { Asked } from '../resource/action.ts';
import type { Checkpoint } from '../resource/work.ts';
import { KEPT_TABLE } from '../store/kept.ts';
import { DUE_AT, PENDING } from '../store/table.ts';
import { transact } from '../store/transaction.ts';
import {
  CURSOR,
  change,
  changePart,
  EXPIRES,
  FAILURES,
  INPUT,
  KEPT,
  LEASE,
  LEASE_UNTIL,
  LOCATION,
  number,
  structure,
  text,
} from './record.ts';

/** How an operation ends. `location`: the path of what it created, without base path. */
export type End =
  | {
      readonly status: 'Succeeded';
      /** The status code that the request would have been answered with. */
      readonly answered: number;
      readonly location?: string;
      readonly checkpoint: Checkpoint;
    }
  | { readonly status: 'Canceled' }
  | { readonly status: 'Failed'; readonly error: Record<string, unknown> };

/** What only an operation that goes on needs. */
const PASSING = [LEASE, LEASE_UNTIL, CURSOR, FAILURES, INPUT, PENDING, DUE_AT, 'estimatedCompletionTime'];

/** The problem of a request as its operation shows it. */
export const errorOf = (
  stated: Problem,
  { basePath, path, requestId }: Pick<KeptRequest, 'basePath' | 'path' | 'requestId'>,
) => problemDetails(stated, { basePath, instance: basePath + path, requestId });

/**
 * Ends an operation, if it has not ended and the condition holds. Answers whether this call ended it.
 * @throws Unavailable when DynamoDB does not answer
 */
export async function finish(id: number, end: End, condition: { lease?: string } = {}): Promise<boolean> {
  const now = Date.now();
  const result = await change(id, {
    now,
    set: {
      status: text(end.status),
      completedAt: number(now),
      expiresAt: number(now + KEPT),
      [EXPIRES]: number(Math.ceil((now + KEPT) / 1000)),
      ...(end.status === 'Failed' ? { error: structure(end.error) } : {}),
      ...(end.status === 'Succeeded' ? success(end) : {}),
    },
    remove: PASSING,
    condition: [
      '(#status = :waiting OR #status = :running OR #status = :canceling)',
      ...(condition.lease ? ['#_lease = :lease'] : []),
    ].join(' AND '),
    given: {
      waiting: text('NotStarted'),
      running: text('Running'),
      canceling: text('Canceling'),
      ...(condition.lease ? { lease: text(condition.lease) } : {}),
    },
  });
  return typeof result === 'object' && 'after' in result;
}

function success({ answered, location, checkpoint }: Extract<End, { status: 'Succeeded' }>) {
  const { done, failed, failures } = checkpoint;
  return {
    percentComplete: number(100),
    progress: structure({ done, total: done + failed, failed }),
    result: structure({ status: answered, ...(failures.length > 0 ? { failures } : {}) }),
    ...(location === undefined ? {} : { [LOCATION]: text(location) }),
  };
}

/**
 * Fails an operation whose message could not be sent, and forgets the answer of a keyed request, so that a repeat begins
 * anew: both or neither. Answers false when the operation was begun: the message had arrived.
 *
 * @throws Unavailable when DynamoDB does not answer
 */
export async function unsent(id: number, { deferred, once }: Asked): Promise<boolean> {
  const now = Date.now();
  const stated = problem('unavailable', 'The work could not be begun: please send the request again');
  const failing = {
    now,
    set: {
      status: text('Failed'),
      completedAt: number(now),
      error: structure(errorOf(stated, deferred?.request ?? NOWHERE)),
    },
    remove: PASSING,
    condition: '#status = :waiting',
    given: { waiting: text('NotStarted') },
  };
  const forgotten = (key: string): TransactWriteItem => ({
    Delete: { TableName: config.tableName(KEPT_TABLE.name), Key: { [KEPT_TABLE.key]: text(key) } },
  });
  const failed = await transact([{ Update: changePart(id, failing) }, ...(once ? [forgotten(once.id)] : [])]);
  return !failed;
}

const NOWHERE = { basePath: '', path: '', requestId: '' };

import { currentTime } from '../../aws/clock.ts';
import { type Problem, problem, problemDetails } from '../../http/problem.ts';
import { createdLocation, type Response } from '../../http/response.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Checkpoint } from '../../resource/actions/work.ts';
import { expiry, number, structure, text } from '../../store/form/attributes.ts';
import { DUE_AT, PENDING } from '../../store/form/table.ts';
import { recordedAnswerOf } from '../../store/idempotency/answers.ts';
import { and, type Condition, compare, or } from '../../store/write/expression.ts';
import type { Status } from '../record/fields.ts';
import {
  type Change,
  CRASHES,
  CURSOR,
  change,
  EXPIRES,
  FAILURES,
  holdsLease,
  INPUT,
  LEASE,
  LEASE_UNTIL,
  LOCATION,
  noLease,
  type Origin,
  RETENTION,
  SCOPES,
} from '../record/record.ts';

/** The end of an operation. `location`: the path of the created resource, without base path. */
export type End =
  | {
      readonly status: 'Succeeded';
      /** The status code that the request would have got without deferral. */
      readonly answered: number;
      readonly location?: string;
      readonly checkpoint: Checkpoint;
      /** What its result has in addition to the status. */
      readonly report?: JsonObject | undefined;
    }
  /** `checkpoint`: what the operation has done, if its record does not say so. */
  | { readonly status: 'Canceled'; readonly checkpoint?: Checkpoint }
  | {
      readonly status: 'Failed';
      readonly error: Record<string, unknown>;
      /** The scopes that the token of the request lacked. */
      readonly scopes?: readonly string[] | undefined;
    };

/**
 * Who may end an operation. `lease`: the run with this lease. `noLease`: any caller, while no run holds a lease.
 * `notStarted`: any caller, before the first run.
 */
export type Holder =
  | { readonly kind: 'lease'; readonly lease: string }
  | { readonly kind: 'noLease' }
  | { readonly kind: 'notStarted' };
export const NO_LEASE: Holder = { kind: 'noLease' };

/** The states of an operation that has not ended. */
const ACTIVE: readonly Status[] = ['NotStarted', 'Running', 'Canceling'];
const IS_ACTIVE = or(...ACTIVE.map((status) => compare('status', '=', status)));

/** Attributes that an operation needs only until it ends. */
const PASSING = [
  LEASE,
  LEASE_UNTIL,
  CURSOR,
  FAILURES,
  INPUT,
  CRASHES,
  PENDING,
  DUE_AT,
  'estimatedCompletionTime',
];

/** Returns the end of an operation that succeeded with this response. */
export const successOf = (
  response: Pick<Response, 'status' | 'headers'>,
  { basePath }: Origin,
  checkpoint: Checkpoint,
  report?: JsonObject,
): End => ({
  status: 'Succeeded',
  answered: response.status,
  location: createdLocation(response, basePath),
  checkpoint,
  report,
});

/** The end of an operation that failed. Its problem is the one that the request would have got without deferral. */
export const failureWith = (stated: Problem, { basePath, path, requestId }: Origin): End => ({
  status: 'Failed',
  error: problemDetails(stated, { basePath, instance: basePath + path, requestId }),
  scopes: stated.scopes,
});

/**
 * Ends an operation, if it has not ended yet and `holder` may end it. Returns true if this call ended it.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function finish(id: number, end: End, holder: Holder): Promise<boolean> {
  return (await change(id, ending(end, holder))).kind === 'changed';
}

/** Returns the change that ends an operation. */
export function ending(end: End, holder: Holder): Change {
  const now = currentTime();
  return {
    now,
    set: {
      status: text(end.status),
      completedAt: number(now),
      expiresAt: number(now + RETENTION),
      [EXPIRES]: expiry(now + RETENTION),
      ...(end.status === 'Failed' ? failure(end) : {}),
      ...(end.status === 'Succeeded' ? success(end) : {}),
      ...(end.status === 'Canceled' && end.checkpoint ? { progress: progress(end.checkpoint) } : {}),
    },
    remove: PASSING,
    condition: and(IS_ACTIVE, conditionOf(holder, now)),
  };
}

function conditionOf(holder: Holder, now: number): Condition {
  if (holder.kind === 'lease') return holdsLease(holder.lease);
  return holder.kind === 'noLease' ? noLease(now) : compare('status', '=', 'NotStarted');
}

const failure = ({ error, scopes }: Extract<End, { status: 'Failed' }>) => ({
  error: structure(error),
  ...(scopes ? { [SCOPES]: text(scopes.join(' ')) } : {}),
});

const progress = ({ done, total, failed }: Pick<Checkpoint, 'done' | 'total' | 'failed'>) =>
  structure({ done, total, failed });

function success({ answered, location, checkpoint, report }: Extract<End, { status: 'Succeeded' }>) {
  const { done, failed, failures } = checkpoint;
  return {
    percentComplete: number(100),
    progress: progress({ done, total: done + failed, failed }),
    result: structure({ status: answered, ...(failures.length > 0 ? { failures } : {}), ...report }),
    ...(location === undefined ? {} : { [LOCATION]: text(location) }),
  };
}

/** The idempotency of an operation: its own identifier is the key. `now` and `expiresAt` are ms since the epoch. */
export const idempotencyOf = (id: number, now = 0) => ({
  id: `operation:${id}`,
  fingerprint: 'operation',
  expiresAt: now + RETENTION,
});

/**
 * Returns the end of an operation whose previous run had the effect and crashed before it ended the operation.
 * undefined: no run recorded an effect. `now`: ms since the epoch.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function recordedEnd(id: number, origin: Origin, now: number): Promise<End | undefined> {
  const before = await recordedAnswerOf(idempotencyOf(id), now);
  if (before.kind !== 'answered' || !before.answer) return undefined;
  const { count: done = 1 } = before.answer;
  return successOf(before.answer, origin, { done, failed: 0, failures: [] });
}

/** An operation that no worker runs any more. */
export interface Abandoned {
  readonly id: number;
  readonly origin: Origin;
  /** True if the client cancelled the operation. */
  readonly canceled: boolean;
}

/**
 * Ends an abandoned operation. If one of its runs recorded a result before it crashed, the operation succeeds.
 * Returns true if this call ended the operation.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function abandon({ id, origin, canceled }: Abandoned, holder: Holder): Promise<boolean> {
  const stated = problem(
    'unavailable',
    'The service tried several times without success. Check what was changed, then send the request again',
  );
  const otherwise: End = canceled ? { status: 'Canceled' } : failureWith(stated, origin);
  return finish(id, (await recordedEnd(id, origin, currentTime())) ?? otherwise, holder);
}

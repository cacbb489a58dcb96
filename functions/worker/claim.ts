import { randomUUID } from 'node:crypto';
import { currentTime } from '../../shared/aws/clock.ts';
import {
  attributesOf,
  CRASHES,
  change,
  checkpointOf,
  holdsLease,
  INPUT,
  itemOf,
  LEASE,
  LEASE_UNTIL,
  leaseFrom,
  noLease,
  type Origin,
  originOf,
} from '../../shared/operations/record/record.ts';
import type { Work } from '../../shared/resource/actions/work.ts';
import type { Item } from '../../shared/resource/item.ts';
import { number, text } from '../../shared/store/form/attributes.ts';
import { DUE_AT } from '../../shared/store/form/table.ts';
import { and, compare } from '../../shared/store/write/expression.ts';

/** An operation whose lease this run holds. */
export interface Claimed {
  readonly id: number;
  readonly item: Item;
  readonly origin: Origin;
  readonly work: Work;
  /** The request as JSON; undefined if it is an object in S3, which is deleted after the operation ends. */
  readonly input: string | undefined;
  /** True if the client cancelled the operation before this run took the lease. */
  readonly canceled: boolean;
  /** The number of consecutive crashed runs. */
  readonly crashes: number;
}

/**
 * Takes the lease of an operation, so that no other run works on it until the lease expires. `deadline`: ms since the
 * epoch. Returns undefined if the operation has ended or is missing, or if another run holds the lease.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function claim(id: number, deadline: number): Promise<Claimed | undefined> {
  const before = await attributesOf(id);
  const status = before?.status?.S;
  if (status !== 'NotStarted' && status !== 'Running' && status !== 'Canceling') return undefined;
  const now = currentTime();
  const lease = randomUUID();
  const crashes = Number(before?.[CRASHES]?.N ?? 0) + (before?.[LEASE_UNTIL] ? 1 : 0);
  const result = await change(id, {
    now,
    set: {
      status: text(status === 'NotStarted' ? 'Running' : status),
      startedAt: before?.startedAt ?? number(now),
      [CRASHES]: number(crashes),
      [LEASE]: text(lease),
      ...leaseFrom(now),
    },
    condition: and(compare('status', '=', text(status)), noLease(now)),
  });
  if (result.kind === 'missing') return undefined;
  const { attributes: after } = result;
  // The SDK may have retried after a lost response. The lease shows whether the first attempt succeeded.
  if (after[LEASE]?.S !== lease) return undefined;
  const item = itemOf(after);
  const origin = originOf(after, id);
  return {
    id,
    item,
    origin,
    input: after[INPUT]?.S,
    canceled: status === 'Canceling',
    crashes,
    work: {
      operationId: id,
      lease,
      acceptedAt: item.createdAt,
      startedAt: now,
      deadline,
      basePath: origin.basePath,
      requestId: origin.requestId,
      checkpoint: checkpointOf(after),
    },
  };
}

/** Renews the lease if this run still holds it, for work that moves no checkpoint. @throws Unavailable */
export async function renew({ operationId, lease }: Work): Promise<void> {
  const now = currentTime();
  await change(operationId, {
    now,
    set: leaseFrom(now),
    hidden: true,
    condition: holdsLease(lease),
  });
}

/**
 * Releases the lease, so that the next run need not wait for its expiry. `dueAt`: the time (ms since the epoch) after
 * which the sweeper sends the message again. @throws Unavailable
 */
export async function release({ operationId, lease }: Work, dueAt: number): Promise<void> {
  await change(operationId, {
    now: currentTime(),
    set: { [DUE_AT]: number(dueAt) },
    hidden: true,
    remove: [LEASE, LEASE_UNTIL],
    condition: holdsLease(lease),
  });
}

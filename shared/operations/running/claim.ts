import { randomUUID } from 'node:crypto';
import { currentTime } from '../../aws/clock.ts';
import { config } from '../../aws/config.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Checkpoint, Work } from '../../resource/actions/work.ts';
import type { Item } from '../../resource/item.ts';
import { number, text } from '../../store/items/attributes.ts';
import type { Attributes } from '../../store/items/stored-value.ts';
import { DUE_AT } from '../../store/items/table.ts';
import { and, compare } from '../../store/write/expression.ts';
import {
  attributesOf,
  CRASHES,
  CURSOR,
  change,
  FAILURES,
  holdsLease,
  INPUT,
  itemOf,
  LEASE,
  LEASE_UNTIL,
  noLease,
  type Origin,
  originOf,
} from '../record/record.ts';

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

/** The end of a lease that starts now. At the same time the operation becomes overdue for the sweeper. */
export const leaseFrom = (now: number): Attributes => ({
  [LEASE_UNTIL]: number(now + config.leaseTime()),
  [DUE_AT]: number(now + config.leaseTime()),
});

/** The checkpoint of the previous run. */
export function checkpointOf(attributes: Attributes): Checkpoint {
  const { done, total, failed } = JSON.parse(attributes.progress?.S ?? '{}') as Partial<Checkpoint>;
  return {
    cursor: attributes[CURSOR]?.S,
    done: done ?? 0,
    failed: failed ?? 0,
    total,
    failures: JSON.parse(attributes[FAILURES]?.S ?? '[]') as JsonObject[],
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

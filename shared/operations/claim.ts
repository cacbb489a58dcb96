import { randomUUID } from 'node:crypto';
import { config } from '../aws/config.ts';
import { reach } from '../aws/faults.ts';
import type { KeptRequest } from '../http/kept-request.ts';
import type { JsonObject } from '../json/value.ts';
import type { Item } from '../resource/item.ts';
import type { Checkpoint, Work } from '../resource/work.ts';
import type { Attributes } from '../store/attributes.ts';
import { DUE_AT } from '../store/table.ts';
import {
  attributesOf,
  CURSOR,
  change,
  FAILURES,
  INPUT,
  itemOf,
  LEASE,
  LEASE_UNTIL,
  number,
  text,
} from './record.ts';

/** An operation whose lease this run holds. */
export interface Claimed {
  readonly item: Item;
  readonly request: KeptRequest;
  readonly work: Work;
  /** It was cancelled while nobody held it. */
  readonly canceled: boolean;
  /** Its request is an object in S3, of no use when it has ended. */
  readonly hasObject: boolean;
}

/**
 * Takes the lease of an operation: nobody else works on it until the lease has expired.
 * undefined: it has ended, is gone, or another run holds it; there is nothing to do.
 *
 * @throws Unavailable when DynamoDB or S3 does not answer
 */
export async function claim(id: number, deadline: number): Promise<Claimed | undefined> {
  const before = await attributesOf(id);
  const status = before?.status?.S;
  if (status !== 'NotStarted' && status !== 'Running' && status !== 'Canceling') return undefined;
  const now = Date.now();
  const lease = randomUUID();
  const result = await change(id, {
    now,
    set: {
      status: text(status === 'NotStarted' ? 'Running' : status),
      startedAt: before?.startedAt ?? number(now),
      [LEASE]: text(lease),
      ...leased(now),
    },
    condition: '#status = :status AND (attribute_not_exists(#_leaseUntil) OR #_leaseUntil < :now)',
    given: { status: text(status), now: number(now) },
  });
  if (result === 'missing') return undefined;
  const after = 'after' in result ? result.after : result.found;
  // The lease may be this run's own: the answer was lost, and the client tried again.
  if (after[LEASE]?.S !== lease) return undefined;
  const item = itemOf(after);
  const input = after[INPUT]?.S ?? (await inputOf({ operationId: id, lease }));
  const request = JSON.parse(input) as KeptRequest;
  return {
    item,
    request,
    canceled: status === 'Canceling',
    hasObject: after[INPUT] === undefined,
    work: {
      operationId: id,
      lease,
      acceptedAt: item.createdAt,
      startedAt: item.values.startedAt as number,
      deadline,
      basePath: request.basePath,
      requestId: request.requestId,
      checkpoint: checkpointOf(after),
    },
  };
}

/** The request that is in S3. */
async function inputOf(held: Held): Promise<string> {
  try {
    return await reach((await import('#inputs')).getInput(held.operationId));
  } catch (error) {
    await release(held, Date.now() + config.leaseTime()).catch(() => undefined);
    throw error;
  }
}

/** The lease from now on, and when the sweeper looks after an operation whose lease was not renewed. */
export const leased = (now: number): Attributes => ({
  [LEASE_UNTIL]: number(now + config.leaseTime()),
  [DUE_AT]: number(now + config.leaseTime()),
});

/** Where the run before came to. */
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

/** An operation and the lease that a run holds of it. */
type Held = Pick<Work, 'operationId' | 'lease'>;

/** Renews the lease: what takes long is still being worked on. Without effect where another run holds it. @throws Unavailable */
export async function renew({ operationId, lease }: Held): Promise<void> {
  const now = Date.now();
  await change(operationId, {
    now,
    set: leased(now),
    condition: '#_lease = :lease',
    given: { lease: text(lease) },
  });
}

/** Gives the lease back, so that the next run need not wait for its end. @throws Unavailable */
export async function release({ operationId, lease }: Held, dueAt: number): Promise<void> {
  await change(operationId, {
    now: Date.now(),
    set: { [DUE_AT]: number(dueAt) },
    remove: [LEASE, LEASE_UNTIL],
    condition: '#_lease = :lease',
    given: { lease: text(lease) },
  });
}

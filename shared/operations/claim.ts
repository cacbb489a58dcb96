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
  if (result === 'missing' || 'found' in result) return undefined;
  const { after } = result;
  const item = itemOf(after);
  const input = after[INPUT]?.S ?? (await reach((await import('#inputs')).getInput(id)));
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

/** Gives the lease back, so that the next run need not wait for its end. @throws Unavailable */
export async function release({ operationId, lease }: Work, dueAt: number): Promise<void> {
  await change(operationId, {
    now: Date.now(),
    set: { [DUE_AT]: number(dueAt) },
    remove: [LEASE, LEASE_UNTIL],
    condition: '#_lease = :lease',
    given: { lease: text(lease) },
  });
}

import { randomInt } from 'node:crypto';
import type { JsonObject } from '../../json/value.ts';
import { type Caller, ownerOf } from '../../resource/access/owner.ts';
import { withComputed } from '../../resource/description/values.ts';
import type { Item } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';

/** 2026-01-01T00:00:00Z. From this time, 41 bits of milliseconds last until 2095. */
const EPOCH = Date.UTC(2026, 0, 1);
const RANDOM = 4096;

/**
 * Returns a new identifier: 41 bits of milliseconds, then 12 random bits. A counter would be a hot key. An existing
 * item may have the same identifier; the condition of the write detects this. Identifiers are below 2^53, and a later
 * millisecond has greater ones.
 */
export const newIdentifier = (now: number): number => (now - EPOCH) * RANDOM + randomInt(RANDOM);

/** Returns the greatest identifier that an item of this moment (ms since the epoch) or an earlier one can have. */
export const lastIdentifier = (now: number): number => (now - EPOCH + 1) * RANDOM - 1;

/** Returns the least identifier that an item of this moment (ms since the epoch) or a later one can have. */
export const firstIdentifier = (now: number): number => (now - EPOCH) * RANDOM;

/**
 * `count` different new identifiers, in ascending order. A millisecond has few of them, so some may belong to the next
 * milliseconds.
 */
export function newIdentifiers(now: number, count: number): number[] {
  const identifiers = new Set<number>();
  while (identifiers.size < count)
    identifiers.add(newIdentifier(now + Math.floor(identifiers.size / (RANDOM / 16))));
  return [...identifiers].sort((one, other) => one - other);
}

const NOTHING: Item['internal'] = {};

/**
 * Returns a new item of a caller, with the values that the service computes or sets at first. `now`: ms since the
 * epoch. `id`: undefined: a fresh one, which another item may have. The condition of the write detects that.
 */
export const newItem = (
  resource: Resource,
  caller: Caller,
  now: number,
  values: JsonObject,
  id = newIdentifier(now),
): Item => ({
  id,
  version: 1,
  createdAt: now,
  updatedAt: now,
  createdBy: caller.subject,
  updatedBy: caller.subject,
  owner: resource.owner && ownerOf(resource, caller),
  values: withComputed(descriptionOf(resource).plan, withState(resource, values)),
  internal: NOTHING,
});

/** The values with the first state of the process, if the resource states one and a custom action sets no other. */
const withState = ({ process }: Resource, values: JsonObject): JsonObject =>
  process ? { [process.field]: process.initial, ...values } : values;

import { randomInt } from 'node:crypto';

/** 2026-01-01T00:00:00Z: 41 bits of milliseconds from here last until 2095. */
const EPOCH = Date.UTC(2026, 0, 1);
const RANDOM = 4096;

/**
 * A new identifier: 41 bits of milliseconds, then 12 random bits. No counter, hence no hot key; it may be taken,
 * which the condition of the write tells. Below 2^53, ordered by time of creation.
 */
export const newIdentifier = (now: number): number => (now - EPOCH) * RANDOM + randomInt(RANDOM);

/** The shard of an item: the random bits of an integer id, a hash (FNV-1a) of a text. */
export function shardOf(id: number | string, shards: number): number {
  if (typeof id === 'number') return id % shards;
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(id)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % shards;
}

/** The greatest identifier that an item of this moment (ms since the epoch) or an earlier one can have. */
export const lastIdentifier = (now: number): number => (now - EPOCH + 1) * RANDOM - 1;

/** So many new identifiers, none twice: there are not many in a millisecond, so some may be of the next ones. */
export function newIdentifiers(now: number, count: number): number[] {
  const identifiers = new Set<number>();
  while (identifiers.size < count)
    identifiers.add(newIdentifier(now + Math.floor(identifiers.size / (RANDOM / 16))));
  return [...identifiers];
}

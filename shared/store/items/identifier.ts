import { randomInt } from 'node:crypto';

/** 2026-01-01T00:00:00Z. From this time, 41 bits of milliseconds last until 2095. */
const EPOCH = Date.UTC(2026, 0, 1);
const RANDOM = 4096;

/**
 * A new identifier: 41 bits of milliseconds, then 12 random bits. A counter would be a hot key. An existing item may
 * have the same identifier; the condition of the write detects this. Identifiers are below 2^53, and a later
 * millisecond has greater ones.
 */
export const newIdentifier = (now: number): number => (now - EPOCH) * RANDOM + randomInt(RANDOM);

/** The shard of an item. It depends on the random bits of an integer id, or on a hash (FNV-1a) of a text id. */
export function shardOf(id: number | string, shards: number): number {
  if (typeof id === 'number') return id % shards;
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(id)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % shards;
}

/** The greatest identifier that an item of this moment (ms since the epoch) or an earlier one can have. */
export const lastIdentifier = (now: number): number => (now - EPOCH + 1) * RANDOM - 1;

/** The least identifier that an item of this moment (ms since the epoch) or a later one can have. */
export const firstIdentifier = (now: number): number => (now - EPOCH) * RANDOM;

/** `count` different new identifiers. A millisecond has few of them, so some may belong to the next milliseconds. */
export function newIdentifiers(now: number, count: number): number[] {
  const identifiers = new Set<number>();
  while (identifiers.size < count)
    identifiers.add(newIdentifier(now + Math.floor(identifiers.size / (RANDOM / 16))));
  return [...identifiers];
}

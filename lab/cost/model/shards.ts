import { shareOf } from '../../../shared/store/lists/reading/partition-reader.ts';

/** The numbers of shards that docs/cost.md compares. */
export const SHARDS = [1, 4, 16, 64] as const;

/** Assumed bytes of an item in an index. */
const ITEM_BYTES = 400;

/**
 * Read units of a page of a list. Each shard takes a Query of its own, and a Query costs half a unit for each step
 * of 4 KB.
 *
 * Source: Amazon DynamoDB Developer Guide, "Read and write operations".
 */
export function pageUnits(limit: number, shards: number): number {
  const steps = Math.ceil((shareOf(limit + 1, shards) * ITEM_BYTES) / 4096);
  return (shards * steps) / 2;
}

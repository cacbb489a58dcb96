import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SHARDS } from '../../shared/aws/config.ts';

/** File in the data directory with the number of shards of its lists. */
const FILE = 'shards';
/** The embedded tables share one file on one disk, so more shards only cost more queries for each list. */
const SHARDS = 1;

/** True if the directory has no data yet. */
export const isUnused = (directory: string): boolean =>
  !existsSync(directory) || readdirSync(directory).length === 0;

/**
 * Returns the number of shards of the lists in a data directory, and records it there. The number can grow, but items
 * in the last shards would disappear from all lists if it shrank. `wasUnused`: the directory had no data before this
 * start. `wanted`: the variable SHARDS; undefined if it is not set.
 */
export function shardsOf(directory: string, wasUnused: boolean, wanted: number | undefined): number {
  const path = join(directory, FILE);
  const shards = Math.max(
    recordedShards(directory) ?? (wasUnused ? SHARDS : DEFAULT_SHARDS),
    wanted ?? SHARDS,
  );
  writeFileSync(`${path}.new`, `${shards}\n`);
  renameSync(`${path}.new`, path);
  return shards;
}

/** The number of shards that a directory records. Directories of earlier versions record none. */
export function recordedShards(directory: string): number | undefined {
  const path = join(directory, FILE);
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : undefined;
}

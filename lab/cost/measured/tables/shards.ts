import { table } from '../../../table.ts';
import { pageUnits, SHARDS } from '../../model/shards.ts';

const LIMITS = [25, 100, 1000];

/** The read units of a page for each number of shards. */
export function shardsTable(): string {
  const rows = SHARDS.map((shards) => [
    String(shards),
    String(shards),
    ...LIMITS.map((limit) => pageUnits(limit, shards).toLocaleString('en')),
  ]);
  return table(
    ['shards', 'queries of a page', ...LIMITS.map((limit) => `read units of ${limit} items`)],
    rows,
  );
}

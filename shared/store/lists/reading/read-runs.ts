import type { Description } from '../../../resource/description/description.ts';
import type { ListPosition } from '../../../resource/lists/page.ts';
import type { Table } from '../../form/table.ts';
import type { Runs } from '../plan.ts';
import { StoredFilters } from '../stored-filters.ts';
import { indexQuery } from './index-query.ts';
import { MergedReader } from './merged-reader.ts';
import { KEPT_UNITS, MAXIMUM_ROWS, PartitionReader, shareOf } from './partition-reader.ts';

/** How far to read some runs. */
export interface Extent {
  /** The rows that the caller expects to take. */
  readonly count: number;
  readonly forward?: boolean;
  readonly from?: ListPosition;
  readonly keysOnly?: boolean;
  /** The most rows to read. Without filters, there is no limit. */
  readonly rows?: number;
  /** The read units for what follows the list. */
  readonly keep?: number;
}

/** Opens a reader of the rows of some runs that pass the filters, in the order of the index. */
export function readRuns(
  table: Table,
  description: Description,
  chosen: Runs,
  { from, forward = true, keysOnly = false, count, rows, keep = KEPT_UNITS }: Extent,
): MergedReader {
  const { index, runs, rest } = chosen;
  const filters = new StoredFilters(description, rest);
  const isFiltered = rest.length > 0;
  const budget = { rows: rows ?? (isFiltered ? MAXIMUM_ROWS : Number.POSITIVE_INFINITY), keep };
  const share = shareOf(isFiltered ? Math.max(count, 100) : count, runs.length);
  const filter = filters.expression(index);
  const only = keysOnly ? [index.sort.name, table.key.name, ...filters.attributes] : undefined;
  const readers = runs.flatMap((run) => {
    const query = indexQuery(table, { index, run, from, forward, filter, only });
    return query ? [new PartitionReader(query, share, budget, (row) => filters.keeps(row))] : [];
  });
  return new MergedReader(table, chosen, readers, forward, from?.backwards === true);
}

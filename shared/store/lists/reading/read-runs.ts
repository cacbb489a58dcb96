import type { Description } from '../../../resource/description/description.ts';
import type { Position } from '../../../resource/lists/page.ts';
import type { Table } from '../../items/table.ts';
import type { Runs } from '../plan.ts';
import { StoredFilters } from '../stored-filters.ts';
import { indexQuery } from './index-query.ts';
import { MergedReader } from './merged-reader.ts';
import {
  type Budget,
  MAXIMUM_ROWS,
  MAXIMUM_UNITS,
  PartitionReader,
  shareOf,
  UNLIMITED,
} from './partition-reader.ts';

/** How far to read some runs. */
export interface Extent {
  /** The rows that the caller expects to take. */
  readonly count: number;
  readonly forward?: boolean;
  readonly from?: Position;
  readonly keysOnly?: boolean;
  readonly budget?: Budget;
}

/** Opens a reader of the rows of some runs that pass the filters, in the order of the index. */
export function readRuns(
  table: Table,
  description: Description,
  chosen: Runs,
  { from, forward = true, keysOnly = false, count, budget: wanted }: Extent,
): MergedReader {
  const { index, runs, rest } = chosen;
  const filters = new StoredFilters(description, rest);
  const isFiltered = rest.length > 0;
  const budget: Budget = {
    ...UNLIMITED,
    ...(isFiltered ? { rows: MAXIMUM_ROWS } : {}),
    ...(isFiltered || keysOnly ? { units: MAXIMUM_UNITS } : {}),
    ...wanted,
  };
  const share = shareOf(isFiltered ? Math.max(count, 100) : count, runs.length);
  const filter = filters.expression(index);
  const only = keysOnly ? [index.sort.name, table.key.name, ...filters.attributes] : undefined;
  const readers = runs.flatMap((run) => {
    const query = indexQuery(table, { index, run, from, forward, filter, only });
    return query ? [new PartitionReader(query, share, budget, (row) => filters.keeps(row))] : [];
  });
  return new MergedReader(table, chosen, readers, forward, from?.backwards === true);
}

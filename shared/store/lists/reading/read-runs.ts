import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { config } from '../../../aws/config.ts';
import type { Description } from '../../../resource/description/description.ts';
import type { ListPosition } from '../../../resource/lists/page.ts';
import type { Attributes } from '../../form/attribute-value.ts';
import { keyValue } from '../../form/attributes.ts';
import { sortKey } from '../../form/sort-key.ts';
import type { Index, Table } from '../../form/table.ts';
import { and, type Condition, compare, readExpression, within } from '../../write/expression.ts';
import type { Run, Runs } from '../plan.ts';
import { StoredFilters } from '../stored-filters.ts';
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

/** The reading of one run of an index. */
interface IndexRead {
  readonly index: Index;
  readonly run: Run;
  /** The position after which reading starts. Its item need not exist. */
  readonly from?: ListPosition;
  readonly forward: boolean;
  /** DynamoDB returns the rows that meet this. */
  readonly filter?: Condition;
  /** The attributes to return; undefined: all. */
  readonly only?: readonly string[];
}

/**
 * Returns the Query that reads one run in order. undefined: the run ends before the position.
 *
 * Source: Amazon DynamoDB API Reference, Query.
 */
function indexQuery(
  table: Table,
  { index, run, from, forward, filter, only }: IndexRead,
): QueryCommandInput | undefined {
  const { partition, low, high, value } = run;
  const { sort } = index;
  let start: Attributes | undefined;
  if (from) {
    const key = value === undefined ? from.key : sortKey(value, from.id);
    const [first, last] = forward ? [low, high] : [high, low];
    const isPast = (edge: typeof low) =>
      edge !== undefined && Buffer.compare(key, edge.key) * (forward ? 1 : -1) >= 0;
    if (isPast(last)) return undefined;
    // DynamoDB refuses a start key before the range.
    if (!first || isPast(first)) start = startKey(table, index, partition, { ...from, key });
  }
  const isOfPartition = compare(index.partition, '=', keyValue(partition));
  return {
    TableName: config.tableName(table.resource),
    IndexName: index.name,
    ...readExpression({
      key:
        low || high ? and(isOfPartition, within(sort.name, low?.attribute, high?.attribute)) : isOfPartition,
      filter,
      only,
    }),
    ScanIndexForward: forward,
    ExclusiveStartKey: start,
  };
}

const startKey = (
  table: Table,
  index: Index,
  partition: Run['partition'],
  { key, id }: ListPosition,
): Attributes => ({
  [table.key.name]: keyValue(id),
  [index.partition]: keyValue(partition),
  ...(index.sort.type === 'B' ? { [index.sort.name]: { B: key } } : {}),
});

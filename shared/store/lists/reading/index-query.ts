import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { config } from '../../../aws/config.ts';
import type { ListPosition } from '../../../resource/lists/page.ts';
import { keyValue } from '../../form/attributes.ts';
import { sortKey } from '../../form/sort-key.ts';
import type { Attributes } from '../../form/stored-value.ts';
import type { Index, Table } from '../../form/table.ts';
import { and, type Condition, compare, readExpression, within } from '../../write/expression.ts';
import type { Run } from '../plan.ts';

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
 * The Query that reads one run in order. undefined: the run ends before the position.
 *
 * Source: Amazon DynamoDB API Reference, Query.
 */
export function indexQuery(
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

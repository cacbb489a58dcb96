import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { config } from '../../aws/config.ts';
import type { PageQuery, Position } from '../../resource/lists/page.ts';
import { type Attributes, number, text } from '../items/attributes.ts';
import { lowerBound } from '../items/sort-key.ts';
import type { Index, Table } from '../items/table.ts';
import { and, compare, readExpression } from '../write/expression.ts';

/** The part of a list in one partition of an index. */
interface Part {
  readonly index: Index;
  readonly partition: number;
  readonly query: PageQuery;
  /** The position after which reading starts. Its item need not exist. */
  readonly from?: Position;
  readonly forward: boolean;
  readonly keysOnly: boolean;
}

/**
 * The Query that reads one partition of an index in order, with the conditions of the list.
 *
 * Source: Amazon DynamoDB API Reference, Query.
 */
export function indexQuery(
  table: Table,
  { index, partition, query: { atLeast, equal }, from, forward, keysOnly }: Part,
): QueryCommandInput {
  const { sort } = index;
  const isOfPartition = compare(index.partition, '=', number(partition));
  const isByKey = atLeast?.field === index.field;
  const filters = [
    ...(equal ? [compare(equal.field, '=', text(equal.value))] : []),
    ...(atLeast && !isByKey ? [compare(atLeast.field, '>=', { N: atLeast.value.text })] : []),
  ];
  return {
    TableName: config.tableName(table.resource),
    IndexName: index.name,
    ...readExpression({
      key: isByKey
        ? and(isOfPartition, compare(sort.name, '>=', { B: lowerBound(atLeast.value) }))
        : isOfPartition,
      filter: filters.length > 0 ? and(...filters) : undefined,
      only: keysOnly ? [sort.name, table.key.name] : undefined,
    }),
    ScanIndexForward: forward,
    ExclusiveStartKey: from && startKey(table, index, partition, from),
  };
}

const startKey = (table: Table, index: Index, partition: number, { key, id }: Position): Attributes => ({
  [table.key.name]: typeof id === 'number' ? number(id) : text(id),
  [index.partition]: number(partition),
  ...(index.sort.type === 'B' ? { [index.sort.name]: { B: key } } : {}),
});

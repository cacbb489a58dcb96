import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { config } from '../../aws/config.ts';
import type { PageQuery, Position } from '../../resource/page.ts';
import type { Attributes } from '../items/attributes.ts';
import { lowerBound } from '../items/sort-key.ts';
import type { Index, Table } from '../items/table.ts';

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
  const names: Record<string, string> = { '#partition': index.partition };
  const values: Attributes = { ':partition': { N: String(partition) } };
  let condition = '#partition = :partition';
  const filters: string[] = [];
  if (equal) {
    names['#equal'] = equal.field;
    values[':equal'] = { S: equal.value };
    filters.push('#equal = :equal');
  }
  if (atLeast?.field === index.field) {
    names['#sort'] = index.sort.name;
    values[':least'] = { B: lowerBound(atLeast.value) };
    condition += ' AND #sort >= :least';
  } else if (atLeast) {
    names['#filter'] = atLeast.field;
    values[':least'] = { N: atLeast.value.text };
    filters.push('#filter >= :least');
  }
  const keys = index.sort.name === table.key.name ? ['#sort'] : ['#sort', '#id'];
  if (keysOnly) {
    names['#sort'] = index.sort.name;
    if (keys.includes('#id')) names['#id'] = table.key.name;
  }
  return {
    TableName: config.tableName(table.resource),
    IndexName: index.name,
    KeyConditionExpression: condition,
    FilterExpression: filters.length > 0 ? filters.join(' AND ') : undefined,
    ProjectionExpression: keysOnly ? keys.join(', ') : undefined,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ScanIndexForward: forward,
    ExclusiveStartKey: from && startKey(table, index, partition, from),
  };
}

const startKey = (table: Table, index: Index, partition: number, { key, id }: Position): Attributes => ({
  [table.key.name]: typeof id === 'number' ? { N: String(id) } : { S: id },
  [index.partition]: { N: String(partition) },
  ...(index.sort.type === 'B' ? { [index.sort.name]: { B: key } } : {}),
});

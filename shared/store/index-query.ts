import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { config } from '../aws/config.ts';
import type { PageQuery, Position } from '../resource/page.ts';
import type { Attributes } from './attributes.ts';
import { lowerBound } from './sort-key.ts';
import type { Index, Table } from './table.ts';

/** Which rows of an index are read, from where on, and whether their keys are enough. */
interface Reading {
  readonly index: Index;
  readonly partition: number;
  readonly query: PageQuery;
  readonly from: Position | undefined;
  readonly forward: boolean;
  readonly keysOnly: boolean;
}

/** The Query that reads one partition of an index. Source: Amazon DynamoDB API Reference, Query. */
export function indexQuery(table: Table, reading: Reading): QueryCommandInput {
  const { index, partition, query, from, forward, keysOnly } = reading;
  const { atLeast, equal } = query;
  const names: Record<string, string> = { '#partition': index.partition };
  const values: Attributes = { ':partition': { N: String(partition) } };
  let condition = '#partition = :partition';
  let filter: string | undefined;
  if (equal) {
    names['#equal'] = equal.field;
    values[':equal'] = { S: equal.value };
    filter = '#equal = :equal';
  }
  if (atLeast?.field === index.field) {
    names['#sort'] = index.sort.name;
    values[':least'] = { B: lowerBound(atLeast.value) };
    condition += ' AND #sort >= :least';
  } else if (atLeast) {
    names['#filter'] = atLeast.field;
    values[':least'] = { N: atLeast.value.text };
    filter = [filter, '#filter >= :least'].filter((one) => one !== undefined).join(' AND ');
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
    FilterExpression: filter,
    ProjectionExpression: keysOnly ? keys.join(', ') : undefined,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ScanIndexForward: forward,
    ExclusiveStartKey: from && startKey(table, index, partition, from),
  };
}

/** The key need not exist: DynamoDB continues behind it. */
const startKey = (table: Table, index: Index, partition: number, { key, id }: Position): Attributes => ({
  [table.key.name]: typeof id === 'number' ? { N: String(id) } : { S: id },
  [index.partition]: { N: String(partition) },
  ...(index.sort.type === 'B' ? { [index.sort.name]: { B: key } } : {}),
});

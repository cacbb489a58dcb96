import type { SQLInputValue } from 'node:sqlite';
import { type CapacityMode, Consumption, consumed, readUnits } from './capacity.ts';
import type { Condition } from './condition.ts';
import type { DynamoDb } from './dynamodb.ts';
import { meets } from './evaluate.ts';
import { invalid, invalidParameter } from './faults.ts';
import { indexKeyOf, type Key, keyAttributes, keyOf } from './key.ts';
import type { KeyRange } from './key-condition.ts';
import type { Path } from './path.ts';
import { project } from './projection.ts';
import { pick, projected } from './rows.ts';
import type { Placeholders, Scope } from './scope.ts';
import { itemSize } from './size.ts';
import { type Index, indexId, type Table } from './tables.ts';
import { canonicalItem, type Item } from './value.ts';

/** The members that Query and Scan share. */
export interface PageRequest extends Placeholders {
  TableName?: string;
  IndexName?: string;
  FilterExpression?: string;
  ProjectionExpression?: string;
  Select?: 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | 'COUNT' | 'SPECIFIC_ATTRIBUTES';
  Limit?: number;
  ExclusiveStartKey?: unknown;
  ConsistentRead?: boolean;
  ReturnConsumedCapacity?: CapacityMode;
}

/** What a page is cut from. Without `range` the whole table or index. */
export interface PageSource {
  table: Table;
  index: Index | undefined;
  range?: KeyRange;
  forward: boolean;
  filter: Condition | undefined;
  paths: Path[] | undefined;
  scope: Scope;
}

const PAGE_BYTES = 1024 * 1024;

/** The table, and the index if one is named. */
export function sourceOf(
  database: DynamoDb,
  request: PageRequest,
): { table: Table; index: Index | undefined } {
  const table = database.tables.named(request.TableName);
  const { IndexName: name, ConsistentRead: consistent, Select: select } = request;
  const index = table.indexes.find((each) => each.name === name);
  if (name !== undefined && !index) throw invalid(`The table does not have the specified index: ${name}`);
  if (index && consistent) throw invalid('Consistent reads are not supported on global secondary indexes');
  if (select === 'ALL_ATTRIBUTES' && index && index.projection !== 'ALL') {
    throw invalidParameter(
      `Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
  }
  if (request.Limit !== undefined && !(request.Limit >= 1)) {
    throw invalid(
      "1 validation error detected: Value at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    );
  }
  return { table, index };
}

/**
 * Reads one page: at most `Limit` items and about 1 MB, both counted before the filter.
 *
 * Source: DynamoDB Developer Guide "Paginating table query results".
 */
export function readPage(database: DynamoDb, request: PageRequest, source: PageSource): object {
  const { table, index, filter, paths, scope } = source;
  const { sql, parameters } = selection(source, startKey(request, source));
  const limit = request.Limit ?? Number.POSITIVE_INFINITY;
  const items: Item[] = [];
  let [scanned, count, bytes] = [0, 0, 0];
  let last: Item | undefined;
  for (const { doc, size } of database.storage.each<{ doc: string; size: number }>(sql, ...parameters)) {
    const item = projected(table, index, JSON.parse(doc) as Item);
    scanned++;
    bytes += index && index.projection !== 'ALL' ? itemSize(item) : size;
    if (!filter || meets(filter, scope, item)) {
      count++;
      if (request.Select !== 'COUNT') items.push(paths ? project(item, paths) : item);
    }
    if (scanned >= limit || bytes >= PAGE_BYTES) {
      last = pick(item, keyAttributes(table, index));
      break;
    }
  }
  const consumption = new Consumption();
  consumption.add(table, 0);
  consumption.add(table, readUnits(bytes, request.ConsistentRead ? 'strong' : 'eventual'), index);
  return {
    ...(request.Select !== 'COUNT' && { Items: items }),
    Count: count,
    ScannedCount: scanned,
    ...(last && { LastEvaluatedKey: last }),
    ...consumed(consumption, request.ReturnConsumedCapacity),
  };
}

interface Start {
  key: Key;
  indexKey: Key | undefined;
}

/** The place after which a page begins. The item itself need not exist any more. */
function startKey(request: PageRequest, { table, index, range }: PageSource): Start | undefined {
  if (request.ExclusiveStartKey === undefined || request.ExclusiveStartKey === null) return undefined;
  const wrong = invalid('The provided starting key is invalid');
  const given = canonicalItem(request.ExclusiveStartKey);
  const names = keyAttributes(table, index);
  if (Object.keys(given).length !== names.length || names.some((name) => !Object.hasOwn(given, name)))
    throw wrong;
  let start: Start;
  try {
    start = {
      key: keyOf(table, pick(given, keyAttributes(table))),
      indexKey: index && indexKeyOf(index, given),
    };
  } catch {
    throw wrong;
  }
  const { pk, sk } = start.indexKey ?? start.key;
  if (range && (!range.pk.equals(pk) || outside(range, sk))) {
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  }
  return start;
}

function outside({ low, high }: KeyRange, sk: Buffer): boolean {
  return (low && Buffer.compare(sk, low.bytes) < 0) || (high && Buffer.compare(sk, high.bytes) > 0) || false;
}

/** One index search in SQLite: row values keep the order total where index keys repeat. */
function selection(
  { table, index, range, forward }: PageSource,
  start: Start | undefined,
): { sql: string; parameters: SQLInputValue[] } {
  const hash = index ? 'g.ipk' : 'i.pk';
  const sort = index ? 'g.isk' : 'i.sk';
  const where = [index ? 'g.idx = ?' : 'i.tbl = ?'];
  const parameters: SQLInputValue[] = [index ? indexId(table, index) : table.id];
  const add = (clause: string, ...values: SQLInputValue[]): void => {
    where.push(clause);
    parameters.push(...values);
  };
  if (range) add(`${hash} = ?`, range.pk);
  if (range?.low) add(`${sort} ${range.low.inclusive ? '>=' : '>'} ?`, range.low.bytes);
  if (range?.high) add(`${sort} ${range.high.inclusive ? '<=' : '<'} ?`, range.high.bytes);
  const order = [...(range ? [] : [hash]), sort, ...(index ? ['g.pk', 'g.sk'] : [])];
  if (start) {
    const { key, indexKey } = start;
    const first = indexKey ?? key;
    const values = [...(range ? [] : [first.pk]), first.sk, ...(indexKey ? [key.pk, key.sk] : [])];
    add(`(${order.join(', ')}) ${forward ? '>' : '<'} (${values.map(() => '?').join(', ')})`, ...values);
  }
  const from = index ? 'gsi g CROSS JOIN item i ON i.id = g.item' : 'item i';
  const direction = forward ? '' : ' DESC';
  return {
    sql: `SELECT i.doc, i.size FROM ${from} WHERE ${where.join(' AND ')} ORDER BY ${order.map((column) => column + direction).join(', ')}`,
    parameters,
  };
}

import type { SQLInputValue } from 'node:sqlite';
import type { Storage } from '../storage.ts';
import type { Condition } from './condition.ts';
import { invalid } from './faults.ts';
import { type Key, keyIn, keyNames, keyOf } from './key.ts';
import type { KeyRange } from './key-condition.ts';
import type { Index, Table } from './tables.ts';
import { canonicalItem, type Item, pick } from './value.ts';

/** What a page is cut from, and where. */
export interface PageSource {
  table: Table;
  index: Index | undefined;
  range: KeyRange;
  forward: boolean;
  filter: Condition | undefined;
  limit: number;
  start: Start | undefined;
}

/** A page; `bytes` and `scanned` count what was read, before the filter. `last` is where the next page begins. */
interface Page {
  items: Item[];
  scanned: number;
  bytes: number;
  last: Item | undefined;
}

/** The place after which a page begins. The item itself need not exist any more. */
interface Start {
  key: Key;
  indexKey: Key | undefined;
}

const PAGE_BYTES = 1024 * 1024;

/**
 * Reads one page: at most `limit` items and about 1 MB, both counted before the filter.
 *
 * Source: DynamoDB Developer Guide "Paginating table query results".
 */
export function readPage(storage: Storage, source: PageSource): Page {
  const { table, index, filter, limit } = source;
  const { sql, parameters } = selection(source);
  const page: Page = { items: [], scanned: 0, bytes: 0, last: undefined };
  for (const { doc, size } of storage.each<{ doc: string; size: number }>(sql, ...parameters)) {
    const item = JSON.parse(doc) as Item;
    page.scanned++;
    page.bytes += size;
    if (!filter || filter(item)) page.items.push(item);
    if (page.scanned >= limit || page.bytes >= PAGE_BYTES) {
      page.last = pick(item, keyNames(table, index));
      break;
    }
  }
  return page;
}

/** Reads an ExclusiveStartKey. @throws ValidationException unless it is a key of this very query */
export function startOf(given: unknown, { pk, low, high }: KeyRange, table: Table, index?: Index): Start {
  const item = canonicalItem(given);
  const key = keyOf(table, pick(item, keyNames(table)));
  const indexKey = index && keyIn(index, item);
  const at = index ? indexKey : key;
  if (!at || Object.keys(item).length !== keyNames(table, index).length) {
    throw invalid('The provided starting key is invalid');
  }
  const before = low && Buffer.compare(at.sk, low.bytes) < 0;
  const behind = high && Buffer.compare(at.sk, high.bytes) > 0;
  if (!at.pk.equals(pk) || before || behind) {
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  }
  return { key, indexKey };
}

/** One index search in SQLite: row values keep the order total where index keys repeat. */
function selection({ table, index, range, forward, start }: PageSource): {
  sql: string;
  parameters: SQLInputValue[];
} {
  const [from, hash, sort] = index
    ? ['gsi g CROSS JOIN item i ON i.id = g.item WHERE g.idx = ?', 'g.ipk', 'g.isk']
    : ['item i WHERE i.tbl = ?', 'i.pk', 'i.sk'];
  const order = index ? [sort, 'g.pk', 'g.sk'] : [sort];
  const clauses = [from, `${hash} = ?`];
  const parameters: SQLInputValue[] = [index ? index.id : table.id, range.pk];
  const add = (clause: string, ...values: SQLInputValue[]): void => {
    clauses.push(clause);
    parameters.push(...values);
  };
  if (range.low) add(`${sort} ${range.low.inclusive ? '>=' : '>'} ?`, range.low.bytes);
  if (range.high) add(`${sort} ${range.high.inclusive ? '<=' : '<'} ?`, range.high.bytes);
  if (start) {
    const { key, indexKey } = start;
    const values = indexKey ? [indexKey.sk, key.pk, key.sk] : [key.sk];
    add(`(${order.join(', ')}) ${forward ? '>' : '<'} (${values.map(() => '?').join(', ')})`, ...values);
  }
  const ordered = order.map((column) => (forward ? column : `${column} DESC`)).join(', ');
  return { sql: `SELECT i.doc, i.size FROM ${clauses.join(' AND ')} ORDER BY ${ordered}`, parameters };
}

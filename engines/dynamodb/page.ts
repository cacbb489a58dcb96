import type { SQLInputValue } from 'node:sqlite';
import { invalid } from '../fault.ts';
import type { Storage } from '../storage.ts';
import type { Condition } from './expressions/condition.ts';
import type { KeyRange } from './expressions/key-condition.ts';
import { keyIn, keyNames, keyOf } from './key.ts';
import type { Index, Table } from './tables/table.ts';
import { canonicalItem, type Item, pick } from './values/value.ts';

/** The rows to read, and the position of the page. Without `range`, the rows are all of the table or index. */
interface PageSource {
  table: Table;
  index: Index | undefined;
  range: KeyRange | undefined;
  forward: boolean;
  filter: Condition | undefined;
  limit: number;
  start: Start | undefined;
}

/**
 * The position before a page: a sort key. In an index, the key of the table makes it unique. Without a range, the hash
 * key precedes it.
 */
type Start = readonly Buffer[];

const PAGE_BYTES = 1024 * 1024;

/**
 * Reads one page: at most `limit` items and about 1 MB. The engine counts both, `scanned` and `bytes`, before the
 * filter. `docs`: the items in stored form, which only a filter has to parse. `last`: the start key of the next page;
 * undefined on the last page.
 *
 * Source: Amazon DynamoDB Developer Guide, "Paginating table query results".
 */
export function readPage(storage: Storage, source: PageSource) {
  const { table, index, filter, limit } = source;
  const page = { docs: [] as string[], scanned: 0, bytes: 0, last: undefined as Item | undefined };
  for (const { doc, size } of rows(storage, source)) {
    page.scanned++;
    page.bytes += size;
    if (!filter || filter(JSON.parse(doc))) page.docs.push(doc);
    if (page.scanned >= limit || page.bytes >= PAGE_BYTES) {
      page.last = pick(JSON.parse(doc), keyNames(table, index));
      break;
    }
  }
  return page;
}

/**
 * Reads an ExclusiveStartKey. Its item need not exist. @throws ValidationException if the key does not belong to this
 * query
 */
export function startOf(given: unknown, range: KeyRange | undefined, table: Table, index?: Index): Start {
  const item = canonicalItem(given);
  const key = keyOf(table, pick(item, keyNames(table)));
  const at = index ? keyIn(index, item) : key;
  if (!at || Object.keys(item).length !== keyNames(table, index).length) {
    throw invalid('The provided starting key is invalid');
  }
  if (!range) return index ? [at.pk, at.sk, key.pk, key.sk] : [key.pk, key.sk];
  const { pk, low, high } = range;
  const isBefore = low && Buffer.compare(at.sk, low) < 0;
  const isBehind = high && Buffer.compare(at.sk, high) >= 0;
  if (at.pk.equals(pk) && !isBefore && !isBehind) return index ? [at.sk, key.pk, key.sk] : [key.sk];
  throw invalid('The provided starting key is outside query boundaries based on provided conditions');
}

/** One index search in SQLite. The row value keeps the order total if index keys repeat. */
function rows(storage: Storage, source: PageSource): Iterable<{ doc: string; size: number }> {
  const { table, index, range, forward, start } = source;
  const [from, hash, sort] = index
    ? ['gsi g CROSS JOIN item i ON i.id = g.item WHERE g.idx = ?', 'g.ipk', 'g.isk']
    : ['item i WHERE i.tbl = ?', 'i.pk', 'i.sk'];
  const order = [...(range ? [] : [hash]), sort, ...(index ? ['g.pk', 'g.sk'] : [])];
  const clauses = [from];
  const parameters: SQLInputValue[] = [(index ?? table).id];
  const add = (clause: string, ...values: readonly Buffer[]): void => {
    clauses.push(clause);
    parameters.push(...values);
  };
  if (range) add(`${hash} = ?`, range.pk);
  if (range?.low) add(`${sort} >= ?`, range.low);
  if (range?.high) add(`${sort} < ?`, range.high);
  if (start) add(`(${order.join()}) ${forward ? '>' : '<'} (${order.map(() => '?').join()})`, ...start);
  const ordered = order.map((column) => (forward ? column : `${column} DESC`)).join();
  const sql = `SELECT i.doc, i.size FROM ${clauses.join(' AND ')} ORDER BY ${ordered}`;
  return storage.each<{ doc: string; size: number }>(sql, ...parameters);
}

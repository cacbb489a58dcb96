import type { DynamoDb } from './context.ts';
import { keyIn } from './key.ts';
import { writeRow } from './rows.ts';
import type { Item } from './values/value.ts';

/**
 * Removes the items whose time to live has passed. AWS does this within days. The engine does it at each start.
 * Source: DynamoDB Developer Guide "Using time to live (TTL)".
 */
export function removeExpired({ storage, tables, changes }: DynamoDb, now: number): void {
  for (const table of tables.all()) {
    const { id, timeToLive } = table;
    if (timeToLive === undefined) continue;
    const select = 'SELECT doc, size FROM item WHERE tbl = ? AND CAST(json_extract(doc, ?) AS INTEGER) <= ?';
    const path = `$.${JSON.stringify(timeToLive)}.N`;
    const rows = storage.all<{ doc: string; size: number }>(select, id, path, Math.floor(now / 1000));
    for (const { doc, size } of rows) {
      const item: Item = JSON.parse(doc);
      const key = keyIn({ key: table.key }, item);
      if (!key) continue;
      const old = { item, size, doc };
      storage.transaction(() => {
        writeRow(storage, { table, key, old, next: undefined }, () => {});
        changes.append(table, old, undefined, true);
      });
    }
  }
}

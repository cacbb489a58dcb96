import type { DynamoDb } from './dynamodb.ts';
import { keyOfItem } from './key.ts';
import { writeRow } from './rows.ts';
import type { Item } from './value.ts';

const BATCH = 100;

/**
 * Deletes items whose time to live has passed, through the ordinary write path so that indexes follow. Until
 * then they stay readable, as on AWS.
 *
 * Source: DynamoDB Developer Guide "Using time to live (TTL) in DynamoDB".
 * @returns how many were deleted, at most 100 per table; call again for more
 */
export function deleteExpired({ storage, tables, clock }: DynamoDb): number {
  let deleted = 0;
  for (const table of tables.all()) {
    if (table.ttl === undefined) continue;
    const rows = storage.all<{ id: number; doc: string; size: number }>(
      'SELECT id, doc, size FROM item WHERE tbl = ? AND expires < ? LIMIT ?',
      table.id,
      Math.floor(clock() / 1000),
      BATCH,
    );
    storage.transaction(() => {
      for (const row of rows) {
        const item = JSON.parse(row.doc) as Item;
        writeRow(storage, table, keyOfItem(table, item), { ...row, item }, undefined);
      }
    });
    deleted += rows.length;
  }
  return deleted;
}

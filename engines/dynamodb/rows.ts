import { isDeepStrictEqual } from 'node:util';
import type { Storage } from '../storage.ts';
import { writeUnits } from './capacity.ts';
import { type Key, keyIn } from './key.ts';
import type { Index, Table } from './tables/table.ts';
import type { Item } from './values/value.ts';

/** An item, its size in bytes, and its stored form. */
export interface Row {
  item: Item;
  size: number;
  doc: string;
}

const UPSERT = `INSERT INTO item (tbl, pk, sk, doc, size) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (tbl, pk, sk) DO UPDATE SET doc = excluded.doc, size = excluded.size RETURNING id`;

/** Returns the stored form of the item with a key, if it exists. */
export function readDoc(storage: Storage, table: Table, { pk, sk }: Key): Omit<Row, 'item'> | undefined {
  const select = 'SELECT doc, size FROM item WHERE tbl = ? AND pk = ? AND sk = ?';
  return storage.get<Omit<Row, 'item'>>(select, table.id, pk, sk);
}

/** Returns the item with a key, if it exists. */
export function readRow(storage: Storage, table: Table, key: Key): Row | undefined {
  const row = readDoc(storage, table, key);
  return row && { item: JSON.parse(row.doc), ...row };
}

/**
 * Replaces `old` by `next` (undefined: deletes) and updates every index. Run it inside a transaction. @param charge
 * gets the write units of each changed index
 */
export function writeRow(
  storage: Storage,
  { table, key, old, next }: { table: Table; key: Key; old: Row | undefined; next: Row | undefined },
  charge: (index: Index, units: number) => void,
): void {
  const id = next && storage.get<{ id: number }>(UPSERT, table.id, key.pk, key.sk, next.doc, next.size)?.id;
  if (!next) storage.run('DELETE FROM item WHERE tbl = ? AND pk = ? AND sk = ?', table.id, key.pk, key.sk);
  const remove = 'DELETE FROM gsi WHERE idx = ? AND ipk = ? AND isk = ? AND pk = ? AND sk = ?';
  for (const index of table.indexes) {
    const from = old && keyIn(index, old.item);
    const to = next && keyIn(index, next.item);
    if (from && to && isDeepStrictEqual(from, to)) {
      if (!isDeepStrictEqual(old.item, next.item)) charge(index, writeUnits(old, next));
      continue;
    }
    // A change of the index key is two writes. Source: DynamoDB Developer Guide "Using Global Secondary Indexes",
    // write capacity.
    if (from) {
      storage.run(remove, index.id, from.pk, from.sk, key.pk, key.sk);
      charge(index, writeUnits(old));
    }
    if (to) {
      insertIndexRow(storage, index, to, { ...key, id: id as number });
      charge(index, writeUnits(next));
    }
  }
}

/** Fills a new index from the existing items. */
export function fillIndex(storage: Storage, table: Table, index: Index): void {
  const select = 'SELECT id, pk, sk, doc FROM item WHERE tbl = ?';
  for (const row of storage.all<Key & { id: number; doc: string }>(select, table.id)) {
    try {
      const to = keyIn(index, JSON.parse(row.doc));
      if (to) insertIndexRow(storage, index, to, row);
    } catch {
      // As on AWS, the index omits an item with attributes of the wrong type until the next write of that item.
    }
  }
}

function insertIndexRow(storage: Storage, index: Index, to: Key, { pk, sk, id }: Key & { id: number }): void {
  const insert = 'INSERT INTO gsi (idx, ipk, isk, pk, sk, item) VALUES (?, ?, ?, ?, ?, ?)';
  storage.run(insert, index.id, to.pk, to.sk, pk, sk, id);
}

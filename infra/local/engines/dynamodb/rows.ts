import { isDeepStrictEqual } from 'node:util';
import type { Storage } from '../storage.ts';
import { writeUnits } from './capacity.ts';
import { type Key, keyIn } from './key.ts';
import type { Index, Table } from './tables.ts';
import type { Item } from './value.ts';

/** An item and its size in bytes. */
export interface Sized {
  item: Item;
  size: number;
}

/** A stored item. */
export interface Row extends Sized {
  id: number;
}

/** The item under a key, if there is one. */
export function readRow(storage: Storage, table: Table, { pk, sk }: Key): Row | undefined {
  const row = storage.get<{ id: number; doc: string; size: number }>(
    'SELECT id, doc, size FROM item WHERE tbl = ? AND pk = ? AND sk = ?',
    table.id,
    pk,
    sk,
  );
  return row && { id: row.id, size: row.size, item: JSON.parse(row.doc) as Item };
}

/**
 * Replaces `old` by `next` (undefined: deletes) and brings every index along. Run it inside a transaction.
 *
 * @returns write units per touched index
 */
export function writeRow(
  storage: Storage,
  table: Table,
  key: Key,
  old: Row | undefined,
  next: Sized | undefined,
): Map<Index, number> {
  const id = writeItem(storage, table, key, old, next);
  const units = new Map<Index, number>();
  for (const index of table.indexes) {
    const from = old && keyIn(index, old.item);
    const to = next && keyIn(index, next.item);
    if (from && to && isDeepStrictEqual(from, to)) {
      const changed = !isDeepStrictEqual(old.item, next.item);
      if (changed) units.set(index, writeUnits(Math.max(old.size, next.size)));
      continue;
    }
    if (from) {
      const row = 'idx = ? AND ipk = ? AND isk = ? AND pk = ? AND sk = ?';
      storage.run(`DELETE FROM gsi WHERE ${row}`, index.id, from.pk, from.sk, key.pk, key.sk);
    }
    if (to) insertIndexRow(storage, index, to, key, id);
    // Source: DynamoDB Developer Guide "Using Global Secondary Indexes", write capacity: a move is two writes.
    const cost = (from ? writeUnits(old.size) : 0) + (to ? writeUnits(next.size) : 0);
    if (cost > 0) units.set(index, cost);
  }
  return units;
}

/** Writes or deletes the item itself; answers its row id. */
function writeItem(
  storage: Storage,
  table: Table,
  { pk, sk }: Key,
  old: Row | undefined,
  next: Sized | undefined,
): number {
  if (!next) return storage.run('DELETE FROM item WHERE id = ?', old?.id ?? null).lastInsertRowid;
  const doc = JSON.stringify(next.item);
  if (old) {
    storage.run('UPDATE item SET doc = ?, size = ? WHERE id = ?', doc, next.size, old.id);
    return old.id;
  }
  const insert = 'INSERT INTO item (tbl, pk, sk, doc, size) VALUES (?, ?, ?, ?, ?)';
  return storage.run(insert, table.id, pk, sk, doc, next.size).lastInsertRowid;
}

/** Fills a new index from the items there are. Items whose attributes have the wrong type stay out. */
export function fillIndex(storage: Storage, table: Table, index: Index): void {
  for (const row of storage.all<{ id: number; pk: Buffer; sk: Buffer; doc: string }>(
    'SELECT id, pk, sk, doc FROM item WHERE tbl = ?',
    table.id,
  )) {
    try {
      const to = keyIn(index, JSON.parse(row.doc) as Item);
      if (to) insertIndexRow(storage, index, to, row, row.id);
    } catch {
      // As on AWS: the item is not in the index until it is written with another value.
    }
  }
}

function insertIndexRow(storage: Storage, index: Index, to: Key, { pk, sk }: Key, id: number): void {
  const insert = 'INSERT INTO gsi (idx, ipk, isk, pk, sk, item) VALUES (?, ?, ?, ?, ?, ?)';
  storage.run(insert, index.id, to.pk, to.sk, pk, sk, id);
}

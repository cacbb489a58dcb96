import type { Storage } from '../storage.ts';
import { writeUnits } from './capacity.ts';
import { invalid } from './faults.ts';
import { indexKeyOf, type Key, keyAttributes } from './key.ts';
import { itemSize } from './size.ts';
import { type Index, indexId, type Table } from './tables.ts';
import { attribute, equalItems, type Item, setAttribute } from './value.ts';

/** A stored item. `size` in bytes. */
export interface Row {
  id: number;
  item: Item;
  doc: string;
  size: number;
}

/** The item under a key, if there is one. */
export function readRow(storage: Storage, table: Table, { pk, sk }: Key): Row | undefined {
  const row = storage.get<{ id: number; doc: string; size: number }>(
    'SELECT id, doc, size FROM item WHERE tbl = ? AND pk = ? AND sk = ?',
    table.id,
    pk,
    sk,
  );
  return row && { ...row, item: JSON.parse(row.doc) as Item };
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
  next: { item: Item; size: number } | undefined,
): Map<Index, number> {
  let id = old?.id;
  if (!next) storage.run('DELETE FROM item WHERE tbl = ? AND pk = ? AND sk = ?', table.id, key.pk, key.sk);
  else {
    const doc = JSON.stringify(next.item);
    const expires = expiryOf(table, next.item);
    if (id === undefined) {
      id = storage.run(
        'INSERT INTO item (tbl, pk, sk, doc, size, expires) VALUES (?, ?, ?, ?, ?, ?)',
        table.id,
        key.pk,
        key.sk,
        doc,
        next.size,
        expires,
      ).lastInsertRowid;
    } else {
      storage.run('UPDATE item SET doc = ?, size = ?, expires = ? WHERE id = ?', doc, next.size, expires, id);
    }
  }
  const units = new Map<Index, number>();
  for (const index of table.indexes) {
    const cost = writeIndexRow(storage, table, index, key, id as number, old?.item, next?.item);
    if (cost > 0) units.set(index, cost);
  }
  return units;
}

/** Writes what changed in one index. Source: DynamoDB Developer Guide "Using Global Secondary Indexes", writes. */
function writeIndexRow(
  storage: Storage,
  table: Table,
  index: Index,
  { pk, sk }: Key,
  id: number,
  old: Item | undefined,
  next: Item | undefined,
): number {
  const from = old && indexKeyOf(index, old);
  const to = next && indexKeyOf(index, next);
  const before = from && old ? projected(table, index, old) : undefined;
  const after = to && next ? projected(table, index, next) : undefined;
  const moved = !from || !to || !from.pk.equals(to.pk) || !from.sk.equals(to.sk);
  if (moved && from) {
    storage.run(
      'DELETE FROM gsi WHERE idx = ? AND ipk = ? AND isk = ? AND pk = ? AND sk = ?',
      indexId(table, index),
      from.pk,
      from.sk,
      pk,
      sk,
    );
  }
  if (moved && to) insertIndexRow(storage, table, index, to, { pk, sk }, id);
  if (!moved && before && after) {
    return equalItems(before, after) ? 0 : writeUnits(itemSize(before), itemSize(after));
  }
  return (before ? writeUnits(itemSize(before), 0) : 0) + (after ? writeUnits(0, itemSize(after)) : 0);
}

function insertIndexRow(storage: Storage, table: Table, index: Index, to: Key, key: Key, id: number): void {
  storage.run(
    'INSERT INTO gsi (idx, ipk, isk, pk, sk, item) VALUES (?, ?, ?, ?, ?, ?)',
    indexId(table, index),
    to.pk,
    to.sk,
    key.pk,
    key.sk,
    id,
  );
}

/** Fills a new index from the items there are. Items whose attributes have the wrong type stay out. */
export function fillIndex(storage: Storage, table: Table, index: Index): void {
  for (const row of storage.all<{ id: number; pk: Buffer; sk: Buffer; doc: string }>(
    'SELECT id, pk, sk, doc FROM item WHERE tbl = ?',
    table.id,
  )) {
    let to: Key | undefined;
    try {
      to = indexKeyOf(index, JSON.parse(row.doc) as Item);
    } catch {
      continue;
    }
    if (to) insertIndexRow(storage, table, index, to, row, row.id);
  }
}

/** What an index shows of an item. */
export function projected(table: Table, index: Index | undefined, item: Item): Item {
  if (!index || index.projection === 'ALL') return item;
  return pick(item, keyAttributes(table, index));
}

/** The named attributes of an item, as far as it has them. */
export function pick(item: Item, names: readonly string[]): Item {
  const picked = Object.create(null) as Item;
  for (const name of names) {
    const value = attribute(item, name);
    if (value) setAttribute(picked, name, value);
  }
  return picked;
}

/** When an item expires, in seconds since 1970; null for never. */
export function expiryOf(table: Table, item: Item): number | null {
  const text = table.ttl === undefined ? undefined : attribute(item, table.ttl)?.N;
  const seconds = Math.floor(Number(text));
  return Number.isSafeInteger(seconds) ? seconds : null;
}

/** Checks the size of an item about to be stored and answers it, in bytes. */
export function checkedSize(item: Item, limit: number, message: string): number {
  const size = itemSize(item);
  if (size > limit) throw invalid(message);
  return size;
}

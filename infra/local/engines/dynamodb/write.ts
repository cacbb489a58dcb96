import { type Consumption, writeUnits } from './capacity.ts';
import { parseCondition } from './condition.ts';
import { invalid, invalidParameter } from './faults.ts';
import { type Key, keyIn, keyNames, keyOf, keyOfItem } from './key.ts';
import { type PlaceholderMembers, Placeholders } from './placeholders.ts';
import { type Row, readRow, type Sized, writeRow } from './rows.ts';
import { itemSize, MAX_ITEM_SIZE } from './size.ts';
import type { DynamoDb, Table } from './tables.ts';
import { readExpression } from './tokens.ts';
import { applyUpdate, parseUpdate } from './update.ts';
import { canonicalItem, type Item } from './value.ts';

/** The members of Put, Update, Delete and ConditionCheck, alone or in a transaction. */
export interface WriteRequest extends PlaceholderMembers {
  TableName?: string;
  Item?: unknown;
  Key?: unknown;
  UpdateExpression?: string;
  ConditionExpression?: string;
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
}

/** A write that has been checked and computed against the current item, but not stored. */
export interface Write {
  table: Table;
  key: Key;
  old: Row | undefined;
  /** False when the condition does not hold; `next` is then not computed. */
  allowed: boolean;
  next: Sized | undefined;
}

/** Computes a write. Everything is checked before the condition, as DynamoDB does. */
export type Plan = (database: DynamoDb, request: WriteRequest) => Write;

/** Plans a put. */
export const planPut: Plan = (database, request) => {
  const table = database.tables.named(request.TableName);
  const item = canonicalItem(request.Item);
  const key = keyOfItem(table, item);
  const next = sized(table, item);
  return plan(database, table, key, request, () => next);
};

/** Plans a deletion; of a missing item too, which changes nothing. */
export const planDelete: Plan = (database, request) => {
  const table = database.tables.named(request.TableName);
  return plan(database, table, keyOf(table, canonicalItem(request.Key)), request, () => undefined);
};

/** Plans a check that writes nothing. */
export const planCheck: Plan = (database, request) => {
  const table = database.tables.named(request.TableName);
  return plan(database, table, keyOf(table, canonicalItem(request.Key)), request, (old) => old);
};

/** Plans an update, which creates the item where there is none. */
export const planUpdate: Plan = (database, request) => {
  const table = database.tables.named(request.TableName);
  const keyItem = canonicalItem(request.Key);
  const key = keyOf(table, keyItem);
  const placeholders = new Placeholders(request);
  const expression = request.UpdateExpression;
  const update = readExpression('UpdateExpression', expression, placeholders, parseUpdate) ?? new Map();
  const fixed = keyNames(table).find((name) => update.has(name));
  if (fixed) throw invalidParameter(`Cannot update attribute ${fixed}. This attribute is part of the key`);
  const compute = (old: Row | undefined) => sized(table, applyUpdate(update, old?.item ?? keyItem));
  return plan(database, table, key, request, compute, placeholders);
};

function plan(
  { storage }: DynamoDb,
  table: Table,
  key: Key,
  request: WriteRequest,
  compute: (old: Row | undefined) => Sized | undefined,
  placeholders = new Placeholders(request),
): Write {
  const expression = request.ConditionExpression;
  const condition = readExpression('ConditionExpression', expression, placeholders, parseCondition);
  placeholders.finish();
  const old = readRow(storage, table, key);
  const allowed = !condition || condition(old?.item ?? {});
  return { table, key, old, allowed, next: allowed ? compute(old) : undefined };
}

/** Checks an item about to be stored: its index keys and its size. */
function sized(table: Table, item: Item): Sized {
  for (const index of table.indexes) keyIn(index, item);
  const size = itemSize(item);
  if (size > MAX_ITEM_SIZE) throw invalid('Item size has exceeded the maximum allowed size');
  return { item, size };
}

/** Stores a planned write and counts its units, `factor` times. Run it inside a transaction. */
export function apply({ storage }: DynamoDb, write: Write, consumption: Consumption, factor = 1): void {
  const { table, key, old, next } = write;
  consumption.add(table, factor * writeUnits(Math.max(old?.size ?? 0, next?.size ?? 0)));
  if (next === old) return;
  for (const [index, units] of writeRow(storage, table, key, old, next)) {
    consumption.add(table, factor * units, index);
  }
}

/** The item that failed a condition, if the client wants to see it. */
export function failedItem(write: Write, request: WriteRequest): { Item?: Item } {
  const wanted = request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  return wanted && write.old ? { Item: write.old.item } : {};
}

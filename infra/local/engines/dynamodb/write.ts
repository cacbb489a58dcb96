import { Fault } from '../fault.ts';
import { applyUpdate } from './apply-update.ts';
import { type Consumption, writeUnits } from './capacity.ts';
import type { Condition } from './condition.ts';
import type { DynamoDb } from './dynamodb.ts';
import { meets } from './evaluate.ts';
import { invalidParameter } from './faults.ts';
import { indexKeyOf, type Key, keyOf, keyOfItem, parts } from './key.ts';
import type { Path } from './path.ts';
import { checkedSize, type Row, readRow, writeRow } from './rows.ts';
import { type Placeholders, Scope } from './scope.ts';
import { MAX_ITEM_SIZE } from './size.ts';
import type { Table } from './tables.ts';
import { canonicalItem, type Item, setAttribute } from './value.ts';

/** The members that Put, Update, Delete and ConditionCheck share. */
export interface WriteRequest extends Placeholders {
  TableName?: string;
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
  next: { item: Item; size: number } | undefined;
  /** Paths an update names. */
  touched: Path[];
}

/** Plans a put. Everything is checked before the condition, as DynamoDB does. */
export function planPut(database: DynamoDb, request: WriteRequest & { Item?: unknown }): Write {
  const table = database.tables.named(request.TableName);
  const item = canonicalItem(request.Item ?? {});
  const key = keyOfItem(table, item);
  for (const index of table.indexes) indexKeyOf(index, item);
  const size = checkedSize(item, MAX_ITEM_SIZE, 'Item size has exceeded the maximum allowed size');
  return plan(database, table, key, request, () => ({ item, size }));
}

/** Plans a deletion; of a missing item too, which changes nothing. */
export function planDelete(database: DynamoDb, request: WriteRequest & { Key?: unknown }): Write {
  const table = database.tables.named(request.TableName);
  const key = keyOf(table, canonicalItem(request.Key ?? {}));
  return plan(database, table, key, request, () => undefined);
}

/** Plans a check that writes nothing. */
export function planCheck(database: DynamoDb, request: WriteRequest & { Key?: unknown }): Write {
  const table = database.tables.named(request.TableName);
  const key = keyOf(table, canonicalItem(request.Key ?? {}));
  return plan(database, table, key, request, (old) => old);
}

/** Plans an update, which creates the item where there is none. */
export function planUpdate(
  database: DynamoDb,
  request: WriteRequest & { Key?: unknown; UpdateExpression?: string },
): Write {
  const table = database.tables.named(request.TableName);
  const keyItem = canonicalItem(request.Key ?? {});
  const key = keyOf(table, keyItem);
  const scope = new Scope(request);
  const update = scope.update(request.UpdateExpression);
  const touched = update
    ? [...update.set, ...update.add, ...update.delete]
        .map(({ path }) => scope.path(path))
        .concat(update.remove.map((path) => scope.path(path)))
    : [];
  for (const { name } of parts(table)) {
    if (touched.some(([first]) => first === name)) {
      throw invalidParameter(`Cannot update attribute ${name}. This attribute is part of the key`);
    }
  }
  const compute = (old: Row | undefined) => {
    const item = old ? (JSON.parse(old.doc) as Item) : (Object.create(null) as Item);
    if (!old) for (const name of Object.keys(keyItem)) setAttribute(item, name, keyItem[name]!);
    if (update) applyUpdate(update, scope, old?.item ?? keyItem, item);
    for (const index of table.indexes) indexKeyOf(index, item);
    const size = checkedSize(
      item,
      MAX_ITEM_SIZE,
      'Item size to update has exceeded the maximum allowed size',
    );
    return { item, size };
  };
  return { ...plan(database, table, key, request, compute, scope), touched };
}

function plan(
  database: DynamoDb,
  table: Table,
  key: Key,
  request: WriteRequest,
  compute: (old: Row | undefined) => Write['next'],
  scope = new Scope(request),
): Write {
  const condition: Condition | undefined = scope.condition(
    'ConditionExpression',
    request.ConditionExpression,
  );
  scope.finish();
  const old = readRow(database.storage, table, key);
  const allowed = !condition || meets(condition, scope, old?.item ?? {});
  return { table, key, old, allowed, next: allowed ? compute(old) : undefined, touched: [] };
}

/** Stores a planned write and counts its units. Run it inside a transaction. */
export function apply(database: DynamoDb, write: Write, consumption: Consumption, factor: 1 | 2 = 1): void {
  const { table, key, old, next } = write;
  consumption.add(table, factor * writeUnits(old?.size ?? 0, next?.size ?? 0));
  if (next === old) return;
  for (const [index, units] of writeRow(database.storage, table, key, old, next)) {
    consumption.add(table, factor * units, index);
  }
}

/** @throws ConditionalCheckFailedException, with the item if that was asked for */
export function refuseUnmet(write: Write, request: WriteRequest): void {
  if (write.allowed) return;
  const item = request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? write.old?.item : undefined;
  throw new Fault(
    'ConditionalCheckFailedException',
    'The conditional request failed',
    400,
    item && { Item: item },
  );
}

import { invalid } from '../fault.ts';
import { type Consumption, writeUnits } from './capacity.ts';
import type { DynamoDb } from './context.ts';
import { parseCondition } from './expressions/condition.ts';
import { Expressions } from './expressions/expressions.ts';
import { applyUpdate, parseUpdate } from './expressions/update.ts';
import { type Key, keyIn, keyOf } from './key.ts';
import type { ItemRequest } from './request.ts';
import { type Row, readRow, writeRow } from './rows.ts';
import type { Table } from './tables/table.ts';
import { itemSize, MAXIMUM_ITEM_SIZE } from './values/size.ts';
import { canonicalItem, type Item } from './values/value.ts';

/** A checked and computed write that is not stored yet. */
export interface Write {
  table: Table;
  key: Key;
  old: Row | undefined;
  next: Row | undefined;
  /** Set if the condition fails; with the item, if the request asks for it. */
  failed: { Item?: Item } | undefined;
}

/** The target of a write, and its effect on the current item. */
type Change = Pick<Write, 'key'> & { next(old: Row | undefined): Row | undefined };

type Kind = (table: Table, request: ItemRequest, expressions: Expressions) => Change;

const KINDS = {
  Put: (table, request) => {
    const item = canonicalItem(request.Item);
    const next = sized(table, item);
    return { key: keyOf(table, item, false), next: () => next };
  },
  /** A put creates a missing item. */
  Update: (table, request, expressions) => {
    const keyItem = canonicalItem(request.Key);
    const update = expressions.read('UpdateExpression', parseUpdate) ?? new Map();
    const fixed = table.key.find(({ name }) => update.has(name));
    if (fixed) throw invalid(`Cannot update attribute ${fixed.name}. This attribute is part of the key`);
    const next = (old: Row | undefined) => sized(table, applyUpdate(update, old?.item ?? keyItem));
    return { key: keyOf(table, keyItem), next };
  },
  /** A deletion of a missing item changes nothing. */
  Delete: (table, request) => ({ key: keyOf(table, canonicalItem(request.Key)), next: () => undefined }),
  ConditionCheck: (table, request) => ({ key: keyOf(table, canonicalItem(request.Key)), next: (old) => old }),
} satisfies Record<string, Kind>;

/** The kinds of writes. */
export type WriteKind = keyof typeof KINDS;

/** True if the text names a kind of write. */
export function isWriteKind(text: string | undefined): text is WriteKind {
  return text !== undefined && Object.hasOwn(KINDS, text);
}

/** Computes a write. Like DynamoDB, it validates the whole request before it evaluates the condition. */
export function plan({ storage, tables }: DynamoDb, kind: WriteKind, request: ItemRequest): Write {
  const table = tables.named(request.TableName);
  const expressions = new Expressions(request);
  const { key, next } = KINDS[kind](table, request, expressions);
  const condition = expressions.read('ConditionExpression', parseCondition);
  expressions.finish();
  const old = readRow(storage, table, key);
  const write = { table, key, old, next: undefined, failed: undefined };
  if (!condition || condition(old?.item ?? {})) return { ...write, next: next(old) };
  const isShown = old && request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  return { ...write, failed: isShown ? { Item: old.item } : {} };
}

/** Checks the index keys and the size of an item before it is stored. */
function sized(table: Table, item: Item): Row {
  for (const index of table.indexes) keyIn(index, item);
  const size = itemSize(item);
  if (size > MAXIMUM_ITEM_SIZE) throw invalid('Item size has exceeded the maximum allowed size');
  return { item, size, doc: JSON.stringify(item) };
}

/** Stores a planned write and counts its units, `factor` times. Run it inside a transaction. */
export function apply(
  { storage, changes }: DynamoDb,
  write: Write,
  consumption: Consumption,
  factor = 1,
): void {
  const { table, old, next } = write;
  consumption.add(table, factor * writeUnits(old, next));
  if (next === old) return;
  writeRow(storage, write, (index, units) => consumption.add(table, factor * units, index));
  changes.append(table, old, next);
}

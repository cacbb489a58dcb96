import { createHash } from 'node:crypto';
import type { Table } from 'embedded-aws';
import type { DynamoDb } from '../../../../engines/dynamodb/context.ts';
import { keyOf } from '../../../../engines/dynamodb/key.ts';
import { readRow } from '../../../../engines/dynamodb/rows.ts';
import { canonicalItem, type Item } from '../../../../engines/dynamodb/values/value.ts';
import type { Kind } from './partitions.ts';

/** A partition key of a table, or of one of its indexes, that a call reads or writes. */
export interface Place {
  readonly kind: Kind;
  readonly table: string;
  readonly index: string | undefined;
  /** The place of the key among all hashes, from 0 to 1. The hash of the partition key comes first. */
  readonly hash: number;
}

type Attributes = Item;

/** The parts of a call of DynamoDB that name items. */
export interface Call {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Attributes;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Attributes[] }>>;
  readonly TransactItems?: readonly Readonly<Record<string, Call>>[];
}

/** The index whose rows come in the order of their creation. All new rows, and the first page, are at one end of it. */
const RISING = 'by_id';
const BITS = 2 ** 32;

const digestOf = (value: unknown): number =>
  createHash('sha256').update(JSON.stringify(value)).digest().readUInt32BE() / BITS;

/** `sort`: where rows with the same partition key are spread, so that it can divide them. */
const hashOf = (partition: unknown, sort?: unknown): number =>
  digestOf(partition) + (sort === undefined ? 0 : digestOf(sort) / BITS);

/** The partition keys that a call reads or writes, also those of indexes. */
export function placesOf(database: DynamoDb, operation: string, call: Call): readonly Place[] {
  const { RequestItems = {}, TransactItems = [], TableName = '' } = call;
  if (operation === 'BatchGetItem')
    return Object.entries(RequestItems).flatMap(([name, { Keys }]) =>
      Keys.map((Key) => ofTable('read', database.tables.named(name), Key)),
    );
  if (operation === 'TransactWriteItems')
    return TransactItems.flatMap((entry) => Object.values(entry).flatMap((part) => written(database, part)));
  if (operation === 'GetItem') return [ofTable('read', database.tables.named(TableName), call.Key)];
  if (operation === 'Query') return [queried(database.tables.named(TableName), call)];
  return operation === 'Scan' ? [] : written(database, call);
}

const ofTable = (kind: Kind, table: Table, key: Attributes = {}): Place => ({
  kind,
  table: table.description.TableName,
  index: undefined,
  hash: hashOf(key[table.key[0]?.name ?? '']),
});

function queried(table: Table, call: Call): Place {
  const { IndexName, KeyConditionExpression = '', ExpressionAttributeNames: names = {} } = call;
  const { key } = table.indexes.find(({ name }) => name === IndexName) ?? table;
  const equal = [...KeyConditionExpression.matchAll(/(#\w+) = (:\w+)/g)];
  const [, , value = ''] = equal.find(([, name = '']) => names[name] === key[0]?.name) ?? [];
  const hash = hashOf(call.ExpressionAttributeValues?.[value]);
  return { kind: 'read', table: table.description.TableName, index: IndexName, hash };
}

/** The places of a write: its item, and the entries of the item in indexes. */
function written({ tables, storage }: DynamoDb, { TableName = '', Key, Item }: Call): readonly Place[] {
  const table = tables.named(TableName);
  const own = ofTable('write', table, Key ?? Item);
  if (table.indexes.length === 0) return [own];
  const given = canonicalItem(Key ?? Item);
  const item: Attributes = {
    ...readRow(storage, table, keyOf(table, given, Key !== undefined))?.item,
    ...Item,
  };
  const entries = table.indexes.flatMap(({ name, key }): Place[] => {
    const value = item[key[0]?.name ?? ''];
    return value === undefined
      ? []
      : [{ ...own, index: name, hash: hashOf(value, name === RISING ? undefined : own.hash) }];
  });
  return [own, ...entries];
}

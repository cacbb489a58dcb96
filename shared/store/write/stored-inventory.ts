import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { currentTime } from '../../aws/clock.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { structure, text } from '../form/attributes.ts';
import { constraintKey } from '../form/constraint-rows.ts';
import {
  agreement,
  formOf,
  type Inventory,
  newInventory,
  otherOwners,
  type Times,
  writableShards,
} from '../form/inventory.ts';
import { CONSTRAINT } from '../form/table.ts';
import { failureOf } from './conflict.ts';
import { attributeNotExists, compare, updateExpression } from './expression.ts';

/** A resource whose inventory agrees with this release, so a function may write items in its form. */
export interface Agreed {
  readonly resource: Resource;
  /** New items spread over this many partitions of each list. */
  readonly shards: number;
}

type Described = Pick<Resource, 'name' | 'description'>;
type Owned = Pick<Resource, 'name' | 'description' | 'owner'>;

/** The name and the attribute of the row. */
const NAME = 'inventory';
const CONTENT = '_inventory';

/** The lifetimes of a known inventory after which every function knows a change and has completed older writes. */
const LIFETIMES = 6;

/** What a row with the inventory has, also before a function writes an item. */
export const INVENTORY_ROW: Attributes = { [CONSTRAINT]: text(NAME) };

/** Returns the key of the row with the inventory. */
export const inventoryKey = (resource: Described): Attributes => constraintKey(descriptionOf(resource), NAME);

/** The inventories that this process has read, by the name of the table. `at`: in ms of the process. */
const known = new Map<string, { readonly at: number; readonly read: Promise<Inventory | undefined> }>();
/** The resources whose table this process has made agree. */
const agreements = new WeakMap<Resource, { readonly at: number; readonly agreed: Promise<Agreed> }>();

const isFresh = (at: number): boolean => performance.now() - at < config.inventoryTime();

/** Returns the present time, and the time that functions need to know a change. */
export const inventoryTimes = (): Times => ({
  now: currentTime(),
  settling: LIFETIMES * config.inventoryTime(),
});

/**
 * The inventory of a table as it was read in the last seconds; undefined if no function has written an item yet.
 * @throws Unavailable if DynamoDB does not respond, or if items have other owners than this release knows
 */
export function inventoryOf(resource: Owned): Promise<Inventory | undefined> {
  const table = config.tableName(resource.name);
  const present = known.get(table);
  if (present && isFresh(present.at)) return present.read;
  const read = readOwn(resource);
  known.set(table, { at: performance.now(), read });
  read.catch(() => known.delete(table));
  return read;
}

/** True if an index has all items. @throws Unavailable as `inventoryOf` */
export async function hasIndex(resource: Owned, index: string): Promise<boolean> {
  const inventory = await inventoryOf(resource);
  return !inventory || inventory.complete.indexes.includes(index);
}

/**
 * Makes the inventory of a table agree with the form in which this release writes. Every write of an item needs this
 * first. It writes only if another release has written the table, or none: then the table is new.
 * @throws Unavailable as `inventoryOf`
 */
export function agree(resource: Resource): Promise<Agreed> {
  const present = agreements.get(resource);
  if (present && isFresh(present.at)) return present.agreed;
  const agreed = agreeWithTable(resource);
  agreements.set(resource, { at: performance.now(), agreed });
  agreed.catch(() => agreements.delete(resource));
  return agreed;
}

async function agreeWithTable(resource: Resource): Promise<Agreed> {
  const wanted = { ...formOf(resource), shards: resource.table?.shards ?? config.shards() };
  known.delete(config.tableName(resource.name));
  for (;;) {
    const before = await inventoryOf(resource);
    const times = inventoryTimes();
    const after = before ? agreement(before, wanted, times) : newInventory(wanted);
    const isStored = after ? await replaceInventory(resource, before, after) : true;
    const present = after ?? before;
    if (present && isStored) return { resource, shards: writableShards(present, wanted.shards, times) };
  }
}

/** Replaces the inventory. Returns false if another function did so first: the next read then sees that one. */
export async function replaceInventory(
  resource: Described,
  before: Inventory | undefined,
  after: Inventory,
): Promise<boolean> {
  const TableName = config.tableName(resource.name);
  known.delete(TableName);
  const condition = before ? compare(CONTENT, '=', structure(before)) : attributeNotExists(CONTENT);
  const set = { ...INVENTORY_ROW, [CONTENT]: structure(after) };
  const update = { TableName, Key: inventoryKey(resource), ...updateExpression({ set }, condition) };
  try {
    await orUnavailable(dynamoDb().send(new UpdateItemCommand(update)));
    known.set(TableName, { at: performance.now(), read: Promise.resolve(after) });
    return true;
  } catch (error) {
    if (!failureOf(error)) throw error;
    return false;
  }
}

async function readOwn(resource: Owned): Promise<Inventory | undefined> {
  const inventory = await readInventory(resource);
  if (inventory?.owner && inventory.owner !== (resource.owner ?? 'none')) throw otherOwners(resource.name);
  return inventory;
}

/** Returns the inventory of a table, read anew. @throws Unavailable if DynamoDB does not respond */
export async function readInventory(resource: Described): Promise<Inventory | undefined> {
  const { Item } = await orUnavailable(
    dynamoDb().send(
      new GetItemCommand({
        TableName: config.tableName(resource.name),
        Key: inventoryKey(resource),
        ConsistentRead: true,
      }),
    ),
  );
  return inventoryIn(Item);
}

/** Returns the inventory in a row; undefined: the row has none. */
export function inventoryIn(row: Attributes | undefined): Inventory | undefined {
  const text = row?.[CONTENT]?.S;
  return text === undefined ? undefined : JSON.parse(text);
}

import { type AttributeValue, BatchGetItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { readWithin, UNITS_OF_ITEM } from '../../aws/read-budget.ts';
import { CONCURRENCY, mapConcurrently } from '../../concurrency/map-concurrently.ts';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { Unavailable } from '../../http/problem.ts';
import { type Caller, ownerOf } from '../../resource/access/owner.ts';
import type { Description } from '../../resource/description/description.ts';
import type { Item } from '../../resource/item.ts';
import type { ReadItems } from '../../resource/relation.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { fromAttributes, keyAttribute, logUnreadable } from '../form/attributes.ts';
import { isVisible, type Owned } from '../form/owner.ts';
import { CONSTRAINT } from '../form/table.ts';
import { MAXIMUM_KEYS } from '../write/limits.ts';

/** The items to read: their resource and their description. */
interface Source extends Owned {
  readonly description: Description;
}

type Id = number | string;

/**
 * Reads items by their identifiers, with one BatchGetItem for 100 different ones. The result has them by identifier, in
 * no special order, as last written. It lacks the items that do not exist, and those that the caller may not see.
 * `unread`: those for which the request has too few read units left.
 * @throws Unavailable if DynamoDB does not respond, or continues to read a part of a batch only.
 *
 * Source: Amazon DynamoDB API Reference, BatchGetItem.
 */
export async function readItems(source: Source, ids: Iterable<Id>, caller: Caller): Promise<ReadItems> {
  const owner = source.owner && ownerOf(source, caller);
  const unread = new Set(ids);
  const items = new Map<Id, Item>();
  for (let first = await readFirst(source, unread); first; first = await readFirst(source, unread)) {
    for (const id of first.ids) unread.delete(id);
    for (const row of first.rows.filter((one) => isVisible(one, owner))) {
      const item = fromAttributes(source.description, row);
      items.set(item.id, item);
    }
  }
  logUnreadable(source.name, [...items.values()]);
  return { items, unread };
}

/**
 * Reads the rows of the first of some different items, in no special order, as last written: as many as one BatchGetItem
 * reads, and as the request has read units for. Returns undefined for no item. `keep`: the read units for what follows.
 * @throws Unavailable as `readItems`
 */
export async function readFirst(
  { name, description }: Pick<Source, 'name' | 'description'>,
  ids: Iterable<Id>,
  { most = MAXIMUM_KEYS, keep = 0 } = {},
): Promise<{ readonly ids: readonly Id[]; readonly rows: readonly Attributes[] } | undefined> {
  const wanted = [...ids].slice(0, Math.min(most, MAXIMUM_KEYS));
  if (wanted.length === 0) return undefined;
  return readWithin({ least: UNITS_OF_ITEM, most: wanted.length * UNITS_OF_ITEM, keep }, async (granted) => {
    const read = wanted.slice(0, Math.floor(granted / UNITS_OF_ITEM));
    const keys = read.map((id) => keyAttribute(description, id));
    return { ids: read, rows: await readBatch(name, keys) };
  });
}

/**
 * Reads the attributes of items as `readItems`, one batch after the other: large items of several batches do not fit
 * into the memory of a function.
 */
export async function* readRows(
  { name, description }: Source,
  ids: Iterable<Id>,
): AsyncGenerator<Attributes, undefined> {
  const keys = [...new Set(ids)].map((id) => keyAttribute(description, id));
  for (const batch of inBatches(keys)) yield* await readBatch(name, batch);
  return undefined;
}

function inBatches(keys: readonly Attributes[]): Attributes[][] {
  const left = [...keys];
  const batches: Attributes[][] = [];
  while (left.length > 0) batches.push(left.splice(0, MAXIMUM_KEYS));
  return batches;
}

/**
 * Reads the rows of a table with these different keys, in no special order, as last written.
 * @throws Unavailable as `readItems`
 */
export async function readKeys(name: string, keys: readonly Attributes[]): Promise<readonly Attributes[]> {
  const rows = await mapConcurrently(CONCURRENCY.items, inBatches(keys), (batch) => readBatch(name, batch));
  return rows.flat();
}

/** Reads the items of one batch. It asks again for keys that DynamoDB did not process. */
async function readBatch(name: string, keys: readonly Attributes[]): Promise<Attributes[]> {
  const table = config.tableName(name);
  const rows: Attributes[] = [];
  let left: readonly Record<string, AttributeValue>[] = keys;
  for await (const _ of attempts(RETRIES.batch)) {
    const { Responses, UnprocessedKeys } = await orUnavailable(
      dynamoDb().send(
        new BatchGetItemCommand({ RequestItems: { [table]: { Keys: [...left], ConsistentRead: true } } }),
      ),
    );
    rows.push(...(Responses?.[table] ?? []));
    left = UnprocessedKeys?.[table]?.Keys ?? [];
    if (left.length === 0) return rows;
  }
  throw new Unavailable(new Error(`DynamoDB left ${left.length} keys of a batch unread`));
}

/** True if a row is an item. The others hold constraints. */
export const isItem = (row: Attributes): boolean => row[CONSTRAINT] === undefined;

/** Yields all items of a table, of all owners, without the rows of constraints, page by page, each as last written. */
export async function* itemRows(TableName: string): AsyncGenerator<Attributes, undefined> {
  const scan = { TableName, ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: dynamoDb() }, scan)) yield* Items.filter(isItem);
}

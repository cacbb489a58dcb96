import { type AttributeValue, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { CONCURRENCY, concurrently } from '../../concurrency/concurrently.ts';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { Unavailable } from '../../http/problem.ts';
import { type Caller, ownerOf } from '../../resource/access/owner.ts';
import type { Description } from '../../resource/description/description.ts';
import type { Item } from '../../resource/item.ts';
import { MAXIMUM_KEYS } from '../write/limits.ts';
import { fromAttributes, keyAttribute, logUnreadable } from './attributes.ts';
import { isVisible, type Owned } from './owner.ts';
import type { Attributes } from './stored-value.ts';

/** The items to read: their resource and their description. */
interface Source extends Owned {
  readonly description: Description;
}

/**
 * Reads items by their identifiers, with one BatchGetItem for 100 different ones. The result has them by identifier,
 * in no special order, as last written. It lacks the items that do not exist, and those that the caller may not
 * see.
 * @throws Unavailable if DynamoDB does not respond, or continues to read a part of a batch only.
 *
 * Source: Amazon DynamoDB API Reference, BatchGetItem.
 */
export async function readItems(
  source: Source,
  ids: Iterable<number | string>,
  caller: Caller,
): Promise<ReadonlyMap<number | string, Item>> {
  const rows = await Promise.all(batchesOf(source, ids).map((keys) => readBatch(source, keys)));
  const owner = source.owner && ownerOf(source, caller);
  const visible = rows.flat().filter((row) => isVisible(row, owner));
  const items = visible.map((row) => fromAttributes(source.description, row));
  logUnreadable(source.name, items);
  return new Map(items.map((item) => [item.id, item]));
}

/**
 * Reads the attributes of items as `readItems`, one batch after the other: large items of several batches do not fit
 * into the memory of a function.
 */
export async function* readRows(
  source: Source,
  ids: Iterable<number | string>,
): AsyncGenerator<Attributes, undefined> {
  for (const keys of batchesOf(source, ids)) yield* await readBatch(source, keys);
  return undefined;
}

/** The keys of the items, divided into batches. */
function batchesOf({ description }: Source, ids: Iterable<number | string>): Attributes[][] {
  return inBatches([...new Set(ids)].map((id) => keyAttribute(description, id)));
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
  const rows = await concurrently(CONCURRENCY.items, inBatches(keys), (batch) => readBatch({ name }, batch));
  return rows.flat();
}

/** Reads the items of one batch. It asks again for keys that DynamoDB did not process. */
async function readBatch({ name }: Pick<Source, 'name'>, keys: readonly Attributes[]): Promise<Attributes[]> {
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

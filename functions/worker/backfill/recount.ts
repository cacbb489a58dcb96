import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { paginateQuery } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { currentTime } from '../../../shared/aws/clock.ts';
import { config } from '../../../shared/aws/config.ts';
import { CONCURRENCY, mapConcurrently } from '../../../shared/concurrency/map-concurrently.ts';
import { attempts } from '../../../shared/concurrency/retry.ts';
import * as RETRIES from '../../../shared/concurrency/retry-policies.ts';
import { Unavailable } from '../../../shared/http/problem.ts';
import type { Item } from '../../../shared/resource/item.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { fromAttributes, text } from '../../../shared/store/form/attributes.ts';
import { CHANGES_TABLE, itemKey, partitionOf, partitionsOf } from '../../../shared/store/form/log-table.ts';
import {
  countedAs,
  countedIn,
  GENERATION,
  headKey,
  type Part,
  partsOfItem,
  totalsKey,
  WHOLE,
} from '../../../shared/store/form/totals-rows.ts';
import {
  generationOf,
  headPart,
  PARTS_OF_TOTAL,
  totalsParts,
} from '../../../shared/store/items/count-totals.ts';
import { readKeys } from '../../../shared/store/items/read-items.ts';
import { compare, readExpression, updateExpression } from '../../../shared/store/write/expression.ts';
import { MAXIMUM_PARTS } from '../../../shared/store/write/limits.ts';
import { transact } from '../../../shared/store/write/transaction.ts';
import { sameVersion } from '../../../shared/store/write/write-requests.ts';

/** Reads the head of a partition. */
const headOf = async (partition: string): Promise<Attributes | undefined> =>
  (await readKeys(CHANGES_TABLE.name, [headKey(partition)]))[0];

/** Changes the head of a partition, until no other writer is faster. `set`: returns undefined to leave it. */
async function moveHead(partition: string, set: (head: Attributes | undefined) => Attributes | undefined) {
  for await (const _ of attempts(RETRIES.transaction)) {
    const head = await headOf(partition);
    const changes = set(head);
    if (!changes || !(await transact([headPart(partition, head, changes)]))) return;
  }
  throw new Unavailable(new Error(`The totals of ${partition} have moved in each attempt`));
}

/**
 * Begins to count the items of a resource anew. From now on, changes count for this generation, and no answer uses the totals
 * until `endRecount`.
 *
 * @throws Unavailable if DynamoDB does not respond, or if other writers continue to be faster
 *
 * Source: docs/decisions/0104-long-actions-and-kept-totals.md.
 */
export const beginRecount = async (resource: Resource, generation: string): Promise<void> =>
  void (await mapConcurrently(CONCURRENCY.items, partitionsOf(resource), (partition) =>
    moveHead(partition, (head) =>
      generationOf(head) === generation ? undefined : { [GENERATION]: text(generation) },
    ),
  ));

/** A stored item, and what it adds. */
interface Adding {
  readonly item: Item;
  readonly adds: readonly Part[];
}

/**
 * Counts stored items, unless a change has counted them, or another backfill has begun. An item that a request changes
 * meanwhile is left to its change. @throws Unavailable as `beginRecount`
 */
export async function recount(
  resource: Resource,
  generation: string,
  rows: readonly Attributes[],
): Promise<void> {
  const { keptTotals = [] } = resource;
  const description = descriptionOf(resource);
  const all = rows.map((row) => ({
    item: fromAttributes(description, row),
    adds: partsOfItem(resource, row),
  }));
  const most = Math.floor((MAXIMUM_PARTS - 1) / (2 + PARTS_OF_TOTAL * keptTotals.length));
  const byPartition = Map.groupBy(all, ({ item }) => partitionOf(resource, item.id));
  await mapConcurrently(CONCURRENCY.items, [...byPartition], async ([partition, ofOne]) => {
    for (let at = 0; at < ofOne.length; at += most)
      await recountTogether(resource, generation, partition, ofOne.slice(at, at + most));
  });
}

async function recountTogether(
  resource: Resource,
  generation: string,
  partition: string,
  all: readonly Adding[],
): Promise<void> {
  const TableName = config.tableName(CHANGES_TABLE.name);
  let left = all;
  for await (const _ of attempts(RETRIES.transaction)) {
    const keys = left.map(({ item }) => itemKey(resource, item.id));
    const read = await readKeys(CHANGES_TABLE.name, [headKey(partition), ...keys]);
    const rows = new Map(read.map((row) => [row[CHANGES_TABLE.key]?.S, row]));
    const head = rows.get(totalsKey(partition));
    if (generationOf(head) !== generation) return;
    const before = ({ item }: Adding) => countedIn(rows.get(`/${resource.name}/${item.id}`), generation);
    left = left.filter((one) => JSON.stringify(before(one)) !== JSON.stringify(one.adds));
    if (left.length === 0) return;
    const checked = left.flatMap(({ item, adds }): TransactWriteItem[] => [
      { ConditionCheck: sameVersion(resource, item) },
      {
        Update: {
          TableName,
          Key: itemKey(resource, item.id),
          ...updateExpression({ set: countedAs(generation, adds), remove: [CHANGES_TABLE.timeToLive] }),
        },
      },
    ]);
    const moves = left.map((one) => ({ before: before(one), after: one.adds }));
    const parts = await totalsParts(partition, head, moves, currentTime());
    // The head moves also if the groups stay as they are, because the rows of items change.
    const failed = await transact([
      ...checked,
      ...(parts.length > 0 ? parts : [headPart(partition, head, {})]),
    ]);
    if (!failed) return;
    const changed = new Set(failed.all.map(({ index }) => index));
    left = left.filter((_one, at) => !changed.has(2 * at));
    if (left.length === 0) return;
  }
  throw new Unavailable(new Error(`The totals of ${partition} have moved in each attempt`));
}

/**
 * Says that the totals have all items, and removes the rows of earlier generations. Nothing happens if another backfill has
 * begun. @throws Unavailable as `beginRecount`
 */
export const endRecount = async (resource: Resource, generation: string): Promise<void> =>
  void (await mapConcurrently(CONCURRENCY.items, partitionsOf(resource), async (partition) => {
    await moveHead(partition, (head) =>
      generationOf(head) !== generation || head?.[WHOLE]?.S === generation
        ? undefined
        : { [WHOLE]: text(generation) },
    );
    const head = await headOf(partition);
    if (generationOf(head) !== generation) return;
    const TableName = config.tableName(CHANGES_TABLE.name);
    const isOwn = compare(CHANGES_TABLE.key, '=', text(totalsKey(partition)));
    const query = { TableName, ...readExpression({ key: isOwn }), ConsistentRead: true };
    for await (const { Items = [] } of paginateQuery(
      { client: dynamoDb(), pageSize: MAXIMUM_PARTS },
      query,
    )) {
      const old = Items.filter((row) => row[GENERATION]?.S !== generation);
      const deletions = old.flatMap(({ [CHANGES_TABLE.key]: key, [CHANGES_TABLE.sort]: sort }) =>
        key && sort && sort.N !== '0'
          ? [{ Delete: { TableName, Key: { [CHANGES_TABLE.key]: key, [CHANGES_TABLE.sort]: sort } } }]
          : [],
      );
      if (deletions.length > 0) await transact(deletions);
    }
  }));

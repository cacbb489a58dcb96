import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { CONCURRENCY, concurrently } from '../../concurrency/concurrently.ts';
import type { Problem } from '../../http/problem.ts';
import type { Outcome } from '../../resource/actions/outcome.ts';
import type { Work } from '../../resource/actions/work.ts';
import { descriptionOf } from '../../resource/description/described.ts';
import type { Resource } from '../../resource/resource.ts';
import { unreadableItem } from '../../resource/unreadable-item.ts';
import { checkConstraints } from '../../store/constraints/check-constraints.ts';
import { fromAttributes, identifierOf } from '../../store/items/attributes.ts';
import { sortKey } from '../../store/items/sort-key.ts';
import type { Attributes } from '../../store/items/stored-value.ts';
import { type Index, indexFor, SHARD, tableOf } from '../../store/items/table.ts';
import { indexQuery } from '../../store/lists/reading/index-query.ts';
import { failureOf } from '../../store/write/conflict.ts';
import { sameVersion } from '../../store/write/parts.ts';
import { rewriteOf } from '../../store/write/rewrite.ts';
import { retryingConflicts, transact } from '../../store/write/transaction.ts';
import { runSteps } from '../bulk/steps.ts';
import { clearMissing } from '../references/clear.ts';

/** The items of one step. */
const ITEMS = 100;

/**
 * Writes the sort keys that items lack, and the values of earlier versions in the form of this release. It walks the
 * index by identifier, which has all items. Each step moves the checkpoint; a repeated step changes nothing. Clients
 * see no change: versions and times stay, and no event follows. The exception are references with `clear` to missing
 * items: the backfill removes them in new versions. It also writes the rows of unique values. An unreadable item counts
 * as failed, and so does an item with the unique value of another one.
 *
 * Source: Specification 13.3.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export const backfill = (resource: Resource, work: Work): Promise<Outcome> =>
  runSteps(work, work.checkpoint, async ({ cursor }) => {
    const idOf = (row: Attributes) => identifierOf(descriptionOf(resource), row);
    const rows = await rowsAfter(resource, cursor);
    const last = rows.at(-1);
    if (!last) return undefined;
    await clearMissing(
      resource,
      rows.map((row) => fromAttributes(descriptionOf(resource), row)),
    );
    const results = await concurrently(CONCURRENCY.items, rows, (row) => rewritten(resource, row));
    const failures = rows.flatMap((row, at) => {
      const fault = results[at];
      const href = `/${resource.name}/${encodeURIComponent(idOf(row))}`;
      return fault ? [{ href, problem: fault }] : [];
    });
    return {
      parts: [],
      done: rows.length - failures.length,
      failures,
      cursor: `${last[SHARD]?.N}:${idOf(last)}`,
    };
  });

/** True if there is a list of all items, whose index leads to each of them. */
export const isBackfillable = ({ table, owner }: Resource): boolean =>
  table !== undefined && table.whole !== false && owner === undefined;

/** The next rows in the order of shard and identifier; none at the end. `cursor`: the place of the last row. */
async function rowsAfter(resource: Resource, cursor: string | undefined): Promise<readonly Attributes[]> {
  const table = tableOf(resource);
  const index = indexFor(table, SHARD, table.key.name) as Index;
  const [, shard = '0', text] = /^(\d+):(.*)$/s.exec(cursor ?? '') ?? [];
  const { read: shards } = config.shards(resource.name);
  let id = table.key.type === 'N' && text !== undefined ? Number(text) : text;
  for (let partition = Number(shard); partition < shards; partition += 1) {
    const from = id === undefined ? undefined : { key: sortKey(undefined, id), id, backwards: false };
    const query = indexQuery(table, { index, run: { partition }, from, forward: true });
    id = undefined;
    if (!query) continue;
    const { Items = [] } = await orUnavailable(dynamoDb().send(new QueryCommand({ ...query, Limit: ITEMS })));
    if (Items.length > 0) return Items;
  }
  return [];
}

/** Brings one item up to date, unless another writer changes it meanwhile. Returns the problem that prevents it. */
async function rewritten(resource: Resource, row: Attributes): Promise<Problem | undefined> {
  const rewrite = rewriteOf(resource, row);
  if (rewrite.kind === 'unreadable') return unreadableItem();
  const item = fromAttributes(descriptionOf(resource), row);
  const { parts, refusals } = await checkConstraints(resource, [{ after: item, wasStored: true }]);
  const [update] = rewrite.kind === 'outdated' ? [rewrite.update] : [];
  if (parts.length > 0) {
    const first = update ? { Update: update } : { ConditionCheck: sameVersion(resource, item) };
    const failed = await transact([first, ...parts]);
    return failed && failed.index > 0 ? rewritten(resource, row) : refusals.get(0);
  }
  if (update) {
    try {
      await retryingConflicts(() => dynamoDb().send(new UpdateItemCommand(update)));
    } catch (error) {
      if (!failureOf(error)) throw error;
    }
  }
  return refusals.get(0);
}

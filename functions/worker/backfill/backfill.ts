import { ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { recounting } from '../../../service/recounting.ts';
import { registry } from '../../../service/registry.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { orUnavailable } from '../../../shared/aws/faults.ts';
import { CONCURRENCY, mapConcurrently } from '../../../shared/concurrency/map-concurrently.ts';
import type { Problem } from '../../../shared/http/problem.ts';
import { runSteps } from '../../../shared/operations/bulk/steps.ts';
import type { Outcome } from '../../../shared/resource/actions/outcome.ts';
import type { Work } from '../../../shared/resource/actions/work.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import { unreadableItem } from '../../../shared/resource/store-refusal.ts';
import { checkConstraints } from '../../../shared/store/constraints/check-constraints.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { fromAttributes, identifierOf } from '../../../shared/store/form/attributes.ts';
import { CONSTRAINT } from '../../../shared/store/form/table.ts';
import { failureOf } from '../../../shared/store/write/conflict.ts';
import { retryingConflicts, transact } from '../../../shared/store/write/transaction.ts';
import { sameVersion } from '../../../shared/store/write/write-requests.ts';
import { clearMissing } from '../clear-references.ts';
import { completeInventory, type Findings, settledSince } from './complete.ts';
import { rewriteOf } from './rewrite.ts';

/** The rows of one step. */
const ROWS = 100;

/** How far a backfill is. `last`: the key of the last row; undefined at the end of the table. */
interface Cursor extends Findings {
  readonly last?: Attributes;
}

/**
 * Writes the sort keys that items lack, and the values of earlier versions in the form of this release. It reads the
 * whole table. Each step moves the checkpoint; a repeated step changes nothing. Clients see no change: versions and
 * times stay, and no event follows. The exception are references with `clear` to items that are gone: the backfill removes
 * them in new versions. It also writes the rows of unique values. An unreadable item counts as failed, and so does an
 * item with the unique value of another one. It counts kept totals anew. At its end, the inventory of the table has the indexes that are complete.
 *
 * Source: Specification 13.3.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function backfill(resource: Resource, work: Work): Promise<Outcome> {
  // A repeated run goes on with the same generation of kept totals.
  const generation = String(work.operationId);
  const counting = resource.keptTotals && recounting;
  const outcome = await runSteps(work, work.checkpoint, async ({ cursor }) => {
    const begun: Cursor | undefined = cursor === undefined ? undefined : JSON.parse(cursor);
    if (begun && !begun.last) return undefined;
    const since = begun?.since ?? (await settledSince(resource));
    if (!begun) await counting?.beginRecount(resource, generation);
    const { Items: all = [], LastEvaluatedKey: last } = await orUnavailable(
      dynamoDb().send(
        new ScanCommand({
          TableName: config.tableName(resource.name),
          ExclusiveStartKey: begun?.last,
          Limit: ROWS,
          ConsistentRead: true,
        }),
      ),
    );
    const rows = all.filter((row) => row[CONSTRAINT] === undefined);
    await clearMissing(
      registry,
      resource,
      rows.map((row) => fromAttributes(descriptionOf(resource), row)),
    );
    const results = await mapConcurrently(CONCURRENCY.items, rows, (row) => rewritten(resource, row));
    await counting?.recount(resource, generation, rows);
    const failures = rows.flatMap((row, at) => {
      const fault = results[at];
      const id = identifierOf(descriptionOf(resource), row);
      return fault ? [{ href: `/${resource.name}/${encodeURIComponent(id)}`, problem: fault }] : [];
    });
    const isUnreadable = ({ problem: { name } }: (typeof failures)[number]) => name === 'unreadable-item';
    const next: Cursor = {
      since,
      isReadable: begun?.isReadable !== false && !failures.some(isUnreadable),
      isUnique: begun?.isUnique !== false && failures.every(isUnreadable),
      ...(last ? { last } : {}),
    };
    return { parts: [], done: rows.length - failures.length, failures, cursor: JSON.stringify(next) };
  });
  if (outcome.kind !== 'completed' || outcome.checkpoint?.cursor === undefined) return outcome;
  await counting?.endRecount(resource, generation);
  const found: Cursor = JSON.parse(outcome.checkpoint.cursor);
  return (await completeInventory(resource, found)) ?? outcome;
}

/** True if the items of a resource stay, so that their stored form can become old. */
export const isBackfillable = ({ table }: Resource): boolean =>
  table !== undefined && table.timeToLive === undefined;

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

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { problem } from '../../http/problem.ts';
import { Unavailable } from '../../http/unavailable.ts';
import type { ActionInput } from '../../resource/actions/action.ts';
import { type Outcome, refused, stale } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { answerParts, recordAnswer } from '../../store/idempotency/answers.ts';
import { removal } from '../../store/write/parts.ts';
import { MAXIMUM_PARTS, transact } from '../../store/write/transaction.ts';
import { STEP_PARTS } from '../running/advance.ts';
import { ItemScan } from './item-scan.ts';
import { tooMany } from './refused-all.ts';
import type { BulkRules, Scope } from './rules.ts';
import { SkippedItems } from './skipped-items.ts';
import { runSteps } from './steps.ts';

/**
 * Removes all items. If they fit into one transaction, it removes all of them or none. Otherwise the outcome is
 * `mustDefer`. The operation removes the items that existed at the time of acceptance, and skips those that must stay.
 *
 * Source: Specification 9.6.
 *
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers continue
 */
export async function removeAll(
  resource: Resource,
  rules: BulkRules,
  input: ActionInput,
  within: Scope,
): Promise<Outcome> {
  const { work } = input;
  const reading = new ItemScan(resource, within, work?.acceptedAt ?? Number.MAX_SAFE_INTEGER);
  if (work?.checkpoint.cursor === undefined) {
    const outcome = await whole(resource, rules, input, reading);
    if (outcome.kind !== 'mustDefer' || !work) return outcome;
  }
  const total = work.checkpoint.cursor === undefined ? await reading.size() : work.checkpoint.total;
  const passed = new SkippedItems(rules);
  let companionCount = 0;
  return runSteps(work, { ...work.checkpoint, total }, async ({ cursor }, failed) => {
    passed.over(failed, companionCount);
    // Another writer changed the other items that failed, so the step reads them again.
    const { items: chunk } = await reading.page(cursor, rules.companions ? STEP_PARTS - 1 : STEP_PARTS);
    const last = chunk.at(-1);
    if (!last) return undefined;
    const removed = chunk.filter(({ id }) => !passed.used.has(id) && !passed.gone.has(id));
    passed.tried = removed;
    const parts = partsOf(resource, rules, removed);
    companionCount = parts.length - removed.length;
    const stated = problem('conflict', rules.unused?.detail ?? 'It must stay');
    return {
      parts,
      done: removed.length,
      failures: chunk
        .filter(({ id }) => passed.used.has(id))
        .map(({ id }) => ({ href: `/${resource.name}/${id}`, problem: stated })),
      cursor: String(last.id),
    };
  });
}

async function whole(
  resource: Resource,
  rules: BulkRules,
  input: ActionInput,
  reading: ItemScan,
): Promise<Outcome> {
  const { maximum } = input;
  const passed = new SkippedItems(rules);
  for await (const _ of attempts(RETRIES.bulk)) {
    const { items: listed, next: isMore } = await reading.page(undefined, MAXIMUM_PARTS);
    const items = listed.filter(({ id }) => !passed.gone.has(id));
    if (maximum !== undefined && (isMore || items.length > maximum)) {
      const affected = isMore ? await reading.size() : items.length;
      if (affected > maximum) return tooMany(affected, maximum, 'removed');
    }
    if (isMore) return { kind: 'mustDefer' };
    const removed: Outcome = { kind: 'done', count: items.length };
    if (items.length === 0) return recordAnswer(input, removed);
    const answers = await answerParts(input, removed);
    const parts = partsOf(resource, rules, items);
    if (parts.length + answers.length > MAXIMUM_PARTS) return { kind: 'mustDefer' };
    const failed = await transact([...parts, ...answers]);
    if (!failed) return removed;
    if (failed.index >= parts.length) return stale;
    passed.tried = items;
    passed.over(failed.all, parts.length - items.length);
    if (passed.used.size > 0) {
      return refused('conflict', `Nothing was removed. ${rules.unused?.detail}`, {
        errors: [...passed.used].map((id) => ({
          detail: `${resource.description?.singular} ${id} must stay`,
        })),
      });
    }
  }
  throw new Unavailable(new Error('Conflicts with other writers of the items did not end'));
}

/** The companions and then the removals. Companions depend on the states of the items, so they fix the versions. */
function partsOf(
  resource: Resource,
  { companions, unused }: BulkRules,
  items: readonly Item[],
): TransactWriteItem[] {
  return [
    ...(companions?.(items.map(({ values }) => ({ before: values }))) ?? []),
    ...items.map(({ id, version }) => ({
      Delete: removal(resource, id, { version: companions ? version : undefined, unused: unused?.count }),
    })),
  ];
}

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { Unavailable } from '../../http/problem.ts';
import type { Call } from '../../resource/actions/action.ts';
import { type Outcome, stale } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { OversizedWrite } from '../../resource/store-refusal.ts';
import { answerParts } from '../../store/idempotency/answers.ts';
import type { FailedPart } from '../../store/write/conflict.ts';
import { bytesOfChange, fits } from '../../store/write/fitting.ts';
import type { ItemChange } from '../../store/write/item-change.ts';
import { transact } from '../../store/write/transaction.ts';
import type { Failed } from '../running/advance.ts';

/**
 * What one attempt writes. `changes`: the items before and after. `parts`: if one of them fails, another attempt follows.
 * `others`: what the constraints add. `undo` removes the bytes that the attempt stored.
 */
interface Attempt {
  readonly kind: 'attempt';
  readonly changes: readonly ItemChange[];
  readonly parts: readonly TransactWriteItem[];
  readonly others: readonly TransactWriteItem[];
  readonly outcome: Outcome;
  readonly undo?: () => Promise<void>;
}

/** Returns the outcome of a request that created or replaced these items. `location`: the path of their list. */
export const severalItems = (
  { name }: Resource,
  kind: 'created' | 'replaced',
  items: readonly Item[],
  location: string,
): Outcome => ({
  kind: 'several',
  location,
  results: items.map((item) => ({ kind, location: `/${name}/${item.id}`, item })),
});

/**
 * Changes all items of a request in one transaction with the recorded answer, or none. `mustDefer`: they do not fit.
 * `prepare` makes each attempt from the current items, or ends with an outcome. `failed`: the failed parts of the
 * previous attempt.
 *
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers continue
 */
export async function inOneTransaction(
  resource: Resource,
  input: Call,
  prepare: (failed: Failed) => Promise<Attempt | Outcome>,
): Promise<Outcome> {
  let failed: Failed = [];
  for await (const _ of attempts(RETRIES.bulk)) {
    const made = await prepare(failed);
    if (made.kind !== 'attempt') return made;
    const { changes, parts, others, outcome, undo } = made;
    const rows = [...others, ...(await answerParts(input, outcome))];
    const bytes = changes.reduce((sum, one) => sum + bytesOfChange(resource, one), 0);
    const all = [...parts, ...rows];
    const failure = fits(all, { changes: bytes, others: rows }) ? await failureOf(all) : 'tooLarge';
    if (!failure) return outcome;
    await undo?.();
    if (failure === 'tooLarge') return { kind: 'mustDefer' };
    if (failure.index >= parts.length) return stale;
    failed = failure.all;
  }
  throw new Unavailable(new Error('Conflicts with other writers of the items did not end'));
}

/** Writes all parts or none. An empty list changes nothing, and DynamoDB refuses an empty transaction. */
async function failureOf(all: readonly TransactWriteItem[]): Promise<FailedPart | 'tooLarge' | undefined> {
  if (all.length === 0) return undefined;
  return transact(all).catch((error: unknown) => {
    if (error instanceof OversizedWrite) return 'tooLarge' as const;
    throw error;
  });
}

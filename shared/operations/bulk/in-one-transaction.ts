import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { Unavailable } from '../../http/unavailable.ts';
import type { Call } from '../../resource/actions/action.ts';
import { type Outcome, stale } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { answerParts } from '../../store/idempotency/answers.ts';
import { MAXIMUM_PARTS } from '../../store/write/limits.ts';
import { transact } from '../../store/write/transaction.ts';
import type { Failed } from '../running/advance.ts';

/**
 * What one attempt writes. `parts`: if one of them fails, another attempt follows. `others`: what the constraints add.
 * `undo` removes the bytes that the attempt stored.
 */
interface Attempt {
  readonly kind: 'attempt';
  readonly parts: readonly TransactWriteItem[];
  readonly others: readonly TransactWriteItem[];
  readonly outcome: Outcome;
  readonly undo?: () => Promise<void>;
}

/** The outcome of a request that created or replaced these items. `location`: the path of their list. */
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
  input: Call,
  prepare: (failed: Failed) => Promise<Attempt | Outcome>,
): Promise<Outcome> {
  let failed: Failed = [];
  for await (const _ of attempts(RETRIES.bulk)) {
    const made = await prepare(failed);
    if (made.kind !== 'attempt') return made;
    const { parts, others, outcome, undo } = made;
    const all = [...parts, ...others, ...(await answerParts(input, outcome))];
    const fits = all.length <= MAXIMUM_PARTS;
    // An empty list changes nothing, and DynamoDB refuses an empty transaction.
    const failure = fits && all.length > 0 ? await transact(all) : undefined;
    if (fits && !failure) return outcome;
    await undo?.();
    if (!failure) return { kind: 'mustDefer' };
    if (failure.index >= parts.length) return stale;
    failed = failure.all;
  }
  throw new Unavailable(new Error('Conflicts with other writers of the items did not end'));
}

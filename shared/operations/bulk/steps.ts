import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { type Problem, problemDetails, Unavailable } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Outcome } from '../../resource/actions/outcome.ts';
import type { Checkpoint, Work } from '../../resource/actions/work.ts';
import { OversizedWrite } from '../../resource/store-refusal.ts';
import { firstFailures, ofMany } from '../record/fields.ts';
import { type Advance, advance, type Failed } from '../running/advance.ts';

/** An item that failed, and its problem. `href`: without base path. */
export interface Failure {
  readonly href: string;
  readonly problem: Problem;
}

/**
 * One step: its parts, the number of items that they process, the failures, and the cursor after the step. `first`: the
 * path of the first item that the parts change.
 */
export interface Step {
  readonly parts: readonly TransactWriteItem[];
  readonly done: number;
  readonly first?: string | undefined;
  readonly failures: readonly Failure[];
  /** The number of further items that it leaves as they are, which the result of the operation names. */
  readonly skipped?: number;
  readonly cursor: string;
}

/**
 * Makes the step after a checkpoint; undefined if none is left. `failed`: the failed parts of the previous attempt.
 * `most`: the most items of the step, after DynamoDB has refused a larger one.
 */
type Make = (checkpoint: Checkpoint, failed: Failed, most: number) => Promise<Step | undefined>;

/**
 * Runs the steps of an operation in constant memory. `begun`: the checkpoint of the previous run. `location`: the path
 * of the created resources.
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers continue
 */
export async function runSteps(
  work: Work,
  begun: Checkpoint,
  make: Make,
  location?: string,
): Promise<Outcome> {
  let checkpoint = begun;
  // Halved after each step that is too large, and doubled after each other one.
  let most = Number.POSITIVE_INFINITY;
  try {
    return await steps();
  } catch (error) {
    // This run has completed steps, so it has not failed. The next run continues from the checkpoint.
    if (error instanceof Unavailable && checkpoint !== begun) return { kind: 'interrupted', by: 'time' };
    throw error;
  }

  async function steps(): Promise<Outcome> {
    for (;;) {
      const outcome = await step();
      if (outcome) return outcome;
    }
  }

  /**
   * Runs one step. Returns undefined if the next step may follow. A step that is too large has half of its items in the
   * next attempt. An item that is too large alone fails.
   */
  async function step(): Promise<Outcome | undefined> {
    let failed: Failed = [];
    for await (const _ of attempts(RETRIES.step)) {
      const made = await make(checkpoint, failed, most);
      if (!made) return { kind: 'completed', checkpoint, location };
      const result = await run(made);
      if (result.kind === 'interrupted') return result;
      if (result.kind === 'tooLarge') {
        most = Math.floor(made.done / 2);
        continue;
      }
      if (result.kind === 'moved') {
        most *= 2;
        return undefined;
      }
      failed = result.parts;
    }
    throw new Unavailable(new Error('Conflicts with other writers of the items did not end'));
  }

  async function run(made: Step): Promise<Advance | { readonly kind: 'tooLarge' }> {
    try {
      return await commit(made);
    } catch (error) {
      const { done, first: href, failures } = made;
      if (!(error instanceof OversizedWrite) || href === undefined) throw error;
      if (done > 1) return { kind: 'tooLarge' };
      return commit({
        ...made,
        parts: [],
        done: 0,
        failures: [...failures, { href, problem: error.problem }],
      });
    }
  }

  /** Commits a step. Afterwards, the checkpoint is behind it. */
  async function commit({ parts, done, failures, skipped = 0, cursor }: Step): Promise<Advance> {
    const next: Checkpoint = {
      ...checkpoint,
      cursor,
      done: checkpoint.done + done,
      failed: checkpoint.failed + failures.length + skipped,
      failures: firstFailures([...checkpoint.failures, ...failures.map((one) => failureShown(work, one))]),
    };
    const result = await advance(work, checkpoint, next, parts);
    if (result.kind === 'moved') checkpoint = next;
    return result;
  }
}

/** Returns the failure as clients see it in the operation. */
export const failureShown = ({ basePath, requestId }: Work, { href, problem }: Failure): JsonObject => ({
  href: basePath + href,
  problem: problemDetails(ofMany(problem), { basePath, instance: basePath + href, requestId }) as JsonObject,
});

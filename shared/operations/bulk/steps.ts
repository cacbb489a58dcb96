import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { type Problem, problemDetails } from '../../http/problem.ts';
import { Unavailable } from '../../http/unavailable.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Outcome } from '../../resource/actions/outcome.ts';
import type { Checkpoint, Work } from '../../resource/actions/work.ts';
import { firstFailures, ofMany } from '../record/failures.ts';
import { advance, type Failed } from '../running/advance.ts';

/** An item that failed, and its problem. `href`: without base path. */
export interface Failure {
  readonly href: string;
  readonly problem: Problem;
}

/** One step: its parts, the number of items that they process, the failures, and the cursor after the step. */
export interface Step {
  readonly parts: readonly TransactWriteItem[];
  readonly done: number;
  readonly failures: readonly Failure[];
  readonly cursor: string;
}

/** Makes the step after a checkpoint; undefined if none is left. `failed`: the failed parts of the previous attempt. */
type Make = (checkpoint: Checkpoint, failed: Failed) => Promise<Step | undefined>;

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

  /** Runs one step. Returns undefined if the next step may follow. */
  async function step(): Promise<Outcome | undefined> {
    let failed: Failed = [];
    for await (const _ of attempts(RETRIES.step)) {
      const made = await make(checkpoint, failed);
      if (!made) return { kind: 'completed', checkpoint, location };
      const next: Checkpoint = {
        ...checkpoint,
        cursor: made.cursor,
        done: checkpoint.done + made.done,
        failed: checkpoint.failed + made.failures.length,
        failures: firstFailures([...checkpoint.failures, ...made.failures.map((one) => shown(work, one))]),
      };
      const result = await advance(work, checkpoint, next, made.parts);
      if (result.kind === 'interrupted') return result;
      if (result.kind === 'moved') {
        checkpoint = next;
        return undefined;
      }
      failed = result.parts;
    }
    throw new Unavailable(new Error('Conflicts with other writers of the items did not end'));
  }
}

/** The failure as clients see it in the operation. */
const shown = ({ basePath, requestId }: Work, { href, problem }: Failure): JsonObject => ({
  href: basePath + href,
  problem: problemDetails(ofMany(problem), { basePath, instance: basePath + href, requestId }) as JsonObject,
});

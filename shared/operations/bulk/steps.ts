import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Problem, problemDetails } from '../../http/problem.ts';
import { Unavailable } from '../../http/unavailable.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Outcome } from '../../resource/outcome.ts';
import type { Checkpoint, Work } from '../../resource/work.ts';
import { advance, type Failed } from '../advance.ts';
import { keptFailures, ofMany } from '../failures.ts';
import { pause } from './pause.ts';

/** Attempts of a step that conflicts with other writers. */
const ATTEMPTS = 16;

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
    for (let attempt = 0, failed: Failed = []; ; ) {
      const step = await make(checkpoint, failed);
      if (!step) return { kind: 'completed', checkpoint, location };
      const next: Checkpoint = {
        ...checkpoint,
        cursor: step.cursor,
        done: checkpoint.done + step.done,
        failed: checkpoint.failed + step.failures.length,
        failures: keptFailures([...checkpoint.failures, ...step.failures.map((one) => shown(work, one))]),
      };
      const result = await advance(work, checkpoint, next, step.parts);
      if (typeof result === 'object') {
        attempt += 1;
        if (attempt === ATTEMPTS)
          throw new Unavailable(new Error('Conflicts with other writers of the items did not end'));
        failed = result;
        await pause(attempt);
        continue;
      }
      if (result === 'cancellation' || result === 'lease') return { kind: 'interrupted', by: result };
      checkpoint = next;
      if (result === 'time') return { kind: 'interrupted', by: 'time' };
      attempt = 0;
      failed = [];
    }
  }
}

/** The failure as clients see it in the operation. */
const shown = ({ basePath, requestId }: Work, { href, problem }: Failure): JsonObject => ({
  href: basePath + href,
  problem: problemDetails(ofMany(problem), { basePath, instance: basePath + href, requestId }) as JsonObject,
});

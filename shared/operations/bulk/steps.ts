import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Problem, problemDetails } from '../../http/problem.ts';
import { Unavailable } from '../../http/unavailable.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Outcome } from '../../resource/outcome.ts';
import type { Checkpoint, Work } from '../../resource/work.ts';
import { advance, type Failed } from '../advance.ts';
import { keptFailures, ofMany } from '../failures.ts';
import { pause } from './pause.ts';

/** How often a step that met other writers is made anew. */
const ATTEMPTS = 16;

/** Something that could not be done, and why. `href` without base path. */
export interface Failure {
  readonly href: string;
  readonly problem: Problem;
}

/** One step, made from the state as it is: the parts, how many items they do, and what is behind them. */
export interface Step {
  readonly parts: readonly TransactWriteItem[];
  readonly done: number;
  readonly failures: readonly Failure[];
  readonly cursor: string;
}

/** Makes a step from a checkpoint on. `failed`: the parts of the attempt before that failed. undefined: all is done. */
type Make = (checkpoint: Checkpoint, failed: Failed) => Promise<Step | undefined>;

/**
 * Works an operation off, step by step, in constant memory.
 * @throws Unavailable when DynamoDB does not answer, or others keep writing the same items
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
    // What was done stays done: a run that came on has not failed, and what is left waits for the next one.
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
          throw new Unavailable(new Error('Others changed the items again and again'));
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

/** As the operation shows it. */
const shown = ({ basePath, requestId }: Work, { href, problem }: Failure): JsonObject => ({
  href: basePath + href,
  problem: problemDetails(ofMany(problem), { basePath, instance: basePath + href, requestId }) as JsonObject,
});

import { setTimeout } from 'node:timers/promises';

/** The number of attempts of some work, and the pauses between them. */
export interface RetryPolicy {
  readonly attempts: number;
  /** The mean pause before the second attempt in ms. It grows by as much with each further attempt. */
  readonly pauseMs: number;
  /** The share of the pause that is random, from 0 to 1. Random pauses keep writers from meeting again. */
  readonly jitter: number;
}

/** Waits for some milliseconds. */
export const sleep = (ms: number): Promise<void> => setTimeout(ms);

/**
 * Yields the number of each attempt, from 0, and pauses before each but the first. The caller leaves the loop when an
 * attempt succeeds. After the loop, every attempt has failed.
 *
 * Source: AWS Builders' Library, "Timeouts, retries, and backoff with jitter".
 */
export async function* attempts(
  { attempts: most, pauseMs, jitter }: RetryPolicy,
  pause: (ms: number) => Promise<unknown> = sleep,
): AsyncGenerator<number, void> {
  for (let attempt = 0; attempt < most; attempt += 1) {
    if (attempt > 0 && pauseMs > 0) await pause(attempt * pauseMs * (1 + jitter * (2 * Math.random() - 1)));
    yield attempt;
  }
}

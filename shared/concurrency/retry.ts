import { setTimeout } from 'node:timers/promises';

/** How often work is tried, and how long the service waits before each further attempt. */
export interface RetryPolicy {
  readonly attempts: number;
  /** The mean pause before the second attempt in ms. It grows by as much with each further attempt. */
  readonly pauseMs: number;
  /** The share of the pause that is random, from 0 to 1. Random pauses keep writers from meeting again. */
  readonly jitter: number;
}

/** The policies of all retries, each with its reason. The AWS clients retry failed calls themselves, with their own. */
export const RETRIES = {
  /** Two transactions meet at one item. DynamoDB needs some ms for each, and the SDK does not retry. */
  transaction: { attempts: 5, pauseMs: 15, jitter: 0 },
  /** A bulk transaction has up to 100 items, so it loses often. A request has 29 s. */
  bulk: { attempts: 12, pauseMs: 20, jitter: 0.5 },
  /** A step of an operation has up to 100 items. The worker has minutes. */
  step: { attempts: 16, pauseMs: 20, jitter: 0.5 },
  /** One element of a lenient request. Each attempt reads the item again, which takes time enough. */
  element: { attempts: 8, pauseMs: 0, jitter: 0 },
  /** All uploads of an operation count in one record, and may arrive at the same time. */
  part: { attempts: 30, pauseMs: 20, jitter: 1 },
  /** A file of a request with several files. Each attempt writes its bytes to S3, which takes time enough. */
  file: { attempts: 4, pauseMs: 0, jitter: 0 },
  /** The row of a file whose object keeps changing. The last writer of the object makes the row match. */
  row: { attempts: 10, pauseMs: 0, jitter: 0 },
  /** Entries that EventBridge refused, mostly by throttling. Lambda delivers the records again after that. */
  event: { attempts: 4, pauseMs: 100, jitter: 0 },
} as const satisfies Record<string, RetryPolicy>;

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

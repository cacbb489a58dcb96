import type { RetryPolicy } from './retry.ts';

// The policies of retries, each with its reason. A bundle contains only those that it uses. The AWS clients repeat
// failed calls by policies of their own.

/** The repetitions of a request whose write lost against a concurrent one. After the last one, it gets 503. */
export const request: RetryPolicy = { attempts: 15, pauseMs: 4, jitter: 0.5 };
/** DynamoDB read a part of a batch: it throttled the rest, or the response was full. */
export const batch: RetryPolicy = { attempts: 8, pauseMs: 20, jitter: 0.5 };
/**
 * Transactions meet at one item, such as the customer that many orders get. DynamoDB needs some ms for each, and the
 * SDK does not retry. Without random pauses they would meet again.
 */
export const transaction: RetryPolicy = { attempts: 12, pauseMs: 20, jitter: 0.5 };
/** A bulk transaction has up to 100 items, so it loses often. A request has 29 s. */
export const bulk: RetryPolicy = { attempts: 12, pauseMs: 20, jitter: 0.5 };
/** A step of an operation has up to 100 items. The worker has minutes. */
export const step: RetryPolicy = { attempts: 16, pauseMs: 20, jitter: 0.5 };
/** One element of a lenient request. Each attempt reads the item again, which takes time enough. */
export const element: RetryPolicy = { attempts: 8, pauseMs: 0, jitter: 0 };
/** All uploads of an operation count in one record, and may arrive at the same time. */
export const part: RetryPolicy = { attempts: 30, pauseMs: 20, jitter: 1 };
/** A file of a request with several files. Each attempt writes its bytes to S3, which takes time enough. */
export const file: RetryPolicy = { attempts: 4, pauseMs: 0, jitter: 0 };
/** The row of a file whose object keeps changing. The last writer of the object makes the row match. */
export const row: RetryPolicy = { attempts: 10, pauseMs: 0, jitter: 0 };
/** Entries that EventBridge refused, mostly by throttling. Lambda delivers the records again after that. */
export const event: RetryPolicy = { attempts: 4, pauseMs: 100, jitter: 0 };
/** The stream has not yet brought a version that ended just now. It takes some ms on one machine, up to 1 s on AWS. */
export const version: RetryPolicy = { attempts: 12, pauseMs: 25, jitter: 0.5 };

/**
 * Receives of a message before SQS moves it to the dead-letter queue. The pauses between attempts double from 30 s to 15
 * minutes, so ten attempts take at least 1.5 hours. If Lambda has no concurrency left, an attempt counts although no code
 * ran.
 *
 * Source: Amazon SQS Developer Guide, "Using dead-letter queues in Amazon SQS".
 */
export const ATTEMPTS = {
  operations: 10,
  uploads: 10,
  /** An event has about 15 attempts in 3 days. It also waits for a receiver that does not respond, 5 minutes at a time. */
  webhooks: 1000,
} as const;

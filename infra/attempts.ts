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
  /** Wakes of the fan-out and of receivers. The sweeper sends lost ones again. */
  wakes: 10,
  /** An earlier release kept an event in the queue for three days, so a message can have many receives. */
  webhooks: 1000,
} as const;

/**
 * Receives of a message before SQS moves it to the dead-letter queue. The pauses between attempts double from 30 s.
 * Five attempts of an operation take at least 7.5 minutes. Ten attempts of an S3 notification take at least 1.5
 * hours.
 *
 * Source: Amazon SQS Developer Guide, "Using dead-letter queues in Amazon SQS".
 */
export const ATTEMPTS = { operations: 5, uploads: 10 } as const;

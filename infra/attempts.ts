/**
 * How often a function tries each message of a queue before SQS sets the message aside. The pauses between attempts double
 * from 30 s: five attempts of an operation take at least 7.5 minutes, ten of a notification about files at least 1.5 hours.
 *
 * Source: Amazon SQS Developer Guide, "Using dead-letter queues in Amazon SQS".
 */
export const ATTEMPTS = { operations: 5, uploads: 10 } as const;

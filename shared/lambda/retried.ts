import type { Context, SQSRecord } from 'aws-lambda';
import { config } from '../aws/config.ts';
import { postpone } from '../aws/queue.ts';
import { eachMessage } from './messages.ts';

/** Milliseconds before the function's own end at which a run leaves the rest to another one. */
const MARGIN = 30_000;
/** Milliseconds that a message pauses between two attempts, at most. */
const LONGEST_PAUSE = 900_000;

/** When a run has to be done, and when its message comes again if it fails: ms since the epoch. */
export interface Times {
  readonly deadline: number;
  readonly again: number;
}

/**
 * The Lambda handler of a queue whose failed messages come again soon: after the time of a lease (30 s on AWS), twice that
 * after the next failure, and so on up to 15 minutes. After the queue's number of attempts SQS sets a message aside.
 *
 * Source: Amazon SQS API Reference, ChangeMessageVisibility.
 */
export const retriedLater = (
  queueUrl: () => string,
  work: (message: SQSRecord, times: Times) => Promise<void>,
) =>
  eachMessage(async (message: SQSRecord, context: Context) => {
    const attempts = Number(message.attributes.ApproximateReceiveCount);
    const pause = Math.min(config.leaseTime() * 2 ** (attempts - 1), LONGEST_PAUSE);
    const now = Date.now();
    try {
      await work(message, {
        deadline: now + context.getRemainingTimeInMillis() - MARGIN,
        again: now + pause,
      });
    } catch (error) {
      // If SQS does not answer either, the queue's own visibility timeout brings the message back.
      await postpone(queueUrl(), message.receiptHandle, Math.ceil(pause / 1000)).catch(() => undefined);
      throw error;
    }
  });

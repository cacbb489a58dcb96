import type { Context, SQSRecord } from 'aws-lambda';
import { postpone } from '../aws/clients/queue.ts';
import { currentTime } from '../aws/clock.ts';
import { config } from '../aws/config.ts';
import { eachMessage } from './messages.ts';

/** A run stops this long before the function's time-out and leaves the rest to another run, in ms. */
const MARGIN = 30_000;
/** Maximum pause of a message between two attempts, in ms. */
const LONGEST_PAUSE = 900_000;

/**
 * The end of the time for a run, and the time of the next delivery of its message after a failure: ms since the
 * epoch.
 */
export interface Times {
  readonly deadline: number;
  readonly again: number;
}

/**
 * Returns the Lambda handler of a queue with growing pauses. SQS delivers a failed message again after the time of a
 * lease (30 s on AWS). Each further pause is twice as long, up to 15 minutes. After the queue's maximum of attempts,
 * SQS moves the message to the dead-letter queue. `queueUrl`: the URL of the queue that delivered a message.
 *
 * Source: Amazon SQS API Reference, ChangeMessageVisibility; Specification 7.15.
 */
export const retriedLater = (
  queueUrl: (message: SQSRecord) => string,
  work: (message: SQSRecord, times: Times) => Promise<void>,
) =>
  eachMessage(async (message: SQSRecord, context: Context) => {
    const attempts = Number(message.attributes.ApproximateReceiveCount);
    const pause = Math.min(config.leaseTime() * 2 ** (attempts - 1), LONGEST_PAUSE);
    const now = currentTime();
    try {
      await work(message, {
        deadline: now + context.getRemainingTimeInMillis() - MARGIN,
        again: now + pause,
      });
    } catch (error) {
      // If this call fails too, SQS delivers the message again after the queue's own visibility timeout.
      await postpone(queueUrl(message), message.receiptHandle, Math.ceil(pause / 1000)).catch(
        () => undefined,
      );
      throw error;
    }
  });

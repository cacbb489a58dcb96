import type { Context, SQSRecord } from 'aws-lambda';
import { config } from '../../shared/aws/config.ts';
import { postpone } from '../../shared/aws/queue.ts';
import { eachMessage } from '../../shared/lambda/messages.ts';
import { observedBackground } from '../../shared/lambda/observed.ts';
import { run } from './run.ts';

/** Milliseconds before the function's own end at which a run gives what is left to another one. */
const MARGIN = 30_000;

/**
 * Works on operations. A message whose operation could not be worked on now comes again, later each time, and after the
 * queue's number of attempts goes to the dead letters.
 */
export const handler = observedBackground(
  'worker',
  eachMessage(async ({ body, attributes, receiptHandle }: SQSRecord, context: Context) => {
    const deadline = Date.now() + context.getRemainingTimeInMillis() - MARGIN;
    const { operationId } = JSON.parse(body) as { operationId: number };
    const times = Number(attributes.ApproximateReceiveCount) - 1;
    const pause = config.leaseTime() * 2 ** times;
    try {
      await run(operationId, { deadline, again: Date.now() + pause });
    } catch (error) {
      // Where SQS does not answer either, its own visibility timeout brings the message back.
      await postpone(receiptHandle, pause / 1000).catch(() => undefined);
      throw error;
    }
  }),
);

import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { config } from '../../shared/aws/config.ts';
import { postpone } from '../../shared/aws/queue.ts';
import { run } from './run.ts';

/** Milliseconds before the function's own end at which a run gives what is left to another one. */
const MARGIN = 30_000;

/**
 * Works on operations. A message whose operation could not be worked on now comes again, later each time, and after the
 * queue's number of attempts goes to the dead letters.
 *
 * Source: AWS Lambda Developer Guide, "Handling errors for an SQS event source", "Implementing partial batch responses".
 */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const deadline = Date.now() + context.getRemainingTimeInMillis() - MARGIN;
  const failed = await Promise.all(Records.map((record) => failedRecord(record, deadline)));
  return { batchItemFailures: failed.filter((one) => one !== undefined) };
}

async function failedRecord(
  { body, attributes, receiptHandle, messageId }: SQSRecord,
  deadline: number,
): Promise<{ itemIdentifier: string } | undefined> {
  const { operationId } = JSON.parse(body) as { operationId: number };
  const times = Number(attributes.ApproximateReceiveCount) - 1;
  const pause = config.leaseTime() * 2 ** times;
  try {
    await run(operationId, { deadline, again: Date.now() + pause });
    return undefined;
  } catch (error) {
    const { stack, cause } = error as Error;
    console.error(JSON.stringify({ level: 'error', operationId, error: stack, cause: String(cause) }));
    // Where SQS does not answer either, its own visibility timeout brings the message back.
    await postpone(receiptHandle, pause / 1000).catch(() => undefined);
    return { itemIdentifier: messageId };
  }
}

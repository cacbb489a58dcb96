import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { config } from './config.ts';
import { lazyClient } from './lazy-client.ts';
import { metered } from './meter.ts';
import { withoutLogger } from './without-logger.ts';

/**
 * SQS, loaded by the first request that needs it: few do, and every cold start would pay for it. All throw the SDK's
 * errors as they come.
 */
export const sqs = /* @__PURE__ */ lazyClient((settings) =>
  metered(withoutLogger(new SQSClient({ ...settings, maxAttempts: 3 })), 'sqs'),
);

/**
 * Asks for an operation to be worked on. `group`: whose it is; others' messages are not kept waiting behind many of
 * theirs.
 *
 * Source: Amazon SQS Developer Guide, "Amazon SQS fair queues".
 */
export async function sendOperation(operationId: number, group: string): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: config.operationsQueue(),
      MessageBody: JSON.stringify({ operationId }),
      MessageGroupId: group,
    }),
  );
}

/** Lets a message of a queue that could not be worked on come again after so many seconds. */
export async function postpone(queueUrl: string, receiptHandle: string, seconds: number): Promise<void> {
  await sqs().send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: queueUrl,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    }),
  );
}

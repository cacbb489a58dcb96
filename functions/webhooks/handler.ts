import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { postpone } from '../../shared/aws/clients/queue.ts';
import { config } from '../../shared/aws/config.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { eachMessage } from '../../shared/lambda/messages.ts';
import { attemptDelivery } from './attempt.ts';

/**
 * Delivers events to subscriptions, each message independently. SQS delivers a message again after the pause of its
 * attempt. A receiver that fails is not a fault of the service, so the log and the metrics count only other failures.
 *
 * Source: Specification 18.8; AWS Lambda Developer Guide, "Implementing partial batch responses".
 */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const later: { itemIdentifier: string }[] = [];
  const work = eachMessage(async (message: SQSRecord, _: Context) => {
    const pause = await attemptDelivery(message);
    if (pause === undefined) return;
    await postpone(config.webhooksQueue(), message.receiptHandle, Math.ceil(pause / 1000));
    later.push({ itemIdentifier: message.messageId });
  });
  const { batchItemFailures } = await observeBackground('webhooks', work)(event, context);
  return { batchItemFailures: [...batchItemFailures, ...later] };
}

import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { faultOf, log } from '../aws/log.ts';

/**
 * The Lambda handler of a queue: each message by itself, so that one that fails comes again and the others do not. What
 * is thrown is told to the log.
 *
 * Source: AWS Lambda Developer Guide, "Handling errors for an SQS event source", "Implementing partial batch responses".
 */
export const eachMessage =
  <Rest extends [] | [Context]>(work: (message: SQSRecord, ...rest: Rest) => Promise<void>) =>
  async ({ Records }: SQSEvent, ...rest: Rest): Promise<SQSBatchResponse> => {
    const failed = await Promise.all(
      Records.map(async (record) => {
        try {
          await work(record, ...rest);
          return [];
        } catch (error) {
          const { messageId, body } = record;
          log('error', { requestId: rest[0]?.awsRequestId, messageId, ...named(body), ...faultOf(error) });
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    return { batchItemFailures: failed.flat() };
  };

/** The operation that a message is about, where it says so. */
function named(body: string): { operationId?: unknown } {
  try {
    const { operationId } = JSON.parse(body) as { operationId?: unknown };
    return operationId === undefined ? {} : { operationId };
  } catch {
    return {};
  }
}

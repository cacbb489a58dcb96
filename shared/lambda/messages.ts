import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { faultOf, log } from '../aws/log.ts';

/**
 * Returns the Lambda handler of a queue. It handles each message independently, so that SQS delivers only the failed
 * messages again. It logs each error.
 *
 * Source: AWS Lambda Developer Guide, "Handling errors for an SQS event source", "Implementing partial batch
 * responses".
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
          log('error', {
            requestId: rest[0]?.awsRequestId,
            messageId,
            ...operationOf(body),
            ...faultOf(error),
          });
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    return { batchItemFailures: failed.flat() };
  };

/** Returns the id and the trace of the operation in a message, if it has one, for the log. */
function operationOf(body: string): { operationId?: unknown; traceparent?: unknown } {
  try {
    const { operationId, traceparent }: ReturnType<typeof operationOf> = JSON.parse(body);
    return operationId === undefined ? {} : { operationId, traceparent };
  } catch {
    return {};
  }
}

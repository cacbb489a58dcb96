import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { giveUp } from '../../shared/operations/give-up.ts';
import { attributesOf, originOf } from '../../shared/operations/record.ts';

/**
 * Ends operations that were given up: none stays pending for ever. One that another message led to a run that goes on is
 * left to it.
 */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const failed = await Promise.all(Records.map(failedRecord));
  return { batchItemFailures: failed.filter((one) => one !== undefined) };
}

async function failedRecord({
  body,
  attributes,
  messageId,
}: SQSRecord): Promise<{ itemIdentifier: string } | undefined> {
  const { operationId: id } = JSON.parse(body) as { operationId: number };
  const times = attributes.ApproximateReceiveCount;
  console.error(
    JSON.stringify({ level: 'error', operationId: id, message: 'An operation was given up', times }),
  );
  try {
    const found = await attributesOf(id);
    if (!found) return undefined;
    await giveUp({ id, origin: originOf(found, id), canceled: found.status?.S === 'Canceling' }, 'nobody');
    return undefined;
  } catch (error) {
    console.error(JSON.stringify({ level: 'error', operationId: id, error: (error as Error).stack }));
    return { itemIdentifier: messageId };
  }
}

import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { StreamRecord } from 'embedded-aws';
import { reacting } from '../../shared/events/changes.ts';
import { resourceOf } from '../../shared/events/records.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { names, queueUrl } from '../provision/names.ts';
import { type ChangeSource, RETRIES, StreamPump } from './stream-pump.ts';

/** Calls `onChange` of each resource for the changes of its table. Tables do not wait for each other. */
export const callOnChange = (
  resources: readonly Resource[],
  sources: readonly ChangeSource[],
  sqs: SQSClient,
): readonly StreamPump[] =>
  sources.map((source) => {
    const resource = resourceOf(resources, { eventSourceARN: source.stream });
    return new StreamPump([source], async () => reacting(resource), {
      setAside: (stream, record) => setAside(sqs, resource, { stream, record }),
    });
  });

/**
 * Sends the position of a change to the dead-letter queue, and says so in the log.
 *
 * Source: AWS Lambda Developer Guide, "Retaining discarded batches for a DynamoDB event source in Lambda".
 */
async function setAside(
  sqs: SQSClient,
  { name }: Resource,
  { stream: streamArn, record: { dynamodb } }: { stream: string; record: StreamRecord },
): Promise<void> {
  const { SequenceNumber } = dynamodb;
  const position = { startSequenceNumber: SequenceNumber, endSequenceNumber: SequenceNumber };
  const message = {
    requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: RETRIES + 1 },
    DDBStreamBatchInfo: { ...position, batchSize: 1, streamArn },
  };
  const QueueUrl = queueUrl(names.changesDeadLetterQueue);
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(message) }));
  console.error(
    `onChange of ${name} failed for the change ${SequenceNumber} after ${RETRIES} retries. ` +
      `The queue ${names.changesDeadLetterQueue} names it.`,
  );
}

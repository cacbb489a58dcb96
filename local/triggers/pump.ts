import { setTimeout as later } from 'node:timers/promises';
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { endpointsIn } from '../endpoints.ts';
import { queueArn } from '../provision/names.ts';

/** A Lambda function that processes messages of a queue. */
export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/** Calls a function for messages or changes, until it is stopped. */
export interface Pump {
  stop(): Promise<void>;
}

/** A queue, its function, the size of batches and the number of concurrent invocations. */
export interface Mapping {
  readonly queueUrl: string;
  readonly handler: QueueHandler;
  readonly batchSize: number;
  readonly concurrency: number;
  /** Maximum milliseconds of an invocation. */
  readonly timeout: number;
}

/** Seconds of a poll of the embedded engine, which the end of the pump aborts. */
const PATIENCE_SECONDS = 20;
/**
 * Seconds of a poll of an SQS in another process. This SQS gives an aborted poll the next message, and then hides the
 * message from all later polls. So the pump ends after its poll.
 */
const REMOTE_PATIENCE_SECONDS = 1;
/** Pause in ms after a failed call of an engine. */
const BACK_OFF = 500;

/**
 * Works like Lambda's event source mapping for SQS: receives batches, invokes the function, and deletes all messages
 * that the function did not report as failed. If an invocation throws, its whole batch has failed. Failed messages
 * become visible again when their visibility timeout ends.
 *
 * Source: AWS Lambda Developer Guide, "Using Lambda with Amazon SQS".
 */
export function pump(sqs: SQSClient, mapping: Mapping): Pump {
  const stopping = new AbortController();
  const workers = Array.from({ length: mapping.concurrency }, () => work(sqs, mapping, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}

async function work(sqs: SQSClient, mapping: Mapping, signal: AbortSignal): Promise<void> {
  const isRemote = endpointsIn(process.env).sqs !== undefined;
  while (!signal.aborted) {
    try {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: mapping.queueUrl,
          MaxNumberOfMessages: mapping.batchSize,
          WaitTimeSeconds: isRemote ? REMOTE_PATIENCE_SECONDS : PATIENCE_SECONDS,
          MessageSystemAttributeNames: ['All'],
        }),
        isRemote ? {} : { abortSignal: signal },
      );
      if (Messages.length > 0) await invoke(sqs, mapping, Messages);
    } catch (error) {
      if (signal.aborted) return;
      console.error(
        JSON.stringify({ level: 'error', queue: mapping.queueUrl, error: (error as Error).message }),
      );
      await later(BACK_OFF);
    }
  }
}

/** Invokes the function with these messages, and deletes those that it did not report as failed. */
export async function invoke(
  sqs: SQSClient,
  { queueUrl, handler, timeout }: Pick<Mapping, 'queueUrl' | 'handler' | 'timeout'>,
  messages: readonly Message[],
): Promise<void> {
  const end = Date.now() + timeout;
  const context = { getRemainingTimeInMillis: () => Math.max(end - Date.now(), 0) } as Context;
  const answer = await handler({ Records: messages.map((message) => recordOf(message, queueUrl)) }, context);
  const failed = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  for (const { MessageId = '', ReceiptHandle } of messages) {
    if (!failed.has(MessageId))
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
  }
}

/**
 * Converts a message to the record that a function receives. Source: AWS Lambda Developer Guide, "Example Amazon SQS
 * message event".
 */
const recordOf = (message: Message, queueUrl: string): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  attributes: (message.Attributes ?? {}) as unknown as SQSRecord['attributes'],
  messageAttributes: {},
  md5OfBody: message.MD5OfBody ?? '',
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn(queueUrl),
  awsRegion: 'us-east-1',
});

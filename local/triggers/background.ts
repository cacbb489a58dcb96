import { setTimeout as later } from 'node:timers/promises';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { StreamRecord } from 'embedded-aws';
import { handler as deadLetters } from '../../functions/dead-letters/handler.ts';
import { handler as fanOut } from '../../functions/fanout/handler.ts';
import { handler as sweep } from '../../functions/sweeper/handler.ts';
import { handler as uploads } from '../../functions/uploads/handler.ts';
import { handler as webhooks } from '../../functions/webhooks/handler.ts';
import { handler as work } from '../../functions/worker/handler.ts';
import { HAS_SUBSCRIPTIONS } from '../../service/about.ts';
import { files } from '../../service/files.ts';
import { config } from '../../shared/aws/config.ts';
import { reacting } from '../../shared/events/changes.ts';
import { resourceOf } from '../../shared/events/records.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { names, queueUrl } from '../provision/names.ts';
import { type Mapping, type Pump, pump } from './pump.ts';
import { type ChangeSource, RETRIES, StreamPump } from './stream-pump.ts';

/** Maximum milliseconds of one invocation. */
const RUN_MS = 300_000;

/** Milliseconds in which running invocations can finish when the service stops. */
const GRACE_MS = 5000;

/**
 * Starts the background functions: the worker, the dead-letters function, the sweeper, the uploads function if the service
 * stores files, and the functions of webhooks if it has subscriptions. `more`: other pumps that have little time to stop.
 */
export function startBackground(sqs: SQSClient, more: readonly Pump[]): Pump {
  const mapped = (
    name: string,
    handler: Mapping['handler'],
    limits: Pick<Mapping, 'batchSize' | 'concurrency'>,
    timeout = RUN_MS,
  ) => pump(sqs, { queueUrl: queueUrl(name), handler, timeout, ...limits });
  const runTime = Number(process.env.RUN_SECONDS ?? 0) * 1000 || RUN_MS;
  const pumps: readonly Pump[] = [
    ...more,
    mapped(names.queue, work, { batchSize: 1, concurrency: 4 }, runTime),
    mapped(names.deadLetterQueue, deadLetters, { batchSize: 10, concurrency: 1 }),
    ...(files ? [names.uploadsQueue, names.largeUploadsQueue] : []).map((name) =>
      mapped(name, uploads, { batchSize: 1, concurrency: 4 }),
    ),
    ...(HAS_SUBSCRIPTIONS
      ? [
          mapped(names.fanOutQueue, fanOut, { batchSize: 10, concurrency: 1 }),
          mapped(names.provenQueue, webhooks, { batchSize: 1, concurrency: 4 }),
          // A run mostly waits for its receiver.
          mapped(names.webhooksQueue, webhooks, { batchSize: 1, concurrency: 20 }),
        ]
      : []),
  ];
  let sweeping: Promise<void> = Promise.resolve();
  const swept = () => {
    sweeping = sweep().catch((error: Error) =>
      console.error(JSON.stringify({ level: 'error', function: 'sweeper', error: error.message })),
    );
  };
  swept();
  const timer = setInterval(swept, config.sweepTime());
  return {
    stop: async () => {
      clearInterval(timer);
      // Longer work continues at the next start, as after a kill.
      const patience = new AbortController();
      await Promise.race([
        Promise.all([sweeping, ...pumps.map((one) => one.stop())]),
        later(GRACE_MS, undefined, { signal: patience.signal }).catch(() => undefined),
      ]);
      patience.abort();
    },
  };
}

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

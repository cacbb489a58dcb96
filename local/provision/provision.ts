import {
  CreateBucketCommand,
  HeadBucketCommand,
  PutBucketVersioningCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { ATTEMPTS } from '../../infra/attempts.ts';
import { tablesOf } from '../../service/derived/tables.ts';
import { schedules } from '../../service/schedules.ts';
import { s3 } from '../../shared/aws/clients/s3.ts';
import { tablesText } from '../../shared/aws/config.ts';
import { keptDays, type Resource } from '../../shared/resource/resource.ts';
import { endpointsIn } from '../endpoints.ts';
import { type Notified, notify } from '../triggers/notify.ts';
import { agreeWithTables } from './inventories.ts';
import { names, queueArn, queueUrl } from './names.ts';
import { provideTables } from './tables.ts';

/** Returns the environment variables that the stack sets for its functions. */
export const variables = (registry: readonly Resource[]): Record<string, string> => ({
  TABLES: tablesText(
    Object.fromEntries(tablesOf(registry).map(({ resource }) => [resource, names.table(resource)])),
  ),
  BUCKET: names.bucket,
  OPERATIONS_QUEUE: queueUrl(names.queue),
  UPLOADS_QUEUE: queueUrl(names.uploadsQueue),
  LARGE_UPLOADS_QUEUE: queueUrl(names.largeUploadsQueue),
  PROVEN_QUEUE: queueUrl(names.provenQueue),
  WEBHOOKS_QUEUE: queueUrl(names.webhooksQueue),
  FANOUT_QUEUE: queueUrl(names.fanOutQueue),
  SCHEDULE_QUEUES: schedules.map(({ name }) => `${name}=${queueUrl(names.scheduleQueue(name))}`).join(' '),
  DEAD_SCHEDULES: queueUrl(names.schedulesDeadLetterQueue),
  // A run has no price here, so a later attempt need not wait for a minute.
  SWEEP_SECONDS: process.env.SWEEP_SECONDS ?? '1',
  // Receivers of a developer are on this machine.
  WEBHOOK_LOOPBACK: process.env.WEBHOOK_LOOPBACK ?? 'true',
  // On one machine, a short lease detects a crashed worker sooner, and a long wait has no price.
  LEASE_SECONDS: process.env.LEASE_SECONDS ?? '5',
  MAXIMUM_WAIT_SECONDS: '20',
  // The streams of the embedded tables bring a change in some ms.
  LOG_SECONDS: process.env.LOG_SECONDS ?? '1',
  // A quarter of the requests that the gateway runs.
  MAXIMUM_WAITS: process.env.MAXIMUM_WAITS ?? '50',
  EVENT_BUS: names.bus,
  // The embedded tables share one file on one disk, so more partitions only cost more queries for each list.
  SHARDS: process.env.SHARDS || (endpointsIn(process.env).dynamodb ? '' : '1'),
  // No function of an earlier release runs beside this process for long.
  INVENTORY_SECONDS: process.env.INVENTORY_SECONDS ?? '0.5',
});

/**
 * Creates missing tables, indexes, streams, buckets and queues. A repeated call is harmless. `subscribe` makes the
 * bucket notify queues (their ARNs) of files, if S3's own way does not work. Returns advice about the definitions.
 */
export async function provision(
  registry: readonly Resource[],
  sqs: SQSClient,
  subscribe: (queues: Notified) => Promise<void> = notify,
): Promise<readonly string[]> {
  const stored = registry.filter(({ table }) => table);
  const advice = await agreeWithTables(stored, await provideTables(tablesOf(registry)));
  await provideBucket(registry);
  await provideQueue(sqs, names.queue, names.deadLetterQueue, ATTEMPTS.operations);
  if (registry.some(({ onChange }) => onChange))
    await sqs.send(new CreateQueueCommand({ QueueName: names.changesDeadLetterQueue }));
  if (registry.some(({ name }) => name === 'subscriptions')) {
    await provideQueue(sqs, names.webhooksQueue, names.webhooksDeadLetterQueue, ATTEMPTS.webhooks);
    for (const queue of [names.provenQueue, names.fanOutQueue])
      await provideQueue(sqs, queue, names.webhooksDeadLetterQueue, ATTEMPTS.wakes);
  }
  for (const { name } of schedules)
    await provideQueue(sqs, names.scheduleQueue(name), names.schedulesDeadLetterQueue, ATTEMPTS.operations);
  if (!registry.some(({ name }) => name === 'files')) return advice;
  // The uploads function can read a large file for minutes.
  const provideNotified = (name: string) =>
    provideQueue(sqs, name, names.uploadsDeadLetterQueue, ATTEMPTS.uploads, { VisibilityTimeout: '900' });
  const small = await provideNotified(names.uploadsQueue);
  await subscribe({ small, large: await provideNotified(names.largeUploadsQueue) });
  return advice;
}

/** Creates a queue and its dead-letter queue, which takes messages after so many failed attempts. Returns the ARN. */
async function provideQueue(
  sqs: SQSClient,
  QueueName: string,
  deadLetters: string,
  maxReceiveCount: number,
  more: Record<string, string> = {},
): Promise<string> {
  const dead = await sqs.send(new CreateQueueCommand({ QueueName: deadLetters }));
  const policy = { deadLetterTargetArn: queueArn(dead.QueueUrl as string), maxReceiveCount };
  const Attributes = { ...more, RedrivePolicy: JSON.stringify(policy) };
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
  return queueArn(QueueUrl as string);
}

async function provideBucket(registry: readonly Resource[]): Promise<void> {
  const client = s3();
  try {
    await client.send(new HeadBucketCommand({ Bucket: names.bucket }));
  } catch {
    await client.send(new CreateBucketCommand({ Bucket: names.bucket }));
  }
  if (keptDays(registry) !== undefined) await keepVersions();
}

/**
 * Makes the bucket keep versions, as the bucket of a deployment does. An engine without versions keeps none, and the
 * service then shows none.
 */
async function keepVersions(): Promise<void> {
  const VersioningConfiguration = { Status: 'Enabled' } as const;
  await s3()
    .send(new PutBucketVersioningCommand({ Bucket: names.bucket, VersioningConfiguration }))
    .catch((error: unknown) => {
      if (!(error instanceof S3ServiceException) || error.$metadata.httpStatusCode !== 501) throw error;
    });
}

import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type StreamSpecification,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, HeadBucketCommand } from '@aws-sdk/client-s3';
import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { ATTEMPTS } from '../../infra/attempts.ts';
import { ordersVariable } from '../../infra/stored.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { s3 } from '../../shared/aws/clients/s3.ts';
import { tableVariable } from '../../shared/aws/config.ts';
import { isNamed } from '../../shared/aws/faults.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { IDEMPOTENCY_TABLE } from '../../shared/store/idempotency/answers.ts';
import { type Index, type Table, tableOf } from '../../shared/store/items/table.ts';
import { type Notified, notify } from '../triggers/notify.ts';
import { names, queueUrl } from './names.ts';

/** Returns the environment variables that the stack sets for its functions. */
export const variables = (registry: readonly Resource[]): Record<string, string> => ({
  ...Object.fromEntries(
    registry.flatMap(({ name, table }) => (table ? [[tableVariable(name), names.table(name)]] : [])),
  ),
  [tableVariable(IDEMPOTENCY_TABLE.name)]: names.table(IDEMPOTENCY_TABLE.name),
  BUCKET: names.bucket,
  OPERATIONS_QUEUE: queueUrl(names.queue),
  UPLOADS_QUEUE: queueUrl(names.uploadsQueue),
  LARGE_UPLOADS_QUEUE: queueUrl(names.largeUploadsQueue),
  // On one machine, a short lease detects a crashed worker sooner, and a long wait has no price.
  LEASE_SECONDS: process.env.LEASE_SECONDS ?? '5',
  MAXIMUM_WAIT_SECONDS: '20',
  EVENT_BUS: names.bus,
  ...ordersVariable(registry),
});

/** The service creates events from the changes of these tables. */
const STREAM: StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };

/**
 * Creates missing tables, indexes, streams, buckets and queues. A repeated call is harmless. `subscribe` makes the
 * bucket notify queues (their ARNs) of files, if S3's own way does not work.
 */
export async function provision(
  registry: readonly Resource[],
  sqs: SQSClient,
  subscribe: (queues: Notified) => Promise<void> = notify,
): Promise<void> {
  const tables = dynamoDb();
  for (const resource of registry) {
    if (resource.table) await provideTable(tables, tableOf(resource), STREAM);
  }
  await provideAnswers(tables);
  await provideBucket();
  await provideQueue(sqs, names.queue, names.deadLetterQueue, ATTEMPTS.operations);
  if (registry.some(({ onChange }) => onChange))
    await sqs.send(new CreateQueueCommand({ QueueName: names.changesDeadLetterQueue }));
  // The uploads function can read a large file for minutes.
  const provideNotified = (name: string) =>
    provideQueue(sqs, name, names.uploadsDeadLetterQueue, ATTEMPTS.uploads, { VisibilityTimeout: '900' });
  const small = await provideNotified(names.uploadsQueue);
  await subscribe({ small, large: await provideNotified(names.largeUploadsQueue) });
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
  const policy = { deadLetterTargetArn: arnOf(dead.QueueUrl as string), maxReceiveCount };
  const Attributes = { ...more, RedrivePolicy: JSON.stringify(policy) };
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
  return arnOf(QueueUrl as string);
}

const arnOf = (queueUrl: string): string =>
  `arn:aws:sqs:us-east-1:000000000000:${queueUrl.split('/').at(-1)}`;

async function provideBucket(): Promise<void> {
  const client = s3();
  try {
    await client.send(new HeadBucketCommand({ Bucket: names.bucket }));
  } catch {
    await client.send(new CreateBucketCommand({ Bucket: names.bucket }));
  }
}

/** Creates the table of recorded answers. */
const provideAnswers = (client: DynamoDBClient): Promise<void> =>
  provideTable(client, {
    resource: IDEMPOTENCY_TABLE.name,
    key: { name: IDEMPOTENCY_TABLE.key, type: 'S' },
    partitions: [],
    indexes: [],
    timeToLive: IDEMPOTENCY_TABLE.timeToLive,
  });

/** Runs at each start, because an earlier start may have crashed after it created the table and before this step. */
async function provideTimeToLive(client: DynamoDBClient, { resource, timeToLive }: Table): Promise<void> {
  const TimeToLiveSpecification = { AttributeName: timeToLive, Enabled: true };
  try {
    await client.send(
      new UpdateTimeToLiveCommand({ TableName: names.table(resource), TimeToLiveSpecification }),
    );
  } catch (error) {
    // DynamoDB returns this error if the time to live is enabled already.
    if (!isNamed(error, 'ValidationException')) throw error;
  }
}

/** Creates a table and its missing indexes. */
export async function provideTable(
  client: DynamoDBClient,
  table: Table,
  stream?: StreamSpecification,
): Promise<void> {
  await provideItems(client, table, stream);
  if (table.timeToLive !== undefined) await provideTimeToLive(client, table);
}

async function provideItems(
  client: DynamoDBClient,
  table: Table,
  StreamSpecification?: StreamSpecification,
): Promise<void> {
  const TableName = names.table(table.resource);
  const AttributeDefinitions = attributesOf(table);
  try {
    const { Table: existing } = await client.send(new DescribeTableCommand({ TableName }));
    const known = new Set((existing?.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName));
    for (const index of table.indexes.filter(({ name }) => !known.has(name))) {
      const update = { Create: indexOf(index) as GlobalSecondaryIndex };
      await client.send(
        new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [update] }),
      );
    }
    if (StreamSpecification && !existing?.StreamSpecification?.StreamEnabled)
      await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  } catch (error) {
    if (!isNamed(error, 'ResourceNotFoundException')) throw error;
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions,
        KeySchema: [{ AttributeName: table.key.name, KeyType: 'HASH' }],
        StreamSpecification,
        // DynamoDB refuses an empty list.
        GlobalSecondaryIndexes: table.indexes.length > 0 ? table.indexes.map(indexOf) : undefined,
      }),
    );
  }
}

const indexOf = ({ name, partition, sort }: Index): GlobalSecondaryIndex => ({
  IndexName: name,
  KeySchema: [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort.name, KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'ALL' },
});

function attributesOf({ key, indexes }: Table): AttributeDefinition[] {
  const types = new Map<string, AttributeDefinition['AttributeType']>([[key.name, key.type]]);
  for (const { partition, partitionType, sort } of indexes)
    types.set(partition, partitionType).set(sort.name, sort.type);
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

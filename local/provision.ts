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
import { ATTEMPTS } from '../infra/attempts.ts';
import { ordersVariable } from '../infra/stored.ts';
import { dynamoDb } from '../shared/aws/clients.ts';
import { tableVariable } from '../shared/aws/config.ts';
import { isNamed } from '../shared/aws/faults.ts';
import { s3 } from '../shared/aws/s3.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { IDEMPOTENCY_TABLE } from '../shared/store/idempotency/answers.ts';
import { type Index, type Table, tableOf } from '../shared/store/items/table.ts';
import { names, queueUrl } from './names.ts';
import { notify } from './triggers/notify.ts';

/** What the stack tells its functions of these parts: the values of environment variables. */
export const variables = (registry: readonly Resource[]): Record<string, string> => ({
  ...Object.fromEntries(
    registry.flatMap(({ name, table }) => (table ? [[tableVariable(name), names.table(name)]] : [])),
  ),
  [tableVariable(IDEMPOTENCY_TABLE.name)]: names.table(IDEMPOTENCY_TABLE.name),
  BUCKET: names.bucket,
  OPERATIONS_QUEUE: queueUrl(names.queue),
  UPLOADS_QUEUE: queueUrl(names.uploadsQueue),
  // On one machine a dead worker is found sooner, and waiting costs nothing.
  LEASE_SECONDS: process.env.LEASE_SECONDS ?? '5',
  MAXIMUM_WAIT_SECONDS: '20',
  EVENT_BUS: names.bus,
  ...ordersVariable(registry),
});

/** Events are made from the changes of the resources' tables. */
const STREAM: StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };

/**
 * Creates what is missing of tables, indexes, streams, bucket and queues. Harmless to repeat. `tell` has the bucket tell a
 * queue (its ARN) of files, where S3's own way is not the way.
 */
export async function provision(
  registry: readonly Resource[],
  sqs: SQSClient,
  tell: (queue: string) => Promise<void> = notify,
): Promise<void> {
  for (const resource of registry) {
    if (resource.table) await provideTable(dynamoDb(), tableOf(resource), STREAM);
  }
  await provideAnswers(dynamoDb());
  await provideBucket();
  await provideQueue(sqs, names.queue, names.deadLetterQueue, ATTEMPTS.operations);
  const uploads = await provideQueue(
    sqs,
    names.uploadsQueue,
    names.uploadsDeadLetterQueue,
    ATTEMPTS.uploads,
    // The uploads function reads a large file for a while.
    { VisibilityTimeout: '900' },
  );
  await tell(uploads);
}

/** A queue, and the one that takes messages after so many failed attempts. Answers the ARN. */
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

/** The table of answers that are kept. */
const provideAnswers = (client: DynamoDBClient): Promise<void> =>
  provideTable(client, {
    resource: IDEMPOTENCY_TABLE.name,
    key: { name: IDEMPOTENCY_TABLE.key, type: 'S' },
    indexes: [],
    timeToLive: IDEMPOTENCY_TABLE.timeToLive,
  });

/** Repeated at each start, as a crash may have come between table and time to live. */
async function provideTimeToLive(client: DynamoDBClient, { resource, timeToLive }: Table): Promise<void> {
  const TimeToLiveSpecification = { AttributeName: timeToLive, Enabled: true };
  try {
    await client.send(
      new UpdateTimeToLiveCommand({ TableName: names.table(resource), TimeToLiveSpecification }),
    );
  } catch (error) {
    // What DynamoDB answers where it is enabled already.
    if (!isNamed(error, 'ValidationException')) throw error;
  }
}

async function provideTable(
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
  for (const { partition, sort } of indexes) types.set(partition, 'N').set(sort.name, sort.type);
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

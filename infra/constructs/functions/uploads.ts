import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { BINARIES } from '../../../shared/files/binaries/key.ts';
import { FILES, STAGED } from '../../../shared/files/uploads/record.ts';
import { INPUTS } from '../../../shared/operations/record/long-inputs.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { ATTEMPTS } from '../../attempts.ts';
import type { Options } from '../../options.ts';
import { allowing, dynamoDb, type Stores } from '../stores/grants.ts';
import { invisibleFor, QUEUE } from '../stores/queue.ts';
import { BackgroundFunction } from './bundled-function.ts';

/**
 * Seconds in which the function can read, hash and copy a file of 32 GiB: the maximum of Lambda. One core hashes
 * faster than S3 delivers.
 */
export const TIMEOUT_SECONDS = 900;
/**
 * The notifications of work that takes seconds: files that appear or disappear, and staged uploads in one request. A
 * service without files has those of binary properties alone.
 */
const OF_FILES = [
  { event: 's3:ObjectCreated:*', prefix: FILES },
  { event: 's3:ObjectRemoved:*', prefix: FILES },
  { event: 's3:ObjectCreated:Put', prefix: STAGED },
];
const OF_BINARIES = [{ event: 's3:ObjectCreated:*', prefix: BINARIES }];
/** The notifications of staged uploads in parts. The function reads and copies each of them for minutes. */
const LARGE = [{ event: 's3:ObjectCreated:CompleteMultipartUpload', prefix: STAGED }];

const hasFiles = (registry: readonly Resource[]): boolean => registry.some(({ name }) => name === 'files');

/** Returns the resources with binary properties. */
const ownersIn = (registry: readonly Resource[]): readonly string[] =>
  registry.filter(({ binaries }) => binaries).map(({ name }) => name);

/** True if S3 stores bytes of clients: of files, or of binary properties. */
export const hasBytes = (registry: readonly Resource[]): boolean =>
  hasFiles(registry) || ownersIn(registry).length > 0;

export interface UploadsProps {
  readonly registry: readonly Resource[];
  readonly stores: Stores;
  /** The directory with the bundled handler. */
  readonly bundle: string;
  readonly options: Options;
}

/**
 * Sends the notifications of S3 about files to the function that publishes and registers them. Queues keep them while
 * the function is unavailable. Large uploads have a queue and invocations of their own, so that no other notification
 * waits for them. A message that fails for good moves to the dead-letter queue. A batch is one message, because one
 * file can take minutes.
 *
 * Source: Amazon S3 User Guide, "Granting permissions to publish event notification messages to a destination"; AWS
 * Lambda Developer Guide, "Configuring a queue to use with Lambda".
 */
export class Uploads extends Construct {
  readonly lambda: Lambda;
  readonly queue: Queue;
  /** The queue of uploads in parts, if the service stores files. */
  readonly large: Queue | undefined;
  readonly dead: Queue;

  constructor(scope: Construct, id: string, { registry, stores, bundle, options }: UploadsProps) {
    super(scope, id);
    const owners = ownersIn(registry);
    const published = hasFiles(registry) ? ['files', 'operations'] : [];
    this.dead = new Queue(this, 'dead', QUEUE);
    this.queue = this.#queue('waiting');
    this.large = hasFiles(registry) ? this.#queue('large') : undefined;
    notify(stores.bucket, this.queue, this.large);
    const { lambda } = new BackgroundFunction(this, {
      name: 'uploads',
      description: 'Turns arrived uploads into files',
      bundle,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: {
        ...stores.tables.variable([
          ...published,
          ...owners,
          ...(owners.length > 0 && stores.tables.versions ? [VERSIONS_TABLE.name] : []),
        ]),
        BUCKET: stores.bucket.bucketName,
        UPLOADS_QUEUE: this.queue.queueUrl,
        ...(this.large && { LARGE_UPLOADS_QUEUE: this.large.queueUrl }),
        ...(options.shards === undefined ? {} : { SHARDS: String(options.shards) }),
      },
      options,
    });
    this.lambda = lambda;
    if (hasFiles(registry)) grantFiles(lambda, stores);
    grantBinaries(lambda, stores, owners);
    for (const queue of this.large ? [this.queue, this.large] : [this.queue])
      lambda.addEventSource(
        new SqsEventSource(queue, {
          batchSize: 1,
          reportBatchItemFailures: true,
          maxConcurrency: options.maximumWorkers,
        }),
      );
  }

  #queue(id: string): Queue {
    return new Queue(this, id, {
      ...QUEUE,
      visibilityTimeout: invisibleFor(TIMEOUT_SECONDS),
      deadLetterQueue: { queue: this.dead, maxReceiveCount: ATTEMPTS.uploads },
    });
  }
}

/**
 * Lets the bucket notify the queues, as a property of the bucket and without CDK's own function. S3 checks the policy
 * of each queue when CloudFormation creates the bucket. The policy therefore cannot name the bucket, and names the
 * account instead. `data bucket` gives the notifications to an adopted bucket.
 */
function notify(bucket: IBucket, queue: Queue, large: Queue | undefined): void {
  for (const one of large ? [queue, large] : [queue]) {
    one.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('s3.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [one.queueArn],
        conditions: { StringEquals: { 'aws:SourceAccount': one.stack.account } },
      }),
    );
    bucket.node.addDependency(one);
  }
  const to = ({ queueArn }: Queue, notifications: typeof LARGE) =>
    notifications.map(({ event, prefix }) => ({
      event,
      queue: queueArn,
      filter: { s3Key: { rules: [{ name: 'prefix', value: prefix }] } },
    }));
  const own = bucket.node.defaultChild;
  if (!(own instanceof CfnBucket)) return;
  own.notificationConfiguration = {
    queueConfigurations: [
      ...(large ? to(queue, OF_FILES) : []),
      ...to(queue, OF_BINARIES),
      ...(large ? to(large, LARGE) : []),
    ],
  };
}

/** Grants access to listing rows, records of operations and the objects of both. */
function grantFiles(lambda: Lambda, { tables, bucket: { bucketArn } }: Stores): void {
  const allow = allowing(lambda);
  const items = ['GetItem', 'UpdateItem'];
  allow({ actions: dynamoDb([...items, 'DeleteItem']), resources: [tables.of('files').tableArn] });
  allow({ actions: dynamoDb(items), resources: [tables.of('operations').tableArn] });
  // The function creates files and does not delete them.
  const making = ['GetObject', 'PutObject', 'AbortMultipartUpload', 'ListMultipartUploadParts'];
  allow({ actions: making.map((name) => `s3:${name}`), resources: [`${bucketArn}/${FILES}*`] });
  allow({ actions: ['s3:GetObject', 's3:DeleteObject'], resources: [`${bucketArn}/${STAGED}*`] });
  allow({ actions: ['s3:GetObject'], resources: [`${bucketArn}/${INPUTS}*`] });
}

/**
 * Grants the removal of bytes that no item names. S3 responds with 404 for a missing object only if the caller can list
 * the bucket.
 */
function grantBinaries(
  lambda: Lambda,
  { tables, bucket: { bucketArn } }: Stores,
  owners: readonly string[],
): void {
  const allow = allowing(lambda);
  // A service without binary properties has no table that names bytes.
  if (owners.length > 0)
    allow({ actions: ['dynamodb:GetItem'], resources: owners.map((name) => tables.of(name).tableArn) });
  if (owners.length > 0 && tables.versions)
    allow({ actions: ['dynamodb:Query'], resources: [tables.versions.tableArn] });
  allow({ actions: ['s3:GetObject', 's3:DeleteObject'], resources: [`${bucketArn}/${BINARIES}*`] });
  allow({
    actions: ['s3:ListBucket'],
    resources: [bucketArn],
    conditions: { StringLikeIfExists: { 's3:prefix': [`${FILES}*`, `${STAGED}*`, `${BINARIES}*`] } },
  });
}

import { Duration } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import {
  CfnEventSourceMapping,
  FilterCriteria,
  FilterRule,
  type Function as Lambda,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { NAME } from '../../../service/about.ts';
import { WAITING_TABLE } from '../../../shared/events/webhooks/waiting-table.ts';
import { BINARIES } from '../../../shared/files/binaries/key.ts';
import { clearedReferencesOf } from '../../../shared/resource/description/references.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { CHANGES_TABLE } from '../../../shared/store/form/log-table.ts';
import { VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import type { Options } from '../../options.ts';
import { letRead } from '../audit/audit-key.ts';
import { allowing, dynamoDb } from '../stores/grants.ts';
import { QUEUE } from '../stores/queue.ts';
import type { Tables } from '../stores/tables.ts';
import { BackgroundFunction } from './bundled-function.ts';

const TIMEOUT_SECONDS = 60;
/** Records in one batch. */
const BATCH = 100;
/** For how many retries Lambda tries a record. */
const RETRIES = 100;
/** No maximum age: a record that only waits keeps its version, its place in the log and its event. */
const UNLIMITED = -1;
/** The operations that Lambda needs to read a stream. Source: AWS SAM policy template `DynamoDBStreamReadPolicy`. */
const READ_STREAM = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];

export interface EventsProps {
  readonly registry: readonly Resource[];
  readonly tables: Tables;
  readonly bucket: IBucket;
  /** The queue of the worker. */
  readonly queue: Queue;
  /** The secret with the key of the hashes instead of callers, if there is one. */
  readonly auditKey: Secret | undefined;
  /** The directory with the bundled handler. */
  readonly bundle: string;
  readonly options: Options;
}

/**
 * Publishes changes of items as events on the service's own EventBridge bus. The streams of the tables invoke the
 * events function with batches of a shard. If several batches run at the same time, no two of them have changes of the
 * same item, so the changes of an item stay in order. After a failure, Lambda continues after the last published
 * record. A record that fails for good leaves a message with its stream position in the dead-letter queue.
 *
 * Source: AWS Lambda Developer Guide, "Process DynamoDB records with Lambda".
 */
export class Events extends Construct {
  readonly bus: EventBus;
  readonly lambda: Lambda;
  readonly dead: Queue;

  constructor(scope: Construct, id: string, props: EventsProps) {
    super(scope, id);
    const { registry, tables, bucket, queue, auditKey, bundle, options } = props;
    const resources = registry.filter(({ table }) => table);
    this.bus = new EventBus(this, 'bus', {
      eventBusName: options.name,
      description: 'Changes of the items of the service, as CloudEvents',
    });
    const { eventArchiveDays } = options;
    if (eventArchiveDays !== undefined)
      this.bus.archive('archive', {
        description: `Events of ${options.name}, to replay them`,
        eventPattern: { source: [NAME] },
        retention: Duration.days(eventArchiveDays),
      });
    const clears = resources.some((one) => clearedReferencesOf(one).length > 0);
    const { lambda } = new BackgroundFunction(this, {
      name: 'events',
      description: 'Publishes changes as events',
      bundle,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: {
        ...tables.variable([
          ...resources.map(({ name }) => name),
          ...(tables.versions ? [VERSIONS_TABLE.name] : []),
          ...(tables.changes ? [CHANGES_TABLE.name] : []),
          ...(tables.waiting ? [WAITING_TABLE.name] : []),
        ]),
        EVENT_BUS: this.bus.eventBusName,
        BUCKET: bucket.bucketName,
        ...(clears ? { OPERATIONS_QUEUE: queue.queueUrl } : {}),
        AWS_ENDPOINT_URL_EVENTBRIDGE: '',
      },
      options,
    });
    const allow = allowing(lambda);
    allow({ actions: ['events:PutEvents'], resources: [this.bus.eventBusArn] });
    const { versions, changes } = tables;
    if (versions) allow({ actions: ['dynamodb:PutItem'], resources: [versions.tableArn] });
    const keeps = resources.some(({ keptTotals }) => keptTotals);
    const onLog = ['BatchGetItem', 'PutItem', 'UpdateItem', ...(keeps ? ['DeleteItem'] : [])];
    if (changes) allow({ actions: dynamoDb(onLog), resources: [changes.tableArn] });
    // It removes the bytes that an item does not name after a change.
    allow({ actions: ['s3:DeleteObject'], resources: [`${bucket.bucketArn}/${BINARIES}*`] });
    if (clears) allow({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });
    letRead(lambda, auditKey);
    this.lambda = lambda;
    this.dead = new Queue(this, 'dead', QUEUE);
    for (const resource of resources)
      readStream(lambda, resource, {
        table: tables.of(resource.name),
        batch: BATCH,
        dead: this.dead,
        options,
      });
  }
}

/**
 * Lets the stream of the table of a resource invoke a function with its changes that are events. `maximumAge`: Lambda sets
 * older changes aside.
 */
export function readStream(
  lambda: Lambda,
  { name, events }: Resource,
  {
    table: { tableStreamArn },
    batch,
    maximumAge,
    dead,
    options,
  }: { table: ITableV2; batch: number; maximumAge?: Duration; dead: Queue; options: Options },
): void {
  if (!tableStreamArn) throw new Error(`The table of ${name} has no stream`);
  allowing(lambda)({ actions: dynamoDb(READ_STREAM), resources: [tableStreamArn] });
  const { node } = lambda.addEventSourceMapping(name, {
    eventSourceArn: tableStreamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: batch,
    parallelizationFactor: options.eventWorkers,
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    retryAttempts: RETRIES,
    maxRecordAge: maximumAge,
    onFailure: new SqsDlq(dead),
    filters: events?.finals ? [changesTo(events.field, events.finals)] : undefined,
  });
  // Without a value, an update would keep the age that a release before has set.
  if (!maximumAge && node.defaultChild instanceof CfnEventSourceMapping)
    node.defaultChild.maximumRecordAgeInSeconds = UNLIMITED;
}

/** Filters out other changes, such as the steps of an operation, so that they invoke no function. */
const changesTo = (field: string, states: readonly string[]) =>
  FilterCriteria.filter({ dynamodb: { NewImage: { [field]: { S: FilterRule.or(...states) } } } });

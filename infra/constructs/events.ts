import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  FilterCriteria,
  FilterRule,
  type Function as Lambda,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { tableVariable } from '../../shared/aws/config.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Options } from '../options.ts';
import { BackgroundFunction } from './background-function.ts';
import { SECURED } from './queue.ts';
import type { Tables } from './tables.ts';

const TIMEOUT_SECONDS = 60;
const MEMORY_MB = 256;
/** Changes handed over at once, and how often and how long one is tried. */
const BATCH = 100;
const RETRIES = 100;
const GIVEN_UP_HOURS = 6;
/** What Lambda itself does to read a stream. Source: AWS SAM policy template `DynamoDBStreamReadPolicy`. */
const READ_STREAM = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];

export interface EventsProps {
  readonly registry: readonly Resource[];
  readonly tables: Tables;
  /** The directory with the bundled handler. */
  readonly bundle: string;
  readonly options: Options;
}

/**
 * What happens to items, as events on a bus of the service's own. The tables' streams lead to a function, one batch of a
 * shard after the other, so that the changes of an item stay in order; it goes on behind the last one that was put. What
 * cannot be put is set aside: the queue tells where in the stream it is.
 *
 * Source: AWS Lambda Developer Guide, "Process DynamoDB records with Lambda".
 */
export class Events extends Construct {
  readonly bus: EventBus;
  readonly lambda: Lambda;
  readonly dead: Queue;

  constructor(scope: Construct, id: string, { registry, tables, bundle, options }: EventsProps) {
    super(scope, id);
    const resources = registry.filter(({ table }) => table);
    this.bus = new EventBus(this, 'bus', {
      eventBusName: options.name,
      description: 'What happened to the items of the service, as CloudEvents',
    });
    const { lambda } = new BackgroundFunction(this, {
      name: 'events',
      description: 'Events of changes',
      bundle,
      timeoutSeconds: TIMEOUT_SECONDS,
      memoryMb: MEMORY_MB,
      environment: {
        ...Object.fromEntries(resources.map(({ name }) => [tableVariable(name), tables.of(name).tableName])),
        EVENT_BUS: this.bus.eventBusName,
        AWS_ENDPOINT_URL_EVENTBRIDGE: '',
      },
      options,
    });
    lambda.addToRolePolicy(
      new PolicyStatement({ actions: ['events:PutEvents'], resources: [this.bus.eventBusArn] }),
    );
    this.lambda = lambda;
    this.dead = new Queue(this, 'dead', {
      ...SECURED,
      retentionPeriod: Duration.days(14),
    });
    for (const resource of resources) readStream(lambda, resource, tables.of(resource.name), this.dead);
  }
}

function readStream(
  lambda: Lambda,
  { name, events }: Resource,
  { tableStreamArn }: TableV2,
  dead: Queue,
): void {
  if (!tableStreamArn) throw new Error(`The table of ${name} has no stream`);
  lambda.addToRolePolicy(
    new PolicyStatement({
      actions: READ_STREAM.map((operation) => `dynamodb:${operation}`),
      resources: [tableStreamArn],
    }),
  );
  lambda.addEventSourceMapping(name, {
    eventSourceArn: tableStreamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: BATCH,
    parallelizationFactor: 1,
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    retryAttempts: RETRIES,
    maxRecordAge: Duration.hours(GIVEN_UP_HOURS),
    onFailure: new SqsDlq(dead),
    filters: events?.finals ? [changesTo(events.field, events.finals)] : undefined,
  });
}

/** The others, such as the steps of an operation, call nobody. */
const changesTo = (field: string, states: readonly string[]) =>
  FilterCriteria.filter({ dynamodb: { NewImage: { [field]: { S: FilterRule.or(...states) } } } });

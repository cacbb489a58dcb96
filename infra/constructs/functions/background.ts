import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { isBackfillable } from '../../../functions/worker/backfill/backfill.ts';
import { tablesOf } from '../../../service/derived/tables.ts';
import type { Comparison } from '../../../shared/aws/clients/queue.ts';
import { WAITING_TABLE } from '../../../shared/events/webhooks/waiting-table.ts';
import { OPERATION_FACTS } from '../../../shared/operations/record/operations.ts';
import { clearedReferencesOf } from '../../../shared/resource/description/references.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { CLEAR_INDEX, VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import type { Options } from '../../options.ts';
import { namespaceOf } from '../api/api-metrics.ts';
import {
  allowing,
  dynamoDb,
  grantFacts,
  grantGivingUp,
  grantScan,
  grantSweep,
  grantWork,
  type Stores,
} from '../stores/grants.ts';
import { GIVING_UP_SECONDS, type OperationsQueue, WORK_SECONDS } from '../stores/queue.ts';
import { BackgroundFunction } from './bundled-function.ts';
import { giveNeeds, neededByRequests } from './needs.ts';
import { environmentOf } from './resource-function.ts';

const SWEEP_SECONDS = 50;

/**
 * Returns what the worker compares every day: files with their list, in case a notification of S3 was lost; bytes of
 * binary properties with the versions that name them, because versions expire.
 */
const comparedDaily = (registry: readonly Resource[]): Comparison['of'][] => [
  ...(registry.some(({ name }) => name === 'files') ? (['files'] as const) : []),
  ...(registry.some(({ history, binaries }) => history && binaries) ? (['bytes'] as const) : []),
];

/**
 * Returns the metric of messages that the operations queue gave up: the dead-letters function writes a line for
 * each. An invocation proves nothing, because the function may fail.
 */
export const givenUp = (options: Options): Metric =>
  new Metric({
    namespace: namespaceOf(options),
    metricName: 'GivenUp',
    statistic: Stats.SUM,
    period: Duration.minutes(5),
  });

export interface BackgroundProps {
  readonly registry: readonly Resource[];
  readonly stores: Stores;
  readonly queues: OperationsQueue;
  readonly options: Options;
  /** The directory with a bundled handler. */
  readonly bundleOf: (name: string) => string;
}

/**
 * The functions that run after responses. The worker runs accepted operations of every resource. The dead-letters
 * function marks abandoned operations as failed. The sweeper sends messages of lost operations again.
 *
 * Source: AWS Lambda Developer Guide, "Using Lambda with Amazon SQS", "Configuring scaling behavior for SQS event
 * source mappings"; Amazon EventBridge User Guide, "Creating a scheduled rule".
 */
export class Background extends Construct {
  readonly functions: Readonly<Record<'worker' | 'dead-letters' | 'sweeper', Lambda>>;

  constructor(
    scope: Construct,
    id: string,
    { registry, stores, queues, options, bundleOf }: BackgroundProps,
  ) {
    super(scope, id);
    const { tables, queue } = stores;
    const made = (
      name: string,
      props: {
        description: string;
        timeoutSeconds: number;
        environment: Record<string, string>;
        sendsToItself?: boolean;
      },
    ): Lambda => new BackgroundFunction(this, { name, bundle: bundleOf(name), options, ...props }).lambda;

    const worked = registry.filter(
      (resource) => resource.deferral || isBackfillable(resource) || clearedReferencesOf(resource).length > 0,
    );
    const all = worked.map((resource) => environmentOf(resource, stores, options));
    const worker = made('worker', {
      description: 'Runs accepted operations',
      timeoutSeconds: WORK_SECONDS,
      // A long operation continues in another run. Each run advances the checkpoint, so the chain of runs ends.
      sendsToItself: true,
      environment: Object.assign(
        {},
        ...all,
        // Commands of operators find all tables by the environment of the worker.
        tables.variable(tablesOf(registry).map(({ resource }) => resource)),
      ),
    });
    for (const resource of worked) {
      grantFacts(worker, resource, stores);
      if (resource.deferral) giveNeeds(worker, neededByRequests(resource), options);
    }
    for (const resource of worked.filter(isBackfillable)) grantScan(worker, resource, stores);
    grantWork(worker, stores);
    const clears = tables.versions !== undefined && registry.some(({ isCleared }) => isCleared);
    if (clears) grantClearing(worker, stores);
    // A backfill counts the totals that the service keeps anew.
    if (tables.changes && registry.some(({ keptTotals }) => keptTotals))
      allowing(worker)({
        actions: dynamoDb(['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem']),
        resources: [tables.changes.tableArn],
      });
    worker.addEventSource(
      new SqsEventSource(queue, {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: options.maximumWorkers,
      }),
    );

    const deadLetters = made('dead-letters', {
      description: 'Closes abandoned operations',
      timeoutSeconds: GIVING_UP_SECONDS,
      environment: tables.variable([OPERATION_FACTS.name, IDEMPOTENCY_TABLE.name]),
    });
    grantGivingUp(deadLetters, stores);
    const { namespace: metricNamespace, metricName } = givenUp(options);
    if (!options.local)
      new MetricFilter(this, 'given-up', {
        logGroup: deadLetters.logGroup,
        metricNamespace,
        metricName,
        filterPattern: FilterPattern.exists('$.times'),
      });
    deadLetters.addEventSource(new SqsEventSource(queues.deadLetters, { reportBatchItemFailures: true }));

    const sweeper = made('sweeper', {
      description: 'Sends messages of overdue work again',
      timeoutSeconds: SWEEP_SECONDS,
      environment: {
        ...tables.variable([OPERATION_FACTS.name, ...(tables.waiting ? [WAITING_TABLE.name] : [])]),
        OPERATIONS_QUEUE: queue.queueUrl,
      },
    });
    grantSweep(sweeper, stores);
    new Rule(this, 'every-minute', {
      description: 'Invokes the sweeper',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(sweeper)],
    });
    const daily = [
      ...comparedDaily(registry).map((of) => ({ compare: { of } })),
      ...(clears ? [{ ended: {} }] : []),
    ];
    if (daily.length > 0)
      new Rule(this, 'every-day', {
        description:
          'Makes the worker compare files with their list, bytes with the versions that name them, and find removed items that cannot return',
        schedule: Schedule.rate(Duration.days(1)),
        targets: daily.map((one) => new SqsQueue(queue, { message: RuleTargetInput.fromObject(one) })),
      });
    this.functions = { worker, 'dead-letters': deadLetters, sweeper };
  }
}

/** Permissions of the worker to find removed items that cannot return, and to claim and remove their rows. */
function grantClearing(grantee: Lambda, { tables }: Stores): void {
  const { tableArn } = tables.of(VERSIONS_TABLE.name);
  const allow = allowing(grantee);
  allow({ actions: ['dynamodb:Query'], resources: [tableArn, `${tableArn}/index/${CLEAR_INDEX.name}`] });
  allow({ actions: dynamoDb(['UpdateItem', 'DeleteItem']), resources: [tableArn] });
}

import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { NAMESPACE } from '../../../shared/lambda/measures.ts';
import type { Options } from '../../options.ts';
import { apiMetric, failureRate } from '../api/api-metrics.ts';

/** The functions, tables and queues that the alarms and the dashboard monitor. */
export interface Watched {
  /** Functions that serve requests. */
  readonly served: readonly IFunction[];
  /** Functions that run after responses, by name: worker, dead-letters, sweeper, events, uploads. */
  readonly background: Readonly<Record<string, IFunction>>;
  readonly tables: readonly TableV2[];
  /** Queues of pending work, each with the age in seconds above which its oldest message is late. */
  readonly waiting: Readonly<Record<string, { readonly queue: Queue; readonly late: number }>>;
  /** Dead-letter queues. */
  readonly dead: Readonly<Record<string, Queue>>;
}

/** The condition of an alarm: `periods` of the last `of` periods are above the threshold. */
interface Condition {
  /** The alarm compares the sum of several metrics. */
  readonly metric: IMetric | readonly IMetric[];
  readonly above: number;
  readonly periods?: number;
  readonly of?: number;
  readonly description: string;
}

const FIVE_MINUTES = Duration.minutes(5);
/** Milliseconds, including the time in API Gateway. */
const SLOW = 3000;
/** Milliseconds between a change and its event. */
const LATE_EVENT = 300_000;

/**
 * Alarms on failures and delays that clients notice, on late work and on abandoned work. docs/operations.md says what
 * to do about each. An SNS topic gets them, and `alarmEmail` subscribes to it.
 *
 * Source: Amazon CloudWatch User Guide, "Best practice alarm recommendations for AWS services".
 */
export class Alarms extends Construct {
  readonly topic: Topic;
  /** The alarm on the share of failed requests. It rolls a deployment back. */
  readonly failures: Alarm;

  constructor(scope: Construct, id: string, { watched, options }: { watched: Watched; options: Options }) {
    super(scope, id);
    this.topic = topicFor(this, options);
    const alarms = Object.entries(conditions(watched, options)).flatMap(([name, condition]) =>
      summed(condition.metric).map((metric, at) => {
        const { above, periods = 1, of = periods, description } = condition;
        const id = at === 0 ? name : `${name}-${at + 1}`;
        const alarm = new Alarm(this, id, {
          alarmName: `${options.name}-${id}`,
          alarmDescription: `${description} What to do: docs/operations.md#${name}`,
          metric,
          threshold: above,
          comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
          evaluationPeriods: of,
          datapointsToAlarm: periods,
          treatMissingData: TreatMissingData.NOT_BREACHING,
        });
        const action = new SnsAction(this.topic);
        alarm.addAlarmAction(action);
        alarm.addOkAction(action);
        return alarm;
      }),
    );
    this.failures = alarms.find(({ node }) => node.id === 'failures') as Alarm;
  }
}

function conditions(
  { served, background, tables, waiting, dead }: Watched,
  options: Options,
): Record<string, Condition> {
  const of = (name: string) => background[name] as IFunction;
  return {
    failures: {
      metric: failureRate(options),
      above: 0.01,
      periods: 3,
      of: 5,
      description: 'More than 1 % of the requests ended with 5xx.',
    },
    latency: {
      metric: apiMetric(options, 'Latency', { statistic: Stats.p(99), period: FIVE_MINUTES }),
      above: SLOW,
      periods: 3,
      description: `One request in a hundred took longer than ${SLOW} ms.`,
    },
    'throttled-functions': {
      metric: served.map((one) => one.metricThrottles({ period: FIVE_MINUTES })),
      above: 0,
      description: 'Lambda refused to run functions that clients wait for.',
    },
    'throttled-reads': {
      metric: tables.flatMap((one) => throttled(one, READS)),
      above: 0,
      periods: 2,
      description: 'DynamoDB refused reads.',
    },
    'throttled-writes': {
      metric: tables.flatMap((one) => throttled(one, WRITES)),
      above: 0,
      periods: 2,
      description: 'DynamoDB refused writes.',
    },
    'background-errors': {
      // Lambda counts no error if a function reports single messages of a batch as failed.
      metric: Object.entries(background).flatMap(([name, one]) => [
        one.metricErrors({ period: FIVE_MINUTES }),
        failuresOf(name, options),
      ]),
      above: 2,
      description: 'Background functions fail.',
    },
    'given-up': {
      // The function empties this queue at once, so the length of the queue shows nothing.
      metric: of('dead-letters').metricInvocations({ period: FIVE_MINUTES }),
      above: 0,
      description: 'The service abandoned operations after five attempts.',
    },
    'late-events': {
      metric: of('events').metric('IteratorAge', { statistic: Stats.MAXIMUM, period: FIVE_MINUTES }),
      above: LATE_EVENT,
      description: 'Changes of more than five minutes ago have no event yet.',
    },
    ...Object.fromEntries(
      Object.entries(waiting).map(([name, { queue, late }]): [string, Condition] => [
        `late-${name}`,
        {
          metric: queue.metricApproximateAgeOfOldestMessage({ period: FIVE_MINUTES }),
          above: late,
          description: `Something in the queue of ${name} waits for longer than ${late} s.`,
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(dead).map(([name, queue]): [string, Condition] => [
        `dead-${name}`,
        {
          metric: queue.metricApproximateNumberOfMessagesVisible({
            statistic: Stats.MAXIMUM,
            period: FIVE_MINUTES,
          }),
          above: 0,
          periods: 2,
          description: `Something of ${name} was set aside, and stays there.`,
        },
      ]),
    ),
  };
}

/** The failures that a function counts in a metric. */
const failuresOf = (resource: string, { name }: Options): Metric =>
  new Metric({
    namespace: NAMESPACE,
    metricName: 'Failures',
    dimensionsMap: { service: name, resource },
    statistic: Stats.SUM,
    period: FIVE_MINUTES,
  });

/** The DynamoDB operations in use. The metric of one operation covers a table and its indexes. */
const READS = ['GetItem', 'Query'];
const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];

/** Source: Amazon DynamoDB Developer Guide, "DynamoDB metrics and dimensions" (ThrottledRequests). */
export const throttled = (table: TableV2, operations: readonly string[]): Metric[] =>
  operations.map((Operation) =>
    table.metric('ThrottledRequests', {
      dimensionsMap: { TableName: table.tableName, Operation },
      statistic: Stats.SUM,
      period: FIVE_MINUTES,
    }),
  );

/** Maximum number of metrics in one alarm. Source: Amazon CloudWatch API Reference, PutMetricAlarm. */
const TOGETHER = 10;

/** The sum of metrics. Returns several sums if there are more metrics than one alarm allows. */
function summed(metric: IMetric | readonly IMetric[]): IMetric[] {
  if (!Array.isArray(metric)) return [metric as IMetric];
  const [some, others] = [metric.slice(0, TOGETHER), metric.slice(TOGETHER)];
  const usingMetrics = Object.fromEntries(some.map((one, at) => [`m${at}`, one]));
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
  const sum = new MathExpression({ expression, usingMetrics, period: FIVE_MINUTES, label: 'all together' });
  return others.length === 0 ? [sum] : [sum, ...summed(others)];
}

/**
 * Encrypted only in transit. CloudWatch cannot use the AWS managed key for topics, and a customer managed key has a
 * price for each request.
 */
function topicFor(scope: Construct, { name, alarmEmail }: Options): Topic {
  const topic = new Topic(scope, 'topic', { displayName: `Alarms of ${name}`, enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': topic.stack.account } },
    }),
  );
  if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
  return topic;
}

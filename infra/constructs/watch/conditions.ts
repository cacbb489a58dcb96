import { Duration } from 'aws-cdk-lib';
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { COMPARISON_STOPPED, NAMESPACE } from '../../../shared/lambda/logs/measures.ts';
import type { Options } from '../../options.ts';
import { failureRate, type Refused, refusedShare } from '../api/api-metrics.ts';
import { givenUp } from '../functions/background.ts';
import { burnRate, FAST_BURN, OBJECTIVES, type Objective, SHORT_WINDOW, SLOW_BURN } from './objectives.ts';
import type { Urgency } from './topics.ts';

/** The functions, tables and queues that the alarms and the dashboard monitor. */
export interface Watched {
  /** Functions that serve requests. */
  readonly served: readonly IFunction[];
  /** Functions that run after responses, by name: worker, dead-letters, sweeper, events, uploads. */
  readonly background: Readonly<Record<string, IFunction>>;
  /** The functions that call `onChange` of resources. They are in `background` too. */
  readonly changes: readonly IFunction[];
  readonly tables: readonly ITableV2[];
  /** Queues of pending work, each with the age in seconds above which its oldest message is late. */
  readonly waiting: Readonly<Record<string, { readonly queues: readonly Queue[]; readonly late: number }>>;
  /** Dead-letter queues. */
  readonly dead: Readonly<Record<string, Queue>>;
}

/** The condition of an alarm: `periods` of the last `of` periods are above the threshold. */
export interface Condition {
  /** The alarm compares the sum of several metrics, or their `maximum`. */
  readonly metric: IMetric | readonly IMetric[];
  readonly maximum?: true;
  readonly above: number;
  /** The alarm rings only while this metric is above the threshold too. */
  readonly and?: IMetric;
  readonly periods?: number;
  readonly of?: number;
  readonly description: string;
  /** Absent: `ticket`. */
  readonly urgency?: Urgency;
}

export const FIVE_MINUTES = Duration.minutes(5);
export const LARGEST = { statistic: Stats.MAXIMUM, period: FIVE_MINUTES };
/** Milliseconds between a change and its event, or the call of `onChange`. */
const LATE_EVENT = 300_000;
/** Requests in five minutes below which a share says nothing: one client with a wrong token is not a fault of the service. */
const FEW = 100;

/** Returns the conditions by the names of their alarms. docs/operations.md has a section for each name. */
export function conditions(
  { served, background, changes, tables, waiting, dead }: Watched,
  options: Options,
): Record<string, Condition> {
  const of = (name: string) => background[name] as IFunction;
  return {
    ...burns('availability', options),
    ...burns('speed', options),
    ...refusals(options),
    failures: {
      metric: failureRate(options),
      above: 0.01,
      periods: 3,
      of: 5,
      description: 'More than 1 % of the requests ended with 5xx.',
    },
    'throttled-functions': {
      metric: served.map((one) => one.metricThrottles({ period: FIVE_MINUTES })),
      above: 0,
      description: 'Lambda refused to run functions that clients wait for.',
      urgency: 'now',
    },
    'throttled-reads': {
      metric: tables.flatMap((one) => throttledRequests(one, READS)),
      above: 0,
      periods: 2,
      description: 'DynamoDB refused reads.',
    },
    'throttled-writes': {
      metric: tables.flatMap((one) => throttledRequests(one, WRITES)),
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
      metric: givenUp(options),
      above: 0,
      description:
        'The service gave up operations after ten attempts, or did not clear references to removed items: backfill the referring resources.',
    },
    'comparison-stopped': {
      metric: stoppedComparisons(options),
      above: 0,
      description:
        'A comparison of the bucket with tables removed nothing, because it would have removed too much.',
    },
    'late-events': {
      metric: iteratorAge(of('events')),
      above: LATE_EVENT,
      description:
        'Changes of more than five minutes ago have no event yet. The stream keeps them for a day.',
      urgency: 'now',
    },
    ...(changes.length > 0
      ? {
          'late-changes': {
            metric: changes.map(iteratorAge),
            maximum: true,
            above: LATE_EVENT,
            description: 'onChange has not processed changes of more than five minutes ago.',
          },
        }
      : {}),
    ...Object.fromEntries(
      Object.entries(waiting).map(([name, { queues, late }]): [string, Condition] => [
        `late-${name}`,
        {
          metric: queues.map((one) => one.metricApproximateAgeOfOldestMessage({ period: FIVE_MINUTES })),
          maximum: true,
          above: late,
          description: `Something in a queue of ${name} waits for longer than ${late} s.`,
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(dead).map(([name, queue]): [string, Condition] => [
        `dead-${name}`,
        {
          // A function that fails hides the message again and again.
          metric: [
            queue.metricApproximateNumberOfMessagesVisible(LARGEST),
            queue.metricApproximateNumberOfMessagesNotVisible(LARGEST),
          ],
          above: 0,
          periods: 2,
          description: `The dead-letter queue of ${name} has a message. It stays there until a person acts.`,
          ...(name === 'changes' ? { urgency: 'now' } : {}),
        },
      ]),
    ),
  };
}

/** Alarms on the share of an error budget that requests use: one at once for an hour, a ticket for six hours. */
const burns = (objective: Objective, options: Options): Record<string, Condition> => ({
  [`${objective}-fast`]: {
    metric: burnRate(options, objective, { window: FAST_BURN.window }),
    and: burnRate(options, objective, { window: SHORT_WINDOW, few: 0 }),
    above: FAST_BURN.rate,
    description: `${OBJECTIVES[objective].about}: an hour used 2 % of what 30 days can miss.`,
    urgency: 'now',
  },
  [`${objective}-slow`]: {
    metric: burnRate(options, objective, { window: SLOW_BURN.window }),
    above: SLOW_BURN.rate,
    description: `${OBJECTIVES[objective].about}: six hours used 5 % of what 30 days can miss.`,
  },
});

/** Alarms on requests that API Gateway refuses and no function sees. */
function refusals(options: Options): Record<string, Condition> {
  const share = (status: Refused, above: number): Pick<Condition, 'metric' | 'above' | 'periods'> => ({
    metric: refusedShare(options, status, { floor: FEW, period: FIVE_MINUTES }),
    above,
    periods: 3,
  });
  return {
    unauthenticated: {
      ...share(401, 0.5),
      description: 'More than half of the requests have no valid token.',
      urgency: 'now',
    },
    forbidden: {
      ...share(403, 0.5),
      description: 'More than half of the requests lack a scope.',
      urgency: 'now',
    },
    'too-many-requests': {
      ...share(429, 0.05),
      description: 'API Gateway refused more than 5 % of the requests, because they exceeded a limit.',
    },
  };
}

/** Milliseconds between a change and its delivery to a function. */
const iteratorAge = (lambda: IFunction): IMetric =>
  lambda.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: FIVE_MINUTES });

/** Returns the metric of comparisons of the bucket that removed nothing, because they would have removed too much. */
const stoppedComparisons = ({ name }: Options): Metric =>
  new Metric({
    namespace: NAMESPACE,
    metricName: COMPARISON_STOPPED.metric,
    dimensionsMap: { service: name },
    statistic: Stats.SUM,
    period: FIVE_MINUTES,
  });

/** Returns the failures that a function counts in a metric. */
const failuresOf = (resource: string, { name }: Options): Metric =>
  new Metric({
    namespace: NAMESPACE,
    metricName: 'Failures',
    dimensionsMap: { service: name, resource },
    statistic: Stats.SUM,
    period: FIVE_MINUTES,
  });

/**
 * The DynamoDB operations of requests. The metric of one operation covers a table and its indexes. It counts a
 * BatchGetItem only if DynamoDB refuses each of its keys, so that operation is not among them.
 */
const READS = ['GetItem', 'Query'];
const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];

/** Source: Amazon DynamoDB Developer Guide, "DynamoDB metrics and dimensions" (ThrottledRequests). */
export const throttledRequests = (table: ITableV2, operations: readonly string[]): Metric[] =>
  operations.map((Operation) =>
    table.metric('ThrottledRequests', {
      dimensionsMap: { TableName: table.tableName, Operation },
      statistic: Stats.SUM,
      period: FIVE_MINUTES,
    }),
  );

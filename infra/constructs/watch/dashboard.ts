import { Aws, Duration } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  SingleValueWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { NAMESPACE } from '../../../shared/lambda/logs/measures.ts';
import type { Options } from '../../options.ts';
import { apiMetric, failureRate, REFUSALS, refusedShare } from '../api/api-metrics.ts';
import { throttledRequests, type Watched } from './conditions.ts';
import { burnRate, FAST_BURN, met, OBJECTIVES, type Objective, SLOW_BURN } from './objectives.ts';

/**
 * Returns a dashboard of the service. The first row has the objectives, the second one the metrics of requests.
 * Functions, tables and queues follow. Its name has the region, because an account has one dashboard of a name in all
 * regions.
 *
 * Source: Amazon CloudWatch API Reference, PutDashboard; Amazon CloudWatch User Guide, "Search expressions".
 */
export function dashboard(scope: Construct, id: string, watched: Watched, options: Options): Dashboard {
  const period = Duration.minutes(5);
  const graph = (title: string, left: IMetric[], right: IMetric[] = []): IWidget =>
    new GraphWidget({ title, left, right, width: 8, height: 6 });
  /** Returns a metric that the service writes, with one line for each resource. */
  const own = (metricName: string, statistic: string) =>
    new MathExpression({
      expression: `SEARCH('{${NAMESPACE},service,resource} service="${options.name}" MetricName="${metricName}"', '${statistic}', 300)`,
      usingMetrics: {},
      label: '',
      period,
    });
  const objectives = Object.keys(OBJECTIVES) as Objective[];
  const { served, background, tables, waiting, dead } = watched;
  return new Dashboard(scope, id, {
    dashboardName: `${options.name}-${Aws.REGION}`,
    defaultInterval: Duration.hours(6),
    widgets: [
      [
        new SingleValueWidget({
          title: 'Objectives, % of 30 days',
          metrics: objectives.map((objective) => met(options, objective)),
          start: '-P30D',
          setPeriodToTimeRange: true,
          width: 8,
          height: 6,
        }),
        new GraphWidget({
          title: 'Burn rates: 1 uses the whole budget in 30 days',
          left: objectives.flatMap((objective) =>
            [FAST_BURN, SLOW_BURN].map(({ window }) => burnRate(options, objective, { window })),
          ),
          leftAnnotations: [FAST_BURN, SLOW_BURN].map(({ rate, window }) => ({
            value: rate,
            label: `alarm, ${window.toHumanString()}`,
          })),
          width: 8,
          height: 6,
        }),
        graph(
          'Refused: share by status',
          REFUSALS.map((status) => refusedShare(options, status, { period })),
        ),
      ],
      [
        graph(
          'Requests',
          [apiMetric(options, 'Count')],
          [apiMetric(options, '4XXError'), failureRate(options)],
        ),
        graph(
          'Latency, ms',
          ['p50', 'p99'].map((statistic) => apiMetric(options, 'Latency', { statistic, label: statistic })),
        ),
        graph('Requests by resource', [own('Requests', 'Sum')]),
      ],
      [
        graph('Duration by resource, p99, ms', [own('Duration', 'p99')]),
        graph('Cold starts', [own('ColdStarts', 'Sum')]),
        graph('DynamoDB units by resource', [own('ReadUnits', 'Sum'), own('WriteUnits', 'Sum')]),
      ],
      [
        graph(
          'Functions: throttles and errors',
          served.map((one) => one.metricThrottles({ period })),
          Object.values(background).map((one) => one.metricErrors({ period })),
        ),
        graph(
          'Tables: throttled',
          tables.flatMap((table) =>
            throttledRequests(table, ['GetItem', 'Query', 'UpdateItem', 'TransactWriteItems']),
          ),
        ),
        graph(
          'Queues: age of the oldest, s; dead letters',
          Object.values(waiting).flatMap(({ queues }) =>
            queues.map((one) => one.metricApproximateAgeOfOldestMessage({ period })),
          ),
          Object.values(dead).map((queue) => queue.metricApproximateNumberOfMessagesVisible({ period })),
        ),
      ],
    ],
  });
}

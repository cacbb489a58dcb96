import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { NAMESPACE } from '../../../shared/lambda/logs/measures.ts';
import type { Options } from '../../options.ts';

/**
 * Returns a metric of the stage, by API name and stage name. An alarm that refers to the stage itself would be a
 * circular dependency: the stage depends on the functions, and their deployments on the alarm.
 *
 * Source: API Gateway Developer Guide, "Amazon API Gateway dimensions and metrics".
 */
export const apiMetric = (
  { name, stage }: Options,
  metricName: 'Count' | '4XXError' | '5XXError' | 'Latency' | 'IntegrationLatency',
  more: MetricOptions = {},
): Metric =>
  new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap: { ApiName: name, Stage: stage },
    period: Duration.minutes(1),
    statistic: Stats.SUM,
    ...more,
  });

/** Share of requests that ended with 5xx: 0 to 1. */
export const failureRate = (options: Options): Metric =>
  apiMetric(options, '5XXError', { statistic: Stats.AVERAGE, label: '5xx' });

/** Statuses whose share of the requests has an alarm. API Gateway's own metrics count all 4xx together. */
export const REFUSALS = [401, 403, 429] as const;

export type Refused = (typeof REFUSALS)[number];

/** Returns the namespace of the metrics of a deployment: a filter cannot add its name as a dimension. */
export const namespaceOf = ({ name }: Options) => `${NAMESPACE}/${name}`;

/**
 * Counts the refused requests in the access log: one metric, `Refused`, by status.
 *
 * Source: Amazon CloudWatch Logs User Guide, "Filter pattern syntax for metric filters", "Publishing dimensions with
 * metrics from values in JSON or space-delimited log events".
 */
export function countRefusals(accessLog: LogGroup, options: Options): void {
  new MetricFilter(accessLog, 'refused', {
    logGroup: accessLog,
    metricNamespace: namespaceOf(options),
    metricName: 'Refused',
    filterPattern: FilterPattern.any(
      ...REFUSALS.map((status) => FilterPattern.stringValue('$.status', '=', String(status))),
    ),
    metricValue: '1',
    dimensions: { status: '$.status' },
  });
}

/** Share of the requests that got this status: 0 to 1. With fewer requests than `floor` in the period, 0. */
export const refusedShare = (
  options: Options,
  status: Refused,
  { floor = 1, period }: { floor?: number; period: Duration },
): MathExpression =>
  new MathExpression({
    expression: `IF(requests >= ${floor}, FILL(refused${status}, 0) / requests, 0)`,
    usingMetrics: {
      requests: apiMetric(options, 'Count', { period }),
      [`refused${status}`]: new Metric({
        namespace: namespaceOf(options),
        metricName: 'Refused',
        dimensionsMap: { status: String(status) },
        statistic: Stats.SUM,
        period,
      }),
    },
    period,
    label: String(status),
  });

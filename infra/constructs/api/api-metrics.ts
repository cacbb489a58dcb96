import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Options } from '../../options.ts';

/**
 * A metric of the stage, by API name and stage name. An alarm that refers to the stage itself would be a circular
 * dependency: the stage depends on the functions, and their deployments on the alarm.
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

import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Options } from '../../options.ts';
import { apiMetric } from '../api/api-metrics.ts';

/** The objectives for requests over 30 days. */
export type Objective = 'availability' | 'speed';

/** `budget`: the share of the requests of 30 days that can miss the objective. */
export const OBJECTIVES: Readonly<Record<Objective, { readonly budget: number; readonly about: string }>> = {
  availability: { budget: 0.001, about: 'The objective is 99.9 % of the requests without 5xx' },
  speed: { budget: 0.01, about: 'The objective is 99 % of the requests within 3 s' },
};

/** Milliseconds that a request can take, including the time in API Gateway. */
const IN_TIME = 3000;

/** A burn rate, and the window that shows it. Rate 1 uses the whole budget in 30 days. */
interface Burn {
  readonly rate: number;
  readonly window: Duration;
}

/** Uses 2 % of the budget in an hour. The short window ends the alarm soon after the cause. */
export const FAST_BURN: Burn = { rate: 14.4, window: Duration.hours(1) };
export const SHORT_WINDOW = Duration.minutes(5);
/** Uses 5 % of the budget in six hours. */
export const SLOW_BURN: Burn = { rate: 6, window: Duration.hours(6) };

/**
 * Missed requests in a window up to which a share says nothing: with ten requests an hour, one failure is 10 %. Three
 * failures of ten are a fault.
 */
const FEW = 2;

/**
 * Returns the number and the share of requests of a window that missed an objective. Metrics of one graph need different
 * names.
 */
function missedShare(options: Options, objective: Objective, window: Duration) {
  const at = window.toMinutes();
  const requests = `requests${at}`;
  const count = { [requests]: apiMetric(options, 'Count', { period: window }) };
  if (objective === 'availability') {
    const missed = `failed${at}`;
    const metrics = { ...count, [missed]: apiMetric(options, '5XXError', { period: window }) };
    return { requests, missed, share: `${missed} / ${requests}`, metrics };
  }
  const statistic = Stats.percentileRank(0, IN_TIME);
  const inTime = apiMetric(options, 'Latency', { period: window, statistic });
  const share = `(1 - inTime${at} / 100)`;
  return {
    requests,
    missed: `${requests} * ${share}`,
    share,
    metrics: { ...count, [`inTime${at}`]: inTime },
  };
}

/**
 * How fast the requests of a window use the budget of an objective. If no more than `few` requests missed it, 0.
 *
 * Source: Google, The Site Reliability Workbook, "Alerting on SLOs"; Amazon CloudWatch User Guide, "CloudWatch
 * statistics definitions" (percentile rank).
 */
export function burnRate(
  options: Options,
  objective: Objective,
  { window, few = FEW }: { window: Duration; few?: number },
): MathExpression {
  const { missed, share, metrics } = missedShare(options, objective, window);
  return new MathExpression({
    // A percentile rank is not exact, so the comparison is half a request away from a whole number.
    expression: `IF(${missed} > ${few + 0.5}, ${share} / ${OBJECTIVES[objective].budget}, 0)`,
    usingMetrics: metrics,
    period: window,
    label: `${objective}, ${window.toHumanString()}`,
  });
}

/** Returns the share of requests that met an objective, in %. */
export function met(options: Options, objective: Objective): MathExpression {
  const period = Duration.days(1);
  const { requests, share, metrics } = missedShare(options, objective, period);
  return new MathExpression({
    expression: `IF(${requests} >= 1, 100 * (1 - ${share}), 100)`,
    usingMetrics: metrics,
    period,
    label: objective,
  });
}

import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { NAMESPACE } from '../../../shared/lambda/logs/measures.ts';

/** The judgement about new code: an alarm rings and rolls the code back if the metric exceeds `above`. */
export interface Judgement {
  readonly metric: IMetric;
  readonly above: number;
}

const MINUTE = { period: Duration.minutes(1), statistic: Stats.SUM };

/** Requests that got 5xx, or that Lambda could not run. */
const FAILED = '(FILL(failures, 0) + FILL(errors, 0))';
/** Failures in a minute below which the share says nothing: one error of the network must not undo a deployment. */
const FEW = 3;

/**
 * Returns the share of a function's requests that fail in a minute: more than 5 % of them, and at least three.
 *
 * A function responds with 500 if its code throws, so Lambda counts no error. The metric therefore adds the function's
 * own metrics to Lambda's errors, which count code that cannot start.
 */
export function failingRequests(service: string, resource: string, alias: Alias): Judgement {
  const own = (metricName: string) =>
    new Metric({ namespace: NAMESPACE, metricName, dimensionsMap: { service, resource }, ...MINUTE });
  const metric = new MathExpression({
    expression: `IF(${FAILED} >= ${FEW}, ${FAILED} / (FILL(requests, 0) + FILL(errors, 0)), 0)`,
    usingMetrics: {
      failures: own('Failures'),
      requests: own('Requests'),
      errors: alias.metricErrors(MINUTE),
    },
    period: MINUTE.period,
    label: 'failed',
  });
  return { metric, above: 0.05 };
}

/** Refusals of the new code in a minute below which the share says nothing. */
const FEW_REFUSALS = 10;

/**
 * Returns how much more often the new version of the authorizer ends with an error than the version before it: by a
 * quarter of its invocations in a minute, and at least ten times. Lambda counts each 401 as an error, and clients cause
 * some of them at any time. A share alone would therefore say nothing about the code.
 *
 * Source: AWS Lambda Developer Guide, "Types of metrics for Lambda functions" (dimension ExecutedVersion).
 */
export function refusedTokens(alias: Alias): Judgement {
  const { lambda, version } = alias;
  const ofNewCode = (metricName: 'Errors' | 'Invocations') =>
    new Metric({
      namespace: 'AWS/Lambda',
      metricName,
      dimensionsMap: {
        FunctionName: lambda.functionName,
        Resource: `${lambda.functionName}:${alias.aliasName}`,
        ExecutedVersion: version.version,
      },
      ...MINUTE,
    });
  const before = '(FILL(all, 0) - FILL(invocations, 0))';
  const metric = new MathExpression({
    expression: `IF(FILL(errors, 0) >= ${FEW_REFUSALS}, errors / invocations - IF(${before} > 0, (FILL(refused, 0) - errors) / ${before}, 0), 0)`,
    usingMetrics: {
      errors: ofNewCode('Errors'),
      invocations: ofNewCode('Invocations'),
      refused: alias.metricErrors(MINUTE),
      all: alias.metricInvocations(MINUTE),
    },
    period: MINUTE.period,
    label: 'refused more often',
  });
  return { metric, above: 0.25 };
}

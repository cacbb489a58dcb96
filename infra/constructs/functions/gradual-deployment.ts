import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { NAMESPACE } from '../../../shared/lambda/measures.ts';

const MINUTE = Duration.minutes(1);
/** Share of a function's requests that can fail in a minute of a canary deployment. */
const BEARABLE = 0.05;
/** Requests that got 5xx, or that Lambda could not run. */
const FAILED = '(FILL(failures, 0) + FILL(errors, 0))';
/** Failures in a minute below which the share says nothing: one error of the network must not undo a deployment. */
const FEW = 3;

/**
 * Canary deployments of functions. New code first gets a tenth of the requests, and after five minutes all of them.
 * CodeDeploy rolls back if at least three requests of a minute, and more than 5 % of them, fail.
 *
 * A function responds with 500 if its code throws, so Lambda counts no error. The alarm therefore adds the function's
 * own metrics to Lambda's errors, which count code that cannot start.
 *
 * Source: AWS CodeDeploy User Guide, "Deployments on an AWS Lambda compute platform"; AWS Lambda Developer Guide,
 * "Using function aliases".
 */
export class GradualDeployment extends Construct {
  readonly #service: string;
  readonly #failures: Alarm;
  readonly #application: LambdaApplication;
  readonly #role: Role;

  constructor(scope: Construct, id: string, { service, failures }: { service: string; failures: Alarm }) {
    super(scope, id);
    this.#service = service;
    this.#failures = failures;
    this.#application = new LambdaApplication(this, 'application');
    this.#role = new Role(this, 'role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      description: 'Moves requests to new code',
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
      ],
    });
  }

  /** Deploys new versions of an alias gradually. `resource`: the resource that its function serves. */
  add(resource: string, alias: Alias): void {
    const scope = new Construct(this, resource);
    const own = (metricName: string) =>
      new Metric({
        namespace: NAMESPACE,
        metricName,
        dimensionsMap: { service: this.#service, resource },
        statistic: Stats.SUM,
        period: MINUTE,
      });
    const broken = new Alarm(scope, 'broken', {
      alarmDescription: `New code of ${resource} fails: its deployment is taken back. What to do: docs/operations.md#new-code`,
      metric: new MathExpression({
        expression: `IF(${FAILED} >= ${FEW}, ${FAILED} / (FILL(requests, 0) + FILL(errors, 0)), 0)`,
        usingMetrics: {
          failures: own('Failures'),
          requests: own('Requests'),
          errors: alias.metricErrors({ period: MINUTE, statistic: Stats.SUM }),
        },
        period: MINUTE,
        label: 'failed',
      }),
      threshold: BEARABLE,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    new LambdaDeploymentGroup(scope, 'group', {
      application: this.#application,
      alias,
      role: this.#role,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [broken, this.#failures],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
  }
}

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
import { NAMESPACE } from '../../shared/lambda/measures.ts';

const MINUTE = Duration.minutes(1);
/** Share of a function's answers that may fail while a tenth of them is made by new code. */
const BEARABLE = 0.05;

/**
 * New code of functions for a tenth of the requests first, for all after five minutes; for none again as soon as it cannot
 * be run, or one answer in twenty is a 5xx. A function answers 500 where its code throws, so that Lambda counts no error:
 * it is the function's own metrics that tell.
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

  /** Lets an alias come to new code step by step. `resource`: what its function serves. */
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
        expression: 'FILL(failures, 0) / FILL(requests, 1) + FILL(errors, 0)',
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

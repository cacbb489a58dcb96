import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

/**
 * New code of functions for a tenth of the requests first, for all after five minutes; for none again as soon as the new
 * code throws or too many requests fail.
 *
 * Source: AWS CodeDeploy User Guide, "Deployments on an AWS Lambda compute platform"; AWS Lambda Developer Guide,
 * "Using function aliases".
 */
export class GradualDeployment extends Construct {
  readonly #application: LambdaApplication;
  readonly #role: Role;
  readonly #failures: Alarm;

  constructor(scope: Construct, id: string, { failures }: { failures: Alarm }) {
    super(scope, id);
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

  /** The function as clients reach it: its present version, or the one before while the new one is tried. */
  live(name: string, lambda: Lambda): Alias {
    const scope = new Construct(this, name);
    const alias = new Alias(scope, 'live', { aliasName: 'live', version: lambda.currentVersion });
    const errors = new Alarm(scope, 'errors', {
      alarmDescription: `New code of ${name} throws: its deployment is taken back. What to do: docs/operations.md#new-code`,
      metric: alias.metricErrors({ period: Duration.minutes(1), statistic: Stats.SUM }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    new LambdaDeploymentGroup(scope, 'group', {
      application: this.#application,
      alias,
      role: this.#role,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [errors, this.#failures],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    return alias;
  }
}

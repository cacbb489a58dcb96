import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Judgement } from './canary-metrics.ts';

/**
 * Canary deployments of functions. New code first gets a tenth of the requests, and after five minutes all of them.
 * CodeDeploy rolls back if the alarm about the new code or the alarm about all requests rings.
 *
 * Source: AWS CodeDeploy User Guide, "Deployments on an AWS Lambda compute platform"; AWS Lambda Developer Guide,
 * "Using function aliases".
 */
export class GradualDeployment extends Construct {
  readonly #failures: Alarm;
  readonly #application: LambdaApplication;
  readonly #role: Role;

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

  /**
   * Deploys new versions of an alias gradually, in the stack of the alias. `name`: the resource that its function
   * serves, or `authorizer`.
   */
  add(name: string, alias: Alias, { metric, above }: Judgement): void {
    const scope = new Construct(alias, 'deployment');
    const broken = new Alarm(scope, 'broken', {
      alarmDescription: `New code of ${name} fails: its deployment is taken back. What to do: docs/operations.md#new-code`,
      metric,
      threshold: above,
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

import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias, CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { RUNBOOK_COMMAND } from '../../../service/folders.ts';
import type { Options } from '../../options.ts';
import type { Judgement } from './canary-metrics.ts';
import { PreTraffic } from './pre-traffic.ts';

export interface CanaryDeploymentProps {
  /** The alarm about all requests. */
  readonly failures: Alarm;
  /** The directory with the bundled handler of the pre-traffic function. */
  readonly bundle: string;
  readonly options: Options;
}

/**
 * Canary deployments of functions. New code must first pass the pre-traffic check. It then gets a tenth of the
 * requests, and after five minutes all of them. CodeDeploy rolls back if the alarm about the new code or the alarm
 * about all requests rings.
 *
 * Source: AWS CodeDeploy User Guide, "Deployments on an AWS Lambda compute platform"; AWS Lambda Developer Guide,
 * "Using function aliases".
 */
export class CanaryDeployment extends Construct {
  readonly #failures: Alarm;
  readonly #application: LambdaApplication;
  readonly #preTraffic: PreTraffic;
  readonly #role: Role;
  readonly #runbook: string;

  constructor(scope: Construct, id: string, { failures, bundle, options }: CanaryDeploymentProps) {
    super(scope, id);
    this.#failures = failures;
    this.#runbook = options.runbook;
    const application = new LambdaApplication(this, 'application');
    this.#application = application;
    this.#preTraffic = new PreTraffic(this, 'check', { application, bundle, options });
    this.#role = new Role(this, 'role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      description: 'Moves requests to new code',
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
      ],
      // A policy in the role itself exists before the first deployment that needs it.
      inlinePolicies: {
        hook: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [this.#preTraffic.functionArn],
            }),
          ],
        }),
      },
    });
  }

  /**
   * Adds the canary deployments of an alias, in the stack of the alias. `name`: the resource that its function serves,
   * or `authorizer`. It is also the name of the deployment group, by which the pre-traffic function chooses the event
   * for the new code. Without a judgement about the new code, the alarm about all requests decides alone.
   */
  add(name: string, alias: Alias, judgement: Judgement | undefined): void {
    const scope = new Construct(alias, 'deployment');
    const broken = judgement && this.#broken(scope, name, judgement);
    const { deploymentGroupName } = new LambdaDeploymentGroup(scope, 'group', {
      application: this.#application,
      deploymentGroupName: name,
      alias,
      role: this.#role,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [...(broken ? [broken] : []), this.#failures],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    const update = alias.node.defaultChild as CfnAlias;
    // `preHook` of the group would name the group in the role of the function: a circle between two stacks.
    update.cfnOptions.updatePolicy = {
      codeDeployLambdaAliasUpdate: {
        applicationName: this.#application.applicationName,
        deploymentGroupName,
        beforeAllowTrafficHook: this.#preTraffic.functionName,
      },
    };
    // CDK passes a name from another stack only if it finds the name outside of the update policy.
    update.addMetadata('BeforeAllowTrafficHook', this.#preTraffic.functionName);
    update.addResourceDependency(this.#preTraffic.mayInvoke(scope, alias));
  }

  #broken(scope: Construct, name: string, { metric, above }: Judgement): Alarm {
    return new Alarm(scope, 'broken', {
      alarmDescription: `New code of ${name} fails, and CodeDeploy rolls it back. What to do: ${RUNBOOK_COMMAND} new-code, or ${this.#runbook}#new-code`,
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

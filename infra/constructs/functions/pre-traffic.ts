import { Stack } from 'aws-cdk-lib';
import type { LambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import { type Alias, CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Options } from '../../options.ts';
import { allowing } from '../stores/grants.ts';
import { BackgroundFunction } from './bundled-function.ts';

/** Two invocations of new code, which end after 30 s each, and the calls of CodeDeploy. */
const TIMEOUT_SECONDS = 90;

export interface PreTrafficProps {
  /** The application whose deployments the function judges. */
  readonly application: LambdaApplication;
  /** The directory with the bundled handler. */
  readonly bundle: string;
  readonly options: Options;
}

/**
 * The function that invokes new code before clients do. CodeDeploy calls it at the start of each canary deployment.
 *
 * Source: AWS CodeDeploy User Guide, "AppSpec 'hooks' section for an AWS Lambda deployment", "CodeDeploy permissions
 * reference".
 */
export class PreTraffic extends Construct {
  readonly functionName: string;
  readonly functionArn: string;
  readonly #roleArn: string;

  constructor(scope: Construct, id: string, { application, bundle, options }: PreTrafficProps) {
    super(scope, id);
    const { lambda } = new BackgroundFunction(this, {
      name: 'pre-traffic',
      description: 'Checks new code before it gets requests',
      bundle,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: {},
      options,
    });
    if (!lambda.role) throw new Error('The pre-traffic function has no role');
    this.functionName = lambda.functionName;
    this.functionArn = lambda.functionArn;
    this.#roleArn = lambda.role.roleArn;
    const { partition, region, account } = Stack.of(this);
    const allow = allowing(lambda);
    allow({ actions: ['codedeploy:GetApplicationRevision'], resources: [application.applicationArn] });
    allow({
      actions: ['codedeploy:GetDeployment', 'codedeploy:PutLifecycleEventHookExecutionStatus'],
      // The stacks of the groups name this function, so the function cannot name the groups.
      resources: [
        `arn:${partition}:codedeploy:${region}:${account}:deploymentgroup:${application.applicationName}/*`,
      ],
    });
  }

  /**
   * Lets the function invoke the version of an alias. The permission belongs to the version. In a policy of the role,
   * the stack of the role and the stack of the version would need each other.
   *
   * Source: AWS Lambda API Reference, AddPermission (Principal, Qualifier).
   */
  mayInvoke(scope: Construct, { version }: Alias): CfnPermission {
    return new CfnPermission(scope, 'check', {
      action: 'lambda:InvokeFunction',
      functionName: version.functionArn,
      principal: this.#roleArn,
    });
  }
}

import {
  CodeDeployClient,
  type CodeDeployClientConfig,
  GetApplicationRevisionCommand,
  GetDeploymentCommand,
  PutLifecycleEventHookExecutionStatusCommand,
} from '@aws-sdk/client-codedeploy';
import { lazyClient, withoutLogger } from '../../shared/aws/clients/client.ts';

/** The event with which CodeDeploy invokes the function of a hook. */
export interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

/** New code that CodeDeploy is about to deploy. */
export interface Target {
  /** The name of the deployment group: a resource, or `authorizer`. */
  readonly group: string;
  /** The name of the Lambda function, and the number of its new version. */
  readonly name: string;
  readonly version: string;
}

/** The part of an AppSpec that names the new code. */
interface AppSpec {
  readonly Resources?: readonly Readonly<Record<string, { readonly Properties?: Properties }>>[];
}
interface Properties {
  readonly Name?: string;
  readonly TargetVersion?: string;
}

const codeDeploy = /* @__PURE__ */ lazyClient((settings) =>
  withoutLogger(new CodeDeployClient(settings as CodeDeployClientConfig)),
);

/**
 * Returns the new code of a deployment. GetDeployment never returns the content of the AppSpec, so a second call reads
 * it. CloudFormation writes it in JSON.
 *
 * @throws Error if the AppSpec names no version; the errors of the SDK
 *
 * Source: AWS CodeDeploy API Reference, GetDeployment, GetApplicationRevision; AWS CodeDeploy User Guide, "AppSpec
 * 'resources' section (Amazon ECS and AWS Lambda deployments)".
 */
export async function targetOf(deploymentId: string): Promise<Target> {
  const { deploymentInfo } = await codeDeploy().send(new GetDeploymentCommand({ deploymentId }));
  const { applicationName, deploymentGroupName, revision } = deploymentInfo ?? {};
  const read = await codeDeploy().send(new GetApplicationRevisionCommand({ applicationName, revision }));
  const content = read.revision?.string?.content ?? read.revision?.appSpecContent?.content ?? '{}';
  const { Resources: [one = {}] = [] }: AppSpec = JSON.parse(content);
  const { Name: name, TargetVersion: version } = Object.values(one)[0]?.Properties ?? {};
  if (deploymentGroupName === undefined || name === undefined || version === undefined)
    throw new Error(`The AppSpec of deployment ${deploymentId} names no new version of a function`);
  return { group: deploymentGroupName, name, version };
}

/**
 * Lets a deployment continue, or stops it. CodeDeploy waits for this call for an hour.
 *
 * Source: AWS CodeDeploy API Reference, PutLifecycleEventHookExecutionStatus.
 */
export async function report(event: HookEvent, status: 'Succeeded' | 'Failed'): Promise<void> {
  await codeDeploy().send(
    new PutLifecycleEventHookExecutionStatusCommand({
      deploymentId: event.DeploymentId,
      lifecycleEventHookExecutionId: event.LifecycleEventHookExecutionId,
      status,
    }),
  );
}

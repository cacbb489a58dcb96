import { expect, test } from '@jest/globals';
import { PROBES } from '../../../service/catalog.ts';
import { registry } from '../../../service/registry.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { allowed, allowedTo } from '../permissions.ts';
import { functionBehind, type Part, synthesize, target } from '../synthesis.ts';

const service = await synthesize();
const hook = service.functionOf('pre-traffic');
const role = target(hook.Properties.Role);
const aliases = service.parts('AWS::Lambda::Alias') as (Part & {
  readonly UpdatePolicy: { readonly CodeDeployLambdaAliasUpdate: Readonly<Record<string, unknown>> };
  readonly DependsOn: string | readonly string[];
})[];
const application = service.one('AWS::CodeDeploy::Application').id;

test('CodeDeploy calls the pre-traffic function before it deploys new code of any function', () => {
  expect(aliases).toHaveLength(registry.length + 1);
  for (const { UpdatePolicy } of aliases) {
    const { BeforeAllowTrafficHook, ApplicationName } = UpdatePolicy.CodeDeployLambdaAliasUpdate;
    expect([target(BeforeAllowTrafficHook), target(ApplicationName)]).toEqual([hook.id, application]);
  }
});

test('the name of a deployment group says which event its function gets', () => {
  const names = atLeastOne(aliases).map(({ Properties, UpdatePolicy }) => {
    const group = service.byId(target(UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName));
    const name = String(group.Properties.DeploymentGroupName);
    expect(target(Properties.FunctionName)).toBe(service.functionOf(name).id);
    return name;
  });
  expect(names.sort()).toEqual([...Object.keys(PROBES), 'authorizer'].sort());
});

test('the pre-traffic function may invoke the new version before its alias refers to it, and no other version', () => {
  const permissions = service
    .parts('AWS::Lambda::Permission')
    .filter(({ Properties }) => target(Properties.Principal) === role);
  expect(permissions).toHaveLength(aliases.length);
  for (const { Properties, id, DependsOn } of atLeastOne(aliases)) {
    const version = target(Properties.FunctionVersion);
    const own = permissions.find(({ Properties: { FunctionName } }) => target(FunctionName) === version);
    expect(own?.Properties.Action).toBe('lambda:InvokeFunction');
    expect(service.byId(version).Type).toBe('AWS::Lambda::Version');
    // Ids in DependsOn are those of the nested stack.
    expect([DependsOn].flat().some((one) => own?.id.endsWith(one))).toBe(true);
    expect(functionBehind(service, id)).toBe(target(service.byId(version).Properties.FunctionName));
  }
});

test('the pre-traffic function may read and judge the deployments of its application, and nothing else', () => {
  const place = (kind: string) =>
    `arn:AWS::Partition:codedeploy:AWS::Region:AWS::AccountId:${kind}:${application}`;
  const { LogGroup } = hook.Properties.LoggingConfig as { LogGroup: unknown };
  expect(allowed(service, 'pre-traffic')).toEqual(
    [
      `codedeploy:GetApplicationRevision ${place('application')}`,
      `codedeploy:GetDeployment ${place('deploymentgroup')}/*`,
      `codedeploy:PutLifecycleEventHookExecutionStatus ${place('deploymentgroup')}/*`,
      ...['CreateLogStream', 'PutLogEvents'].map((one) => `logs:${one} ${target(LogGroup)}`),
    ]
      .map((one) => `Allow ${one}`)
      .sort(),
  );
});

test('CodeDeploy may invoke the pre-traffic function, and no other', () => {
  const [group] = service.parts('AWS::CodeDeploy::DeploymentGroup');
  const deployer = service.byId(target(group?.Properties.ServiceRoleArn));
  const [{ PolicyDocument } = {}] = deployer.Properties.Policies as { PolicyDocument?: unknown }[];
  expect(PolicyDocument).toMatchObject({
    Statement: [
      { Action: 'lambda:InvokeFunction', Effect: 'Allow', Resource: { 'Fn::GetAtt': [hook.id, 'Arn'] } },
    ],
  });
  expect(allowedTo(service, deployer.id)).toEqual([]);
});

test('its time-out allows two invocations of the slowest function', () => {
  const slowest = Math.max(
    ...registry.map(({ name }) => Number(service.functionOf(name).Properties.Timeout)),
  );
  expect(hook.Properties.Timeout).toBeGreaterThan(2 * slowest);
});

test('deployments all at once have no pre-traffic function', async () => {
  const atOnce = await synthesize({ deployment: 'all-at-once' });
  const names = atOnce.parts('AWS::Lambda::Function').map(({ Metadata }) => Metadata?.SamResourceId);
  expect(names).toContain('authorizer');
  expect(names).not.toContain('pre-traffic');
});

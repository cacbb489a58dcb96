import { Names, type Stack, Token, Validations } from 'aws-cdk-lib';
import { CfnApplication } from 'aws-cdk-lib/aws-codedeploy';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { registry } from '../service/registry.ts';
import { BINARIES } from '../shared/files/binaries/key.ts';
import { FILES, STAGED } from '../shared/files/uploads/record.ts';
import { INPUTS } from '../shared/operations/record/long-inputs.ts';
import type { Permission } from '../shared/resource/needs.ts';
import type { Options } from './options.ts';

/** AWS Solutions rules that the stack does not follow, by number, each with the reason. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  APIG2:
    'The functions validate requests and answer with problem documents; a request model would duplicate these checks',
  APIG3: 'A firewall is an option (-c waf=count), because it has a price for each request',
  APIG6:
    'Execution logs would hold header fields and paths, which can contain personal data; the other logs do not',
  COG2: 'Programs have no second factor; for people it is optional, and an operator can require it in the user pool',
  COG4: 'A Lambda authorizer accepts tokens of any OpenID Connect issuer, which includes the user pool',
  COG8: 'Threat protection has a price for each person who signs in; an operator can choose the plan Plus',
  S1: 'Access logs of the bucket would contain file names; an operator who needs a record can turn on CloudTrail',
  SMG4: 'A new key would part the lines of a caller; the operator chooses the time with the option auditKey',
  SQS3: 'This queue is itself the dead-letter queue for events that the function could not publish',
};

/** Prefixes of the bucket. Clients choose the names of the objects, so a permission can only name the prefix. */
const PREFIXES = [
  ...[FILES, STAGED, INPUTS, BINARIES],
  ...registry.flatMap(({ name, binaries, uses }) => [
    ...(binaries ? [`${BINARIES}${name}/`] : []),
    ...uses.flatMap((use) => ('objects' in use ? [use.objects] : [])),
  ]),
];

/** Construct id of the bucket with the files that a deployment publishes. */
export const PUBLISHED = 'published';

/** Exceptions for the functions that CDK adds, in their own roles. */
const BROUGHT: Readonly<Record<string, string>> = {
  L1: 'CDK chooses the runtime of the function that it adds',
  'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]':
    'CDK adds this function to publish the site, or to read the stream of an adopted table',
  ...Object.fromEntries(
    [
      'Action::s3:Abort*',
      'Action::s3:DeleteObject*',
      'Action::s3:GetBucket*',
      'Action::s3:GetObject*',
      'Action::s3:List*',
    ].map((finding) => [
      `IAM5[${finding}]`,
      'CDK grants its function access to read assets and to write the site',
    ]),
  ),
};

/** Partition, region and account as cdk-nag writes them: literally if the operator set them. */
function placeOf({ partition, account, region }: Stack) {
  const named = (value: string, otherwise: string) => (Token.isUnresolved(value) ? otherwise : value);
  return {
    partition: named(partition, '<AWS::Partition>'),
    region: named(region, '<AWS::Region>'),
    account: named(account, '<AWS::AccountId>'),
  };
}

/** ARN of CDK's asset objects. */
function assetsOf(stack: Stack): string {
  const { partition, region, account } = placeOf(stack);
  return `arn:${partition}:s3:::cdk-hnb659fds-assets-${account}-${region}/*`;
}

/** ARN of the deployment groups of an application of CodeDeploy. */
function groupsOf(stack: Stack, application: CfnApplication): string {
  const { partition, region, account } = placeOf(stack);
  return `arn:${partition}:codedeploy:${region}:${account}:deploymentgroup:<${stack.getLogicalId(application)}>/*`;
}

const MANAGED: Readonly<Record<string, string>> = {
  AWSCodeDeployRoleForLambdaLimited:
    'AWS maintains this policy for AWS CodeDeploy; it allows no invocation of a function',
  AmazonAPIGatewayPushToCloudWatchLogs: 'AWS maintains this policy, which lets API Gateway write logs',
};

/**
 * Records the reason for each rule that the stack does not follow. Any other finding fails the synthesis.
 *
 * Source: cdk-nag, "Rules and property overrides" (AwsSolutions); AWS CDK API Reference, Validations.
 */
export function acknowledge(
  stack: Stack,
  { tracing, adoptedBucket }: Pick<Options, 'tracing' | 'adoptedBucket'>,
): void {
  for (const [rule, reason] of Object.entries(EVERYWHERE)) say(stack, rule, reason);
  for (const [policy, reason] of Object.entries(MANAGED))
    say(stack, `IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/${policy}]`, reason);

  for (const one of stack.node.findAll().filter((part) => part instanceof CfnApplication))
    say(
      stack,
      `IAM5[Resource::${groupsOf(stack, one)}]`,
      'The stacks of the deployment groups name the pre-traffic function, so it can only name their application',
    );
  if (tracing) say(stack, 'IAM5[Resource::*]', 'The X-Ray actions support no resource ARN');

  const buckets = stack.node.findAll().filter((one): one is CfnBucket => one instanceof CfnBucket);
  const adopted =
    adoptedBucket === undefined ? [] : [`arn:${placeOf(stack).partition}:s3:::${adoptedBucket}`];
  for (const arn of [...buckets.flatMap((bucket) => arnsOf(stack, bucket)), ...adopted]) {
    for (const prefix of PREFIXES)
      say(
        stack,
        `IAM5[Resource::${arn}/${prefix}*]`,
        `Clients choose the names of the objects below ${prefix}`,
      );
  }

  const brought = stack.node.children.filter(({ node }) => /^(?:Custom::|AWS679f)/.test(node.id));
  for (const scope of brought) {
    for (const [rule, reason] of Object.entries(BROUGHT)) say(scope, rule, reason);
    say(scope, `IAM5[Resource::${assetsOf(stack)}]`, 'CDK grants its function access to read assets');
    for (const published of buckets.filter(({ node }) => node.path.includes(`/${PUBLISHED}/`)))
      for (const arn of arnsOf(stack, published))
        say(scope, `IAM5[Resource::${arn}/*]`, 'CDK grants its function access to write the site');
  }
}

/** Returns the ARN of a bucket as cdk-nag writes it: in the stack of the bucket, and in a nested stack, as a parameter. */
const arnsOf = (stack: Stack, bucket: CfnBucket): string[] => [
  `<${stack.getLogicalId(bucket)}.Arn>`,
  `<referenceto${Names.nodeUniqueId(bucket.node)}Arn>`,
];

/** AWS Solutions rules that the edge stack does not follow, each with the reason. */
const AT_THE_EDGE: Readonly<Record<string, string>> = {
  CFR1: 'The API has callers in every country',
  CFR2: 'A firewall is an option, because it has a price for each request',
  CFR3: 'Access logs of CloudFront would hold paths and addresses, which can contain personal data',
  CFR4: 'Without domainName, the certificate is CloudFront’s own, which has a fixed lowest protocol',
  CFR7: 'The function signs each URL for S3; if CloudFront had its own access, anyone could read every object',
};

/** Records the reason for each rule that the edge stack does not follow. */
export function acknowledgeEdge(edge: Stack): void {
  for (const [rule, reason] of Object.entries(AT_THE_EDGE)) say(edge, rule, reason);
}

/** Records the reason for each rule that the pipeline stack does not follow. */
export function acknowledgePipeline(pipeline: Stack): void {
  say(
    pipeline,
    'IAM5[Resource::arn:<AWS::Partition>:cognito-idp:<AWS::Region>:<AWS::AccountId>:userpool/*]',
    'A condition on the tag of the service limits the user pools',
  );
}

/** Records that the author of a definition has stated the statements with a `*`. */
export function acknowledgeNeeds(role: IConstruct, of: string, may: readonly Permission[]): void {
  const reason = `The definition of ${of} states it in needs.may`;
  for (const { actions, on } of may) {
    for (const one of actions.filter((name) => name.includes('*'))) say(role, `IAM5[Action::${one}]`, reason);
    for (const one of on.filter((arn) => arn.includes('*'))) say(role, `IAM5[Resource::${one}]`, reason);
  }
}

/** The rules of AWS Solutions for some stacks. They judge no other stack of the app. */
export class OwnStacks extends AwsSolutionsChecks {
  readonly #stacks: readonly Stack[];

  constructor(stacks: readonly Stack[]) {
    super();
    this.#stacks = stacks;
  }

  override validate(): ReturnType<AwsSolutionsChecks['validate']> {
    const violations = this.#stacks.flatMap((stack) => this.validateScope(stack).violations);
    return { success: violations.length === 0, violations };
  }
}

const say = (scope: IConstruct, rule: string, reason: string): void =>
  Validations.of(scope).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });

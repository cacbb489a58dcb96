import { type Stack, Token, Validations } from 'aws-cdk-lib';
import { CfnMethod } from 'aws-cdk-lib/aws-apigateway';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';
import { INPUTS } from '../shared/aws/inputs.ts';
import { FILES, STAGED } from '../shared/files/uploads/record.ts';
import type { Options } from './options.ts';

/** Rules of AWS Solutions that this stack does not follow, by number, and why not. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  APIG2:
    'The functions validate requests themselves and answer with problem documents; a model here would be a second opinion',
  APIG3: 'A firewall is the operator’s choice (-c waf=true): it costs by the request',
  APIG6:
    'Execution logs would hold header fields and paths, which name people’s things; the access log and the functions’ own do not',
  COG2: 'Programs get tokens by their credentials; people may turn on a second factor, and no page signs them in yet',
  COG4: 'A Lambda authorizer takes the tokens of any OpenID Connect issuer, those of the user pool among them',
  COG8: 'Threat protection watches people sign in; the callers here are programs',
  S1: 'Access logs of objects would name people’s files; CloudTrail can record them where an operator needs that',
  SQS3: 'The queue is where events are set aside that could not be put: nothing reads it but people',
};

/** Prefixes of the bucket: the objects below are named by clients, so that a permission can name the prefix alone. */
const PREFIXES = [FILES, STAGED, INPUTS, 'images/', 'site/'];

/** The bucket with what a deployment publishes. */
export const PUBLISHED = 'published';

/** What the parts that CDK brings along need, in their own roles. */
const BROUGHT: Readonly<Record<string, string>> = {
  L1: 'CDK chooses the runtime of the function that it brings along',
  'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]':
    'Of the function that CDK brings along to publish the site',
  ...Object.fromEntries(
    [
      'Action::s3:Abort*',
      'Action::s3:DeleteObject*',
      'Action::s3:GetBucket*',
      'Action::s3:GetObject*',
      'Action::s3:List*',
    ].map((finding) => [`IAM5[${finding}]`, 'CDK’s own grant to read assets and write the site']),
  ),
};

/** The objects that CDK publishes; cdk-nag names account and region where the operator did. */
function assetsOf({ partition, account, region }: Stack): string {
  const named = (value: string, otherwise: string) => (Token.isUnresolved(value) ? otherwise : value);
  const bucket = `cdk-hnb659fds-assets-${named(account, '<AWS::AccountId>')}-${named(region, '<AWS::Region>')}`;
  return `arn:${named(partition, '<AWS::Partition>')}:s3:::${bucket}/*`;
}

const MANAGED: Readonly<Record<string, string>> = {
  AWSCodeDeployRoleForLambdaLimited: 'What AWS CodeDeploy needs, as AWS keeps it; it invokes no function',
  AmazonAPIGatewayPushToCloudWatchLogs: 'What API Gateway needs to write logs, as AWS keeps it',
};

/**
 * Says of each rule that is not followed why not; what is not said here fails the synthesis.
 *
 * Source: cdk-nag, "Rules and property overrides" (AwsSolutions); AWS CDK API Reference, Validations.
 */
export function acknowledge(stack: Stack, { tracing }: Pick<Options, 'tracing'>): void {
  for (const [rule, reason] of Object.entries(EVERYWHERE)) say(stack, rule, reason);
  for (const [policy, reason] of Object.entries(MANAGED))
    say(stack, `IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/${policy}]`, reason);

  if (tracing) say(stack, 'IAM5[Resource::*]', 'X-Ray takes traces for no resource that could be named');

  const all = stack.node.findAll();
  const buckets = all.filter((one): one is CfnBucket => one instanceof CfnBucket);
  const arnOf = (bucket: CfnBucket) => `<${stack.getLogicalId(bucket)}.Arn>`;
  for (const arn of buckets.map(arnOf)) {
    for (const prefix of PREFIXES)
      say(stack, `IAM5[Resource::${arn}/${prefix}*]`, `Objects below ${prefix}, whose names clients choose`);
  }

  for (const method of all.filter((one): one is CfnMethod => one instanceof CfnMethod)) {
    if (method.authorizationType === 'NONE')
      say(
        method,
        'APIG4',
        'A preflight, or a document that is open to everybody; test/infra holds which are',
      );
  }

  const brought = stack.node.children.filter(({ node }) => /^Custom::/.test(node.id));
  for (const scope of brought) {
    for (const [rule, reason] of Object.entries(BROUGHT)) say(scope, rule, reason);
    say(scope, `IAM5[Resource::${assetsOf(stack)}]`, 'CDK’s own grant to read assets');
    for (const published of buckets.filter(({ node }) => node.path.includes(`/${PUBLISHED}/`)))
      say(scope, `IAM5[Resource::${arnOf(published)}/*]`, 'CDK’s own grant to write the site');
  }
}

/** The same of the edge. */
const AT_THE_EDGE: Readonly<Record<string, string>> = {
  CFR1: 'Callers may be anywhere',
  CFR2: 'A firewall is the operator’s choice: it costs by the request',
  CFR3: 'Access logs of CloudFront would hold paths and addresses, which name people and their things',
  CFR4: 'Without a host of one’s own the certificate is CloudFront’s, whose lowest protocol cannot be chosen',
  CFR7: 'S3 is reached with what the function signed: an access of CloudFront’s own would let everybody read',
};

/** Says of each rule that the edge does not follow why not. */
export function acknowledgeEdge(edge: Stack): void {
  for (const [rule, reason] of Object.entries(AT_THE_EDGE)) say(edge, rule, reason);
}

const say = (scope: IConstruct, rule: string, reason: string): void =>
  Validations.of(scope).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });

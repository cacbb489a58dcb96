import { Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Options } from '../options.ts';

/** The issuer of the tokens that GitHub gives a job. */
const GITHUB = 'token.actions.githubusercontent.com';
/** The qualifier of the roles that `cdk bootstrap` creates. */
const QUALIFIER = 'hnb659fds';

/**
 * The roles of a GitHub Actions workflow. A job proves its repository by a token of GitHub, so the repository holds no
 * AWS keys. A pull request may read what is deployed. Only a job of the environment `production` may deploy.
 *
 * Both act through the roles of `cdk bootstrap`, which the operator can narrow.
 *
 * Source: GitHub Docs, "Configuring OpenID Connect in Amazon Web Services"; AWS CDK Developer Guide, "Bootstrapping".
 */
export class Pipeline extends Stack {
  constructor(scope: Construct, id: string, { options }: { options: Options & { repository: string } }) {
    super(scope, id, {
      description: 'The roles that deploy a resource-oriented HTTP API from GitHub Actions',
      env: { account: options.account, region: options.region },
    });
    const { repository, name, edge, waf } = options;
    // The firewall of an edge is a stack in us-east-1.
    const regions = [Aws.REGION, ...(edge && waf !== 'none' ? ['us-east-1'] : [])];
    const look = this.#role(
      'look',
      `repo:${repository}:pull_request`,
      'Compares pull requests with the stack',
    );
    look.addToPolicy(assume(['lookup'], regions));
    const deploy = this.#role('deploy', `repo:${repository}:environment:production`, 'Deploys the stack');
    deploy.addToPolicy(assume(['lookup', 'deploy', 'file-publishing', 'image-publishing'], regions));
    // The smoke test of a deployment gets a token with the secret of the stack's own client.
    deploy.addToPolicy(
      new PolicyStatement({
        actions: ['cognito-idp:DescribeUserPoolClient'],
        resources: [`arn:${Aws.PARTITION}:cognito-idp:${Aws.REGION}:${Aws.ACCOUNT_ID}:userpool/*`],
        conditions: { StringEquals: { 'aws:ResourceTag/service': name } },
      }),
    );
  }

  /** A role for the jobs whose token has this subject. */
  #role(id: string, subject: string, description: string): Role {
    const role = new Role(this, id, {
      description,
      assumedBy: new WebIdentityPrincipal(`${IAM}:oidc-provider/${GITHUB}`, {
        StringEquals: { [`${GITHUB}:aud`]: 'sts.amazonaws.com', [`${GITHUB}:sub`]: subject },
      }),
    });
    new CfnOutput(this, `${id}Role`, { value: role.roleArn, description });
    return role;
  }
}

const IAM = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}`;

/** Returns the right to assume roles of `cdk bootstrap` in these regions. */
const assume = (roles: readonly string[], regions: readonly string[]): PolicyStatement =>
  new PolicyStatement({
    actions: ['sts:AssumeRole'],
    resources: regions.flatMap((region) =>
      roles.map((role) => `${IAM}:role/cdk-${QUALIFIER}-${role}-role-${Aws.ACCOUNT_ID}-${region}`),
    ),
  });

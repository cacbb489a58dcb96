import { expect, test } from '@jest/globals';
import { synthesizePipeline } from '../synthesis.ts';

const pipeline = await synthesizePipeline('acme/shop');

/** The subjects of GitHub's tokens that may assume a role, and the permissions of the role. */
function roleOf(subject: string) {
  const role = pipeline
    .parts('AWS::IAM::Role')
    .find(({ Properties }) => JSON.stringify(Properties).includes(subject));
  const policy = pipeline
    .parts('AWS::IAM::Policy')
    .find(({ Properties }) => JSON.stringify(Properties.Roles).includes(role?.id ?? 'none'));
  return {
    trust: JSON.stringify(role?.Properties.AssumeRolePolicyDocument),
    policy: JSON.stringify(policy?.Properties),
  };
}

test('a pull request of the repository may only read what is deployed', () => {
  const { trust, policy } = roleOf('repo:acme/shop:pull_request');
  expect(trust).toContain('"token.actions.githubusercontent.com:aud":"sts.amazonaws.com"');
  expect(policy).toContain('cdk-hnb659fds-lookup-role-');
  expect(policy).not.toMatch(/deploy-role|publishing-role|cognito/);
});

test('a job of the environment production may deploy and get the secret of the stack’s client', () => {
  const { trust, policy } = roleOf('repo:acme/shop:environment:production');
  expect(trust).toContain('"token.actions.githubusercontent.com:aud":"sts.amazonaws.com"');
  expect(policy).toContain('cdk-hnb659fds-deploy-role-');
  expect(policy).toContain('"aws:ResourceTag/service":"resource-api"');
});

test('a job may deploy to us-east-1 if the deployment has a stack there', async () => {
  const rolesIn = (made: typeof pipeline) =>
    JSON.stringify(made.parts('AWS::IAM::Policy')).match(/-deploy-role-.*?\]\]/g);
  expect(rolesIn(pipeline)?.join()).not.toContain('us-east-1');
  const firewall = await synthesizePipeline('acme/shop', { edge: 'true', waf: 'count' });
  expect(rolesIn(firewall)?.join()).toContain('us-east-1');
});

test('no other job may assume a role', () => {
  expect(pipeline.parts('AWS::IAM::Role')).toHaveLength(2);
  for (const { Properties } of pipeline.parts('AWS::IAM::Role'))
    expect(JSON.stringify(Properties.AssumeRolePolicyDocument)).not.toContain('StringLike');
});

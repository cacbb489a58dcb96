import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { adapted, CHANGED, LEFT_OUT } from '../../rehearsal/ministack/lacks.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/rehearsal.md'), 'utf8');

test('docs/rehearsal.md lists what MiniStack lacks', () => {
  const [, section = ''] = page.split('### What MiniStack lacks');
  const rows = [...section.matchAll(/^\| `?([^|`]+)`? \| ([^|]+) \|$/gm)]
    .map(([, what = '', reason = '']) => [what.trim(), reason])
    .filter(([what]) => what !== 'what' && !what?.startsWith('--'));
  expect(rows).toEqual(Object.entries({ ...LEFT_OUT, ...CHANGED }));
});

const URL = 'http://localhost:4566';
const method = { operationId: 'members', security: [{ token: [] }, { api_key: [] }] };

test('a template loses what MiniStack lacks, and what needs it', () => {
  const { Resources, Outputs } = adapted(
    {
      Resources: {
        pool: { Type: 'AWS::Cognito::UserPool' },
        key: { Type: 'AWS::ApiGateway::ApiKey' },
        plan: { Type: 'AWS::ApiGateway::UsagePlan', DependsOn: ['key'] },
        queue: { Type: 'AWS::SQS::Queue', DependsOn: ['key', 'pool'] },
      },
      Outputs: { Key: { Value: { Ref: 'key' } }, Queue: { Value: { 'Fn::GetAtt': ['queue', 'Arn'] } } },
    },
    URL,
  );
  expect(Resources).toEqual({
    pool: { Type: 'AWS::Cognito::UserPool' },
    queue: { Type: 'AWS::SQS::Queue', DependsOn: ['pool'] },
  });
  expect(Outputs).toEqual({ Queue: { Value: { 'Fn::GetAtt': ['queue', 'Arn'] } } });
});

test('paths name their methods, and the authorizer finds the keys of the pool', () => {
  const { Resources } = adapted(
    {
      Resources: {
        pool: { Type: 'AWS::Cognito::UserPool' },
        api: {
          Type: 'AWS::ApiGateway::RestApi',
          Properties: { Body: { paths: { '/members': { 'x-amazon-apigateway-any-method': method } } } },
        },
        authorizer: {
          Type: 'AWS::Lambda::Function',
          Properties: { Environment: { Variables: { ISSUER: { 'Fn::GetAtt': ['pool', 'ProviderURL'] } } } },
        },
      },
    },
    URL,
  );
  const members = { operationId: 'members', security: [{ token: [] }] };
  const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];
  expect(Resources.api?.Properties).toEqual({
    Body: { paths: { '/members': Object.fromEntries(methods.map((name) => [name, members])) } },
  });
  expect(Resources.authorizer?.Properties?.Environment).toEqual({
    Variables: {
      ISSUER: { 'Fn::Sub': `https://cognito-idp.\${AWS::Region}.amazonaws.com/\${pool}` },
      JWKS_URI: { 'Fn::Sub': `${URL}/\${pool}/.well-known/jwks.json` },
    },
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { adapted, LACKS, lacksTable } from '../rehearsal/ministack/lacks.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/rehearsal.md'), 'utf8');
const URL = 'http://localhost:4566';
const changed = (template: object) => JSON.parse(adapted(JSON.stringify(template), URL));

test('docs/rehearsal.md lists what MiniStack lacks', () => {
  expect(page).toContain(`\n${lacksTable()}\n`);
  expect(LACKS.length).toBeGreaterThan(5);
});

test('a removed resource leaves no dependency', () => {
  const Resources = {
    branding: { Type: 'AWS::Cognito::ManagedLoginBranding' },
    one: { Type: 'AWS::SQS::Queue', DependsOn: 'branding' },
    two: { Type: 'AWS::SQS::Queue', DependsOn: ['branding', 'one'] },
  };
  expect(changed({ Resources })).toEqual({
    Resources: {
      one: { Type: 'AWS::SQS::Queue', DependsOn: [] },
      two: { Type: 'AWS::SQS::Queue', DependsOn: ['one'] },
    },
  });
});

test('the authorizer gets the keys of the user pool from MiniStack', () => {
  const Variables = {
    ISSUER: { 'Fn::GetAtt': ['pool', 'ProviderURL'] },
    AWS_ENDPOINT_URL_S3: '',
    BASE_PATH: '/v1',
  };
  const { Resources } = changed({ Resources: { one: { Type: 'AWS::Lambda::Function', Variables } } });
  expect(Resources.one.Variables).toEqual({
    ISSUER: {
      'Fn::Join': ['', ['https://cognito-idp.', { Ref: 'AWS::Region' }, '.amazonaws.com/', { Ref: 'pool' }]],
    },
    JWKS_URI: { 'Fn::Join': ['', [URL, '/', { Ref: 'pool' }, '/.well-known/jwks.json']] },
    AWS_ENDPOINT_URL_S3: URL,
    BASE_PATH: '/v1',
  });
});

test('a path has each method in place of any, without keys, and keeps its others', () => {
  const any = { operationId: 'members', security: [{ token: [] }, { api_key: [] }] };
  const options = { operationId: 'oMembers' };
  const paths = { '/members': { 'x-amazon-apigateway-any-method': any, options } };
  const { Resources } = changed({ Resources: { api: { Type: 'AWS::ApiGateway::RestApi', paths } } });
  const one = { operationId: 'members', security: [{ token: [] }] };
  const each = Object.fromEntries(
    ['get', 'head', 'post', 'put', 'patch', 'delete'].map((name) => [name, one]),
  );
  expect(Resources.api.paths['/members']).toEqual({ ...each, options });
});

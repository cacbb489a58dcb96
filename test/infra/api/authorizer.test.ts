import { expect, test } from '@jest/globals';
import { USAGE_KEYS, usageKey } from '../../../functions/authorizer/usage-key.ts';
import { routesOf } from '../../../infra/gateway/routing.ts';
import { registry } from '../../../service/registry.ts';
import { WIDE_SCOPES } from '../../../shared/resource/access/access.ts';
import { fieldScopesOf, scopesOf } from '../../../shared/resource/access/scopes.ts';
import { AUDIT_SCOPE } from '../../../shared/resource/access/sight.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { calledBy, definitionOf, type Operation, operationsOf } from '../definition.ts';
import { allowed } from '../permissions.ts';
import { functionBehind, type Part, type Synthesis, synthesize, target } from '../synthesis.ts';
import { tablesIn, variablesOf } from '../variables.ts';

const service = await synthesize();
const synthesizedOpen = await synthesize({ auth: 'none' });
const methods = (of = service) => operationsOf(of);
const isOpen = ({ security }: Operation) => security === undefined;

test('the API requires authentication by default, except for declared public paths and preflights', () => {
  const open = methods().filter((one) => one.method === 'ANY' && isOpen(one));
  expect(open.map(({ path }) => path).sort()).toEqual([
    '/.well-known/api-catalog',
    '/.well-known/oauth-protected-resource',
    '/assets/{name}',
    '/docs',
    '/health',
    '/openapi.json',
    '/problems/{type}',
    '/sign-in',
    '/sign-in/callback',
    '/sign-out',
  ]);
  expect(open).toHaveLength(routesOf(registry).filter((one) => one.isOpen).length);
});

test('preflights carry no credentials and need none', () => {
  const preflights = methods().filter(({ method }) => method === 'OPTIONS');
  expect(preflights.length).toBe(routesOf(registry).length);
  expect(preflights.every(isOpen)).toBe(true);
});

/** The settings of the authorizer. */
function authorizerOf(of: Synthesis): { readonly uri: unknown; readonly settings: Record<string, unknown> } {
  const schemes = definitionOf(of).components.securitySchemes;
  expect(Object.keys(schemes)).toEqual(['token', 'api_key']);
  // API Gateway Developer Guide, "x-amazon-apigateway-authorizer object": the name of a request authorizer.
  expect(schemes.token).toMatchObject({ name: 'Unused', 'x-amazon-apigateway-authtype': 'custom' });
  const { 'x-amazon-apigateway-authorizer': authorizer = {} } = schemes.token ?? {};
  const { authorizerUri: uri, ...settings } = authorizer as Record<string, unknown>;
  return { uri, settings };
}

// Specification 11.8: a browser without a token gets a redirect, which API Gateway cannot send.
test('every other request calls the one authorizer, also without credentials', () => {
  const { uri, settings } = authorizerOf(service);
  expect(settings).toEqual({
    type: 'request',
    authorizerCredentials: expect.anything(),
    authorizerResultTtlInSeconds: 0,
  });
  expect(calledBy(service, uri)).toBe(service.functionOf('authorizer').id);
  for (const { security } of atLeastOne(methods().filter((one) => !isOpen(one))))
    expect(security).toEqual([{ token: [] }, { api_key: [] }]);
});

// Specification 11.13
test('without sign-in on pages, API Gateway caches decisions by token, method and path', async () => {
  for (const context of [
    { pages: 'false' },
    { issuer: 'https://id.example.com/', audience: 'urn:api' },
  ] as Record<string, string>[]) {
    const other = await synthesize(context);
    expect(authorizerOf(other).settings).toMatchObject({
      identitySource: 'method.request.header.Authorization,context.httpMethod,context.resourcePath',
      authorizerResultTtlInSeconds: 300,
    });
    expect(other.one('AWS::ApiGateway::Stage').Properties).not.toHaveProperty('Variables');
    // Specification 11.16
    expect(variablesOf(other, 'signin')).toHaveProperty('ISSUER');
    const warning = expect.stringContaining('Pages have no sign-in');
    if (context.issuer) expect(other.warnings).toContainEqual(warning);
    else expect(other.warnings).not.toContainEqual(warning);
  }
});

// Specification 11.9
test('people sign in by a client of the pool without a secret, which names the API of the stage', () => {
  const client = service
    .parts('AWS::Cognito::UserPoolClient')
    .find(({ Properties }) => Properties.GenerateSecret === false) as Part;
  expect(client.Properties).toMatchObject({
    AllowedOAuthFlows: ['code'],
    PreventUserExistenceErrors: 'ENABLED',
    SupportedIdentityProviders: ['COGNITO'],
  });
  const { id } = service.one('AWS::ApiGateway::RestApi');
  const urls = JSON.stringify([client.Properties.CallbackURLs, client.Properties.LogoutURLs]);
  expect(urls).toContain(`{"Ref":"${id}"}`);
  expect(urls).toContain('/v1/sign-in/callback');
  expect(urls).toContain('/v1/sign-out');
  expect(JSON.stringify(client.Properties.AllowedOAuthScopes)).not.toContain('audit');
  expect(service.one('AWS::ApiGateway::Stage').Properties.Variables).toEqual({
    signInClient: { Ref: client.id },
  });
  expect(service.one('AWS::Cognito::ManagedLoginBranding').Properties).toMatchObject({
    ClientId: { Ref: client.id },
    UseCognitoProvidedValues: true,
  });
  expect(service.one('AWS::Cognito::UserPoolDomain').Properties).toMatchObject({ ManagedLoginVersion: 2 });
});

test('a client of another issuer, and a host of the operator, replace those of the stack', async () => {
  const other = await synthesize({
    issuer: 'https://id.example.com/',
    audience: 'urn:api',
    signInClient: 'pages',
    edge: 'true',
    domainName: 'api.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/c',
  });
  expect(other.one('AWS::ApiGateway::Stage').Properties.Variables).toEqual({ signInClient: 'pages' });
  expect(variablesOf(other, 'signin')).toMatchObject({
    ISSUER: 'https://id.example.com/',
    AUDIENCE: 'urn:api',
    PAGES_ORIGIN: 'https://api.example.com',
  });
});

test('the authorizer selects the API key of each caller, and the key has a limit', () => {
  expect(service.one('AWS::ApiGateway::RestApi').Properties).toMatchObject({
    ApiKeySourceType: 'AUTHORIZER',
    Body: { 'x-amazon-apigateway-api-key-source': 'AUTHORIZER' },
  });
  const plan = service.one('AWS::ApiGateway::UsagePlan');
  expect(plan.Properties.Throttle).toEqual({ RateLimit: 100, BurstLimit: 200 });
  expect(plan.Properties).not.toHaveProperty('Quota');
  const keys = service.parts('AWS::ApiGateway::ApiKey');
  expect(keys.map(({ Properties }) => Properties.Value).sort()).toEqual(
    // The last one is for browsers without a token.
    Array.from({ length: USAGE_KEYS + 1 }, (_, number) => usageKey('resource-api', number)).sort(),
  );
  const inPlan = service
    .parts('AWS::ApiGateway::UsagePlanKey')
    .map(({ Properties }) => [target(Properties.UsagePlanId), target(Properties.KeyId)]);
  expect(inPlan.sort()).toEqual(keys.map(({ id }) => [plan.id, id]).sort());
  expect(variablesOf(service, 'authorizer')).toMatchObject({ SERVICE: 'resource-api' });
});

test('callers without names have no limit of their own', () => {
  expect(synthesizedOpen.parts('AWS::ApiGateway::UsagePlan')).toEqual([]);
  expect(methods(synthesizedOpen).every(isOpen)).toBe(true);
});

test('the authorizer has no permission that lets another service invoke it', () => {
  const { id } = service.functionOf('authorizer');
  const permissions = service
    .parts('AWS::Lambda::Permission')
    .filter(({ Properties }) => functionBehind(service, target(Properties.FunctionName)) === id);
  expect(permissions).toEqual([]);
});

// docs/operations.md, "A token in wrong hands"
test('the authorizer can read the denied subjects and the key of the hashes, and nothing else', () => {
  const table = tablesIn(service, 'members').idempotency;
  expect(tablesIn(service, 'authorizer')).toEqual({ idempotency: table });
  const condition = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['denied subjects'] } };
  expect(allowed(service, 'authorizer').filter((one) => !one.includes(' logs:'))).toEqual([
    `Allow dynamodb:GetItem ${table} if ${JSON.stringify(condition)}`,
    `Allow secretsmanager:GetSecretValue ${target(variablesOf(service, 'authorizer').AUDIT_SECRET)}`,
  ]);
});

test('by default, a user pool of the stack issues tokens, and has a program on request', async () => {
  const programOf = ({ parts }: typeof service) =>
    parts('AWS::Cognito::UserPoolClient').find(({ Properties }) => Properties.GenerateSecret === true);
  expect(programOf(service)).toBeUndefined();
  const pool = service.one('AWS::Cognito::UserPool');
  expect(pool.Properties).toMatchObject({
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
    DeletionProtection: 'ACTIVE',
  });
  expect(pool.DeletionPolicy).toBe('Retain');
  const { Identifier, Scopes } = service.one('AWS::Cognito::UserPoolResourceServer').Properties as {
    Identifier: string;
    Scopes: { ScopeName: string }[];
  };
  const all = registry.flatMap(scopesOf);
  expect(Scopes.map(({ ScopeName }) => ScopeName).sort()).toEqual(
    [...all, ...registry.flatMap(fieldScopesOf), AUDIT_SCOPE, ...WIDE_SCOPES].sort(),
  );
  expect(all).toEqual(expect.arrayContaining(['members:read', 'members:write', 'add:read']));
  expect(all).not.toContain('add:write');
  const client = programOf(await synthesize({ program: 'all' })) as Part;
  expect(client.Properties).toMatchObject({
    GenerateSecret: true,
    AllowedOAuthFlows: ['client_credentials'],
  });
  // Specification 11.15: the program does not see the authors of items.
  expect(client.Properties.AllowedOAuthScopes).toHaveLength(all.length);
  expect(JSON.stringify(client.Properties.AllowedOAuthScopes)).not.toMatch(/audit|all:/);
  const reader = programOf(await synthesize({ program: 'read' })) as Part;
  const ofReader = JSON.stringify(reader.Properties.AllowedOAuthScopes);
  expect(ofReader).toContain('/orders:read');
  expect(ofReader).not.toMatch(/:write|undo/);
  expect(variablesOf(service, 'authorizer')).toMatchObject({
    ISSUER: { 'Fn::GetAtt': [pool.id, 'ProviderURL'] },
    SCOPE_PREFIX: `${Identifier}/`,
  });
  // Any program of the pool with a scope of this API, not only this one.
  expect(variablesOf(service, 'authorizer')).not.toHaveProperty('AUDIENCE');
});

test('another issuer replaces the pool', async () => {
  const other = await synthesize({
    issuer: 'https://id.example.com/',
    audience: 'urn:api',
    scopePrefix: 'api.',
  });
  expect(other.parts('AWS::Cognito::UserPool')).toEqual([]);
  expect(variablesOf(other, 'authorizer')).toMatchObject({
    ISSUER: 'https://id.example.com/',
    AUDIENCE: 'urn:api',
    SCOPE_PREFIX: 'api.',
  });
  expect(Object.keys(other.json.Outputs as object)).toContain('Issuer');
});

test('functions refuse requests without a decision of the authorizer', () => {
  for (const { name } of atLeastOne(registry)) {
    expect(variablesOf(service, name)).toMatchObject({ AUTH: 'token' });
    expect(variablesOf(synthesizedOpen, name)).not.toHaveProperty('AUTH');
  }
});

test('only an explicit option makes the API public', () => {
  const open = synthesizedOpen;
  expect(methods(open).every(isOpen)).toBe(true);
  expect(definitionOf(open).components.securitySchemes).toEqual({});
  expect(open.parts('AWS::Cognito::UserPool')).toEqual([]);
  expect(open.warnings).toContainEqual(expect.stringContaining('auth=none'));
  expect(service.warnings).not.toContainEqual(expect.stringContaining('auth=none'));
});

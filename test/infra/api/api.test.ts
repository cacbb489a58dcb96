import { expect, test } from '@jest/globals';
import { tooLarge } from '../../../infra/gateway/refusals.ts';
import { routesOf } from '../../../infra/gateway/routing.ts';
import { registry } from '../../../service/registry.ts';
import { PROBLEMS, type ProblemName } from '../../../shared/http/problem.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { calledBy, definitionOf, type GatewayResponse, operationsOf } from '../definition.ts';
import { allowedTo } from '../permissions.ts';
import { functionBehind, synthesize, target } from '../synthesis.ts';

const service = await synthesize();
const local = await synthesize({ local: 'true' });
const operations = operationsOf(service);

// Specification 1.1
test('the API has exactly the paths of the local gateway, each with any method and OPTIONS', () => {
  const deployed = operations.map(({ method, path, 'x-amazon-apigateway-integration': { uri } }) => {
    return `${method} ${path} → ${service.byId(calledBy(service, uri)).Metadata?.SamResourceId}`;
  });
  const wanted = routesOf(registry).flatMap(({ template, resource }) => [
    `ANY ${template} → ${resource}`,
    `OPTIONS ${template} → ${resource}`,
  ]);
  expect(deployed.sort()).toEqual(wanted.sort());
});

test('every path and the catch-all exist once', () => {
  const templates = routesOf(registry).map(({ template }) => template);
  expect(new Set(templates).size).toBe(templates.length);
  expect(templates).toEqual(expect.arrayContaining(['/', '/{proxy+}']));
});

test('each method is a buffered proxy of a function, without mapping, mock or streaming', () => {
  for (const { 'x-amazon-apigateway-integration': integration } of atLeastOne(operations)) {
    expect(integration).toMatchObject({ type: 'aws_proxy', httpMethod: 'POST' });
    expect(integration).not.toHaveProperty('responseTransferMode');
  }
});

// API Gateway Developer Guide, "Errors and warnings from importing your API into API Gateway".
test('a part of the definition that API Gateway does not import fails the deployment', () => {
  expect(service.one('AWS::ApiGateway::RestApi').Properties).toMatchObject({ FailOnWarnings: true });
  for (const operation of atLeastOne(operationsOf(service)))
    expect(operation).toMatchObject({ responses: {} });
});

test('operations have their own names, so that SAM distinguishes OPTIONS from the other methods', () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(names.filter((name) => !/^[a-z][A-Za-z0-9]+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('the API is regional, passes bytes unchanged and never compresses', () => {
  const { Properties } = service.one('AWS::ApiGateway::RestApi');
  expect(Properties).toMatchObject({
    EndpointConfiguration: { Types: ['REGIONAL'] },
    BinaryMediaTypes: ['*/*'],
    Body: { 'x-amazon-apigateway-binary-media-types': ['*/*'] },
  });
  expect(Properties).not.toHaveProperty('MinimumCompressionSize');
});

test('API Gateway’s own address speaks TLS 1.2 and 1.3 only, unless the operator changes this', async () => {
  const policy = (of: typeof service) => of.one('AWS::ApiGateway::RestApi').Properties;
  expect(policy(service)).toMatchObject({
    SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
    EndpointAccessMode: 'STRICT',
    Body: {
      'x-amazon-apigateway-security-policy': 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      'x-amazon-apigateway-endpoint-access-mode': 'STRICT',
    },
  });
  for (const lax of [local, await synthesize({ strictTls: 'false' })])
    expect(policy(lax)).not.toHaveProperty('SecurityPolicy');
});

test('the stage has throttling and logs no content', () => {
  const { StageName, MethodSettings } = service.one('AWS::ApiGateway::Stage').Properties;
  expect(StageName).toBe('v1');
  expect(MethodSettings).toContainEqual({
    ResourcePath: '/*',
    HttpMethod: '*',
    ThrottlingRateLimit: 500,
    ThrottlingBurstLimit: 1000,
    DataTraceEnabled: false,
  });
  const { DestinationArn, Format } = service.one('AWS::ApiGateway::Stage').Properties.AccessLogSetting as {
    DestinationArn: unknown;
    Format: string;
  };
  const arn = JSON.stringify(DestinationArn);
  const group = service.parts('AWS::Logs::LogGroup').find(({ id }) => arn.includes(id));
  expect(group?.Properties.RetentionInDays).toBe(30);
  const fields = Object.values(JSON.parse(Format) as Record<string, string>);
  expect(fields).toEqual(expect.arrayContaining(['$context.requestId', '$context.resourcePath']));
  // The log names no person and no personal data: no address, no caller, no path, no query.
  expect(fields.filter((one) => /identity|principal|claims|context\.path\b|domain|query/.test(one))).toEqual(
    [],
  );
});

test('each open path has a low limit', () => {
  const { MethodSettings } = service.one('AWS::ApiGateway::Stage').Properties;
  const limited = (MethodSettings as { ResourcePath: string; HttpMethod: string }[]).filter(
    ({ ResourcePath }) => ResourcePath !== '/*',
  );
  const open = routesOf(registry).filter(({ isOpen }) => isOpen);
  expect(limited.map(({ ResourcePath, HttpMethod }) => `${HttpMethod} ${ResourcePath}`).sort()).toEqual(
    open
      .flatMap(({ template }) =>
        ['GET', 'HEAD'].map((method) => `${method} /${template.replaceAll('/', '~1')}`),
      )
      .sort(),
  );
  for (const one of atLeastOne(limited))
    expect(one).toMatchObject({ ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 });
});

test("the role for API Gateway's logs belongs to the account: it stays, and setting it is optional", async () => {
  expect(service.one('AWS::ApiGateway::Account').DeletionPolicy).toBe('Retain');
  expect((await synthesize({ accountLogRole: 'false' })).parts('AWS::ApiGateway::Account')).toEqual([]);
});

test('API Gateway invokes the functions of the API with one role, which allows nothing else', () => {
  const role = service.byId(target(operations[0]?.['x-amazon-apigateway-integration'].credentials));
  expect(JSON.stringify(role.Properties.AssumeRolePolicyDocument)).toContain('apigateway.amazonaws.com');
  for (const { 'x-amazon-apigateway-integration': integration } of atLeastOne(operations))
    expect(target(integration.credentials)).toBe(role.id);
  const served = [...registry.map(({ name }) => name), 'authorizer'].map(
    (name) => service.functionOf(name).id,
  );
  const invoked = atLeastOne(allowedTo(service, role.id)).map((line) => {
    const [, action, alias = ''] = line.split(' ');
    expect(action).toBe('lambda:InvokeFunction');
    return functionBehind(service, alias);
  });
  expect(invoked.sort()).toEqual(served.sort());
});

const responsesOf = (synthesized: typeof service): ReadonlyMap<string, GatewayResponse> =>
  new Map(Object.entries(definitionOf(synthesized)['x-amazon-apigateway-gateway-responses']));
const responses = responsesOf(service);
const header = (type: string, name: string) =>
  responses.get(type)?.responseParameters[`gatewayresponse.header.${name}`];

/** Source: API Gateway Developer Guide, "Gateway response types". */
const TYPES = [
  'ACCESS_DENIED',
  'API_CONFIGURATION_ERROR',
  'AUTHORIZER_CONFIGURATION_ERROR',
  'AUTHORIZER_FAILURE',
  'BAD_REQUEST_BODY',
  'BAD_REQUEST_PARAMETERS',
  'DEFAULT_4XX',
  'DEFAULT_5XX',
  'EXPIRED_TOKEN',
  'INTEGRATION_FAILURE',
  'INTEGRATION_TIMEOUT',
  'INVALID_API_KEY',
  'INVALID_SIGNATURE',
  'MISSING_AUTHENTICATION_TOKEN',
  'REQUEST_TOO_LARGE',
  'RESOURCE_NOT_FOUND',
  'THROTTLED',
  'UNAUTHORIZED',
  'UNSUPPORTED_MEDIA_TYPE',
  'WAF_FILTERED',
];

// Specification 10.4
test('every error of API Gateway has its own response', () => {
  expect([...responses.keys()].sort()).toEqual(TYPES);
});

const documentOf = ({ responseTemplates }: GatewayResponse): Record<string, unknown> =>
  JSON.parse(responseTemplates['application/json'] as string);

test.each(TYPES)('%s is a problem document', (type) => {
  const response = responses.get(type) as GatewayResponse;
  const { statusCode, responseTemplates } = response;
  expect(Object.keys(responseTemplates)).toEqual(['application/json']);
  const document = documentOf(response);
  expect(document).toMatchObject({
    title: expect.any(String),
    instance: 'urn:request:$context.requestId',
    requestId: '$context.requestId',
  });
  expect(header(type, 'Content-Type')).toBe("'application/problem+json'");
  expect(header(type, 'Cache-Control')).toBe("'no-store'");
  expect(header(type, 'Access-Control-Allow-Origin')).toBe("'*'");
  if (type.startsWith('DEFAULT_')) {
    expect(statusCode).toBeUndefined();
    expect(document).not.toHaveProperty('status');
    return;
  }
  const name = String(document.type).replace('/v1/problems/', '') as ProblemName;
  expect(PROBLEMS).toHaveProperty([name]);
  expect(document).toMatchObject(PROBLEMS[name]);
  expect(statusCode).toBe(String(PROBLEMS[name].status));
});

// Specification 1.15, 10.11, 11.5
test('a refusal names the next step: credentials, methods or time', () => {
  expect(header('UNAUTHORIZED', 'WWW-Authenticate')).toMatch(/^'Bearer realm="[^"]+"'$/);
  expect(header('ACCESS_DENIED', 'WWW-Authenticate')).toBe(
    `'Bearer realm="api", error="insufficient_scope"'`,
  );
  expect(documentOf(responses.get('ACCESS_DENIED') as GatewayResponse).detail).toBe(
    '$context.authorizer.reason',
  );
  expect(header('MISSING_AUTHENTICATION_TOKEN', 'Allow')).toBe(
    "'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'",
  );
  expect(responses.get('MISSING_AUTHENTICATION_TOKEN')?.statusCode).toBe('405');
  expect(header('THROTTLED', 'Retry-After')).toBe("'1'");
  expect(header('THROTTLED', 'RateLimit-Policy')).toBe('\'"strictest";q=100;w=1\'');
  expect(header('THROTTLED', 'RateLimit')).toBe('\'"strictest";r=0;t=1\'');
});

// Specification 11.16
test('a refusal names the metadata of the service, if its host is known before the deployment', async () => {
  const hosted = await synthesize({
    domainName: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/1',
    region: 'eu-west-1',
    basePath: '/shop',
  });
  const challenges = ['UNAUTHORIZED', 'ACCESS_DENIED'].map(
    (type) => responsesOf(hosted).get(type)?.responseParameters['gatewayresponse.header.WWW-Authenticate'],
  );
  const metadata = 'resource_metadata="https://api.example.com/shop/.well-known/oauth-protected-resource"';
  expect(challenges).toEqual([
    `'Bearer realm="api", ${metadata}'`,
    `'Bearer realm="api", error="insufficient_scope", ${metadata}'`,
  ]);
});

// Specification 5.15, 10.10
test('a 413 names the limits of all routes and the way to upload larger files', async () => {
  const limitOf = (at: typeof service) =>
    JSON.parse(responsesOf(at).get('REQUEST_TOO_LARGE')?.responseTemplates['application/json'] ?? '');
  const limits = 'One request can have at most 4194304 bytes of a file, or 1000000 of other content';
  const detail = `${limits}. Announce larger files of /files with POST /files, and send less of anything else`;
  const link = { rel: 'files', method: 'POST', title: 'Links for larger uploads' };
  expect(limitOf(service)).toMatchObject({ detail, links: [{ ...link, href: '/v1/files' }] });
  expect(limitOf(await synthesize({ basePath: '/api' }))).toMatchObject({
    detail,
    links: [{ ...link, href: '/api/files' }],
  });
  // Without a store of files, no path takes more.
  expect(tooLarge()).toEqual({ detail: `${limits}. Send less` });
});

test('problem types have the address of the service, with any prefix of its paths', async () => {
  const behind = await synthesize({ basePath: '/api', allowedOrigin: 'https://app.example' });
  const texts = [...responsesOf(behind).values()].map((response) => JSON.stringify(response));
  expect(texts.filter((text) => text.includes('/v1/problems/'))).toEqual([]);
  expect(texts.filter((text) => text.includes('/api/problems/'))).toHaveLength(TYPES.length - 2);
  expect(texts.every((text) => text.includes("'https://app.example'"))).toBe(true);
});

test('the outputs name the API, the sign-in, events, alarms, the audit log, the worker and its queue', () => {
  expect(Object.keys(service.json.Outputs as object).sort()).toEqual([
    'AlarmTopic',
    'AuditLog',
    'DeadEvents',
    'DeadOperations',
    'DeadUploads',
    'DeadWebhooks',
    'EventBus',
    'Issuer',
    'OperationsQueue',
    'SignIn',
    'TicketTopic',
    'TokenEndpoint',
    'URL',
    'UserPool',
    'Worker',
  ]);
});

test('the template contains no local path', () => {
  expect(service.text).not.toContain(process.cwd());
  expect(service.text).not.toMatch(/\/tmp\/|\/home\/|\/Users\//);
});

test('a local template gives SAM the binary types and cannot be deployed', async () => {
  expect(local.one('AWS::ApiGateway::RestApi').Properties.Body).toMatchObject({
    'x-amazon-apigateway-binary-media-types': ['*/*'],
  });
  expect(local.json.Rules).toMatchObject({
    LocalOnly: { Assertions: [{ Assert: { 'Fn::Equals': ['local', 'deployed'] } }] },
  });
  expect(service.json.Rules).not.toHaveProperty('LocalOnly');
  await expect(synthesize({ local: 'true', account: '123456789012' })).rejects.toThrow('never deployed');
  await expect(synthesize({ local: 'true', region: 'eu-central-1' })).rejects.toThrow('never deployed');
});

test('every gateway response forbids sniffing and demands TLS', () => {
  for (const { responseParameters } of atLeastOne(responses.values()))
    expect(responseParameters).toMatchObject({
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      'gatewayresponse.header.Strict-Transport-Security': "'max-age=63072000'",
    });
});

test('another function of a resource makes another deployment of the API, and the same functions the same one', async () => {
  const deploymentOf = async (renamed?: string) => {
    const made = await synthesize({}, 'own', renamed === undefined ? {} : { renamed });
    const other = made.parts('AWS::Lambda::Function').filter(({ id }) => id.endsWith('Renamed'));
    expect(other).toHaveLength(renamed === undefined ? 0 : 1);
    return made.one('AWS::ApiGateway::Deployment').id;
  };
  const [usual, again, orders, members] = [
    await deploymentOf(),
    await deploymentOf(),
    await deploymentOf('orders'),
    await deploymentOf('members'),
  ];
  expect(again).toBe(usual);
  expect(orders).not.toBe(usual);
  expect(members).not.toBe(usual);
});

import { describe, expect, test } from '@jest/globals';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { type Part, synthesize, synthesizeEdge, synthesizeEdgeFirewall, target } from '../synthesis.ts';
import { variablesOf } from '../variables.ts';

const edge = await synthesizeEdge();
const service = await synthesize({ edge: 'true' });

interface Behavior {
  readonly PathPattern?: string;
  readonly AllowedMethods: readonly string[];
  readonly CachePolicyId: string;
  readonly ViewerProtocolPolicy: string;
  readonly TargetOriginId: string;
  readonly Compress: boolean;
  readonly FunctionAssociations: readonly { readonly EventType: string; readonly FunctionARN: unknown }[];
}
const { DistributionConfig: config } = edge.one('AWS::CloudFront::Distribution').Properties as {
  DistributionConfig: {
    DefaultCacheBehavior: Behavior;
    CacheBehaviors: Behavior[];
    Origins: Record<string, unknown>[];
    CustomErrorResponses: { ErrorCachingMinTTL: number }[];
  };
};
const behaviors = [config.DefaultCacheBehavior, ...config.CacheBehaviors];
const originOf = ({ TargetOriginId }: Behavior) => config.Origins.find(({ Id }) => Id === TargetOriginId);

/** The function that CloudFront runs at an event of a behavior. */
function handlerAt(event: string, { FunctionAssociations }: Behavior) {
  const found = FunctionAssociations.find(({ EventType }) => EventType === event);
  const one = edge.parts('AWS::CloudFront::Function').find(({ id }) => id === target(found?.FunctionARN));
  return new Function(`${one?.Properties.FunctionCode}; return handler;`)();
}

describe('the edge', () => {
  test('forwards every method to the API, and reads to the objects', () => {
    const [api, objects] = behaviors as [Behavior, Behavior];
    expect([...api.AllowedMethods].sort()).toEqual([
      'DELETE',
      'GET',
      'HEAD',
      'OPTIONS',
      'PATCH',
      'POST',
      'PUT',
    ]);
    expect(originOf(api)).toMatchObject({
      OriginPath: '/v1',
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only' },
    });
    expect(objects.PathPattern).toBe('/objects/*');
    expect([...objects.AllowedMethods].sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
  });

  test('caches only the documentation, changes nothing, and speaks TLS only', () => {
    // AWS's managed policy CachingDisabled.
    const uncached = behaviors.filter((one) => one.CachePolicyId === '4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
    expect(uncached.map(({ PathPattern }) => PathPattern)).toEqual([undefined, '/objects/*']);
    for (const { Compress, ViewerProtocolPolicy } of behaviors)
      expect([Compress, ViewerProtocolPolicy]).toEqual([false, 'https-only']);
    expect(config.CustomErrorResponses.length).toBeGreaterThan(5);
    for (const { ErrorCachingMinTTL } of config.CustomErrorResponses) expect(ErrorCachingMinTTL).toBe(0);
  });

  test('caches documents as long as the service says, by everything that they depend on', () => {
    const { id, Properties } = edge.one('AWS::CloudFront::CachePolicy');
    const cached = behaviors.filter(({ CachePolicyId }) => target(CachePolicyId) === id);
    expect(cached.map(({ PathPattern }) => PathPattern)).toEqual(['/openapi.json', '/docs', '/assets/*']);
    for (const one of atLeastOne(cached)) expect(originOf(one)).toMatchObject({ OriginPath: '/v1' });
    expect(Properties.CachePolicyConfig).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 3600,
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: { CookieBehavior: 'none' },
        HeadersConfig: { Headers: ['Accept', 'Accept-Encoding', 'Origin', 'Prefer'] },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
      },
    });
  });

  test('has no access to the bucket: S3 checks the signature', () => {
    expect(edge.parts('AWS::CloudFront::OriginAccessControl')).toEqual([]);
    expect(edge.parts('AWS::CloudFront::CloudFrontOriginAccessIdentity')).toEqual([]);
    expect(service.text).not.toContain('cloudfront.amazonaws.com');
    const { OriginRequestPolicyConfig: forwarded } = edge.one('AWS::CloudFront::OriginRequestPolicy')
      .Properties as { OriginRequestPolicyConfig: Record<string, Record<string, unknown>> };
    expect(forwarded.QueryStringsConfig).toEqual({ QueryStringBehavior: 'all' });
    // A token would be a second way to authenticate, which S3 refuses.
    expect(JSON.stringify(forwarded.HeadersConfig)).not.toMatch(/authorization|host/i);
  });

  test('runs no stored script, because it shares the host of the API', () => {
    const { ResponseHeadersPolicyConfig: policy } = edge.one('AWS::CloudFront::ResponseHeadersPolicy')
      .Properties as {
      ResponseHeadersPolicyConfig: { SecurityHeadersConfig: unknown };
    };
    expect(policy.SecurityHeadersConfig).toEqual({
      ContentTypeOptions: { Override: true },
      ContentSecurityPolicy: { ContentSecurityPolicy: 'sandbox', Override: true },
    });
  });

  // Specification 2.51
  test('removes the type of a response without content, and of no other', () => {
    const types = (statusCode: number, length: string) => {
      const headers = { 'content-type': { value: 'a/b' }, 'content-length': { value: length } };
      return handlerAt('viewer-response', config.DefaultCacheBehavior)({ response: { statusCode, headers } });
    };
    for (const [status, length, has] of [
      [201, '0', false],
      [303, '0', false],
      [307, '0', false],
      [308, '0', false],
      [201, '27', true],
      [200, '0', true],
      [200, '27', true],
    ] as const)
      expect(Object.hasOwn(types(status, length).headers, 'content-type')).toBe(has);
  });

  test('removes the prefix before S3 sees the key', () => {
    const [objects] = config.CacheBehaviors;
    const handler = handlerAt('viewer-request', objects as Behavior);
    expect(handler({ request: { uri: '/objects/files/a%20b.txt', querystring: {} } })).toEqual({
      uri: '/files/a%20b.txt',
      querystring: {},
    });
  });
});

test('makes functions return links without a stage and redirects to the same host', async () => {
  expect(variablesOf(service, 'files')).toMatchObject({ BASE_PATH: '', OBJECTS_PATH: '/objects' });
  expect(variablesOf(service, 'members')).toMatchObject({ BASE_PATH: '' });
  expect(variablesOf(service, 'members')).not.toHaveProperty('OBJECTS_PATH');
  expect(service.text).not.toContain('/v1/problems/');
  expect(variablesOf(await synthesize(), 'files')).not.toHaveProperty('OBJECTS_PATH');
});

interface Rule {
  readonly Name: string;
  readonly Action?: {
    readonly Block: {
      readonly CustomResponse: {
        readonly ResponseCode: number;
        readonly CustomResponseBodyKey: string;
        readonly ResponseHeaders: readonly { readonly Name: string; readonly Value: string }[];
      };
    };
  };
}

describe('the firewall', () => {
  const output = { StackName: 'resource-api-edge-firewall', OutputName: 'Firewall', Region: 'us-east-1' };

  test('of the edge is in us-east-1, and sees the addresses of clients', async () => {
    const firewall = await synthesizeEdgeFirewall();
    expect(firewall.one('AWS::WAFv2::WebACL').Properties.Scope).toBe('CLOUDFRONT');
    expect(firewall.parts('AWS::WAFv2::WebACLAssociation')).toEqual([]);
    expect(Object.keys(firewall.json.Outputs as object)).toEqual([output.OutputName]);
    const protectedEdge = await synthesizeEdge({ waf: 'count' });
    expect(protectedEdge.one('AWS::CloudFront::Distribution').Properties.DistributionConfig).toMatchObject({
      WebACLId: { 'Fn::GetStackOutput': output },
    });
    expect(config).not.toHaveProperty('WebACLId');
    const behind = await synthesize({ edge: 'true', waf: 'count' });
    expect(behind.parts('AWS::WAFv2::WebACL')).toEqual([]);
  });

  test('of a service without an edge belongs to its stage', async () => {
    const regional = await synthesize({ waf: 'count' });
    expect(regional.one('AWS::WAFv2::WebACL').Properties.Scope).toBe('REGIONAL');
    expect(regional.parts('AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
  });

  // Specification 10.11
  test('answers 429 with the time and the limit if an address sends too many requests', async () => {
    const { Rules, CustomResponseBodies } = (await synthesize({ waf: 'count' })).one('AWS::WAFv2::WebACL')
      .Properties as {
      Rules: Rule[];
      CustomResponseBodies: Record<string, { ContentType: string; Content: string }>;
    };
    const response = Rules.find(({ Name }) => Name === 'rate')?.Action?.Block.CustomResponse;
    expect(response?.ResponseCode).toBe(429);
    expect(response?.ResponseHeaders).toEqual(
      expect.arrayContaining([
        { Name: 'Retry-After', Value: '300' },
        { Name: 'RateLimit-Policy', Value: '"address";q=60000;w=300' },
        { Name: 'RateLimit', Value: '"address";r=0;t=300' },
        { Name: 'Access-Control-Allow-Origin', Value: '*' },
      ]),
    );
    const body = CustomResponseBodies[response?.CustomResponseBodyKey ?? ''];
    expect(body?.ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(body?.Content ?? '')).toEqual({
      type: '/v1/problems/too-many-requests',
      title: 'Too many requests',
      status: 429,
      detail:
        'An address can send 60000 requests without a token in 300 seconds. Wait as long as Retry-After says',
    });
  });

  test('limits only requests without a token, at a rate that no caller with one reaches', async () => {
    const { Rules } = (await synthesize({ waf: 'count' })).one('AWS::WAFv2::WebACL').Properties as {
      Rules: {
        Name: string;
        Statement: { RateBasedStatement?: { Limit: number; ScopeDownStatement: unknown } };
      }[];
    };
    const rate = Rules.find(({ Name }) => Name === 'rate')?.Statement.RateBasedStatement;
    expect(rate?.Limit).toBe(60_000);
    const scope = JSON.stringify(rate?.ScopeDownStatement);
    expect(scope).toContain('"SingleHeader":{"Name":"authorization"}');
    expect(scope).toContain('"SearchString":"__Host-access"');
    expect(scope.match(/"NotStatement"/g)).toHaveLength(2);
    await expect(synthesize({ waf: 'count', addressRateLimit: '29999' })).rejects.toThrow(
      '300 × callerRateLimit',
    );
  });

  test.each([
    ['count', { Count: {} }],
    ['block', { None: {} }],
  ])('lets the rules of AWS %s, but for the limit of a body', async (waf, action) => {
    const service = await synthesize({ waf });
    const { Rules } = service.one('AWS::WAFv2::WebACL').Properties as {
      Rules: { Name: string; OverrideAction?: object; Statement: object }[];
    };
    const groups = Rules.filter(({ OverrideAction }) => OverrideAction);
    expect(groups.map(({ Name }) => Name)).toEqual([
      'AWSManagedRulesCommonRuleSet',
      'AWSManagedRulesKnownBadInputsRuleSet',
      'AWSManagedRulesAmazonIpReputationList',
    ]);
    expect(groups.map(({ OverrideAction }) => OverrideAction)).toEqual([action, action, action]);
    expect(JSON.stringify(groups[0]?.Statement)).toContain(
      '"RuleActionOverrides":[{"ActionToUse":{"Count":{}},"Name":"SizeRestrictions_BODY"}]',
    );
  });

  test('logs what it refused and counted, without tokens, cookies and queries', async () => {
    const service = await synthesize({ waf: 'count', logRetentionDays: '90' });
    const { RedactedFields, LoggingFilter } = service.one('AWS::WAFv2::LoggingConfiguration').Properties;
    expect(RedactedFields).toEqual([
      { SingleHeader: { Name: 'authorization' } },
      { SingleHeader: { Name: 'cookie' } },
      { QueryString: {} },
    ]);
    expect(LoggingFilter).toMatchObject({ DefaultBehavior: 'DROP' });
    const group = service
      .parts('AWS::Logs::LogGroup')
      .find(({ Properties }) => Properties.LogGroupName === 'aws-waf-logs-resource-api');
    expect(group?.Properties.RetentionInDays).toBe(90);
  });
});

test('has the custom host name in its zone', async () => {
  const context = {
    domainName: 'api.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/x',
    hostedZoneId: 'Z123',
  };
  const named = await synthesizeEdge(context);
  const { DistributionConfig } = (named.one('AWS::CloudFront::Distribution') as Part).Properties as {
    DistributionConfig: Record<string, unknown>;
  };
  expect(DistributionConfig.Aliases).toEqual(['api.example.com']);
  expect(DistributionConfig.ViewerCertificate).toMatchObject({ MinimumProtocolVersion: 'TLSv1.2_2021' });
  const records = named
    .parts('AWS::Route53::RecordSet')
    .map(({ Properties }) => `${Properties.Type} ${Properties.Name}`);
  expect(records.sort()).toEqual(['A api.example.com.', 'AAAA api.example.com.']);
  const behind = await synthesize({ ...context, edge: 'true' });
  expect(behind.parts('AWS::ApiGateway::DomainName')).toEqual([]);
  expect(behind.one('AWS::ApiGateway::RestApi').Properties).not.toHaveProperty('DisableExecuteApiEndpoint');
  await expect(synthesize({ edge: 'true', basePath: '/shop' })).rejects.toThrow('remove basePath');
});

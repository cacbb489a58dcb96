import { beforeAll, describe, expect, test } from '@jest/globals';
import { countResources, routesOf } from '../../../infra/gateway/routing.ts';
import { registry } from '../../../service/registry.ts';
import { scopesOf } from '../../../shared/resource/access/scopes.ts';
import { SERVICES } from '../services.ts';
import { type Part, type Synthesis, synthesize } from '../synthesis.ts';
import { tablesIn, textOf, variablesOf } from '../variables.ts';

/** CloudFormation's limits of one template. Source: AWS CloudFormation User Guide, "CloudFormation quotas". */
const LIMITS = { resources: 500, bytes: 1_000_000 };
/** API Gateway's limit of one API. Source: API Gateway Developer Guide, "API Gateway quotas". */
const PATHS = 300;

const OTHER_ISSUER = { issuer: 'https://id.example.com/', audience: 'urn:api', signInClient: 'pages' };
const synthesized = await synthesize(OTHER_ISSUER, 'of 47');

test('with 47 resources, each stack needs less than 61 % of the resources that CloudFormation allows', () => {
  expect(Math.max(...synthesized.sizes.map(({ resources }) => resources))).toBeLessThan(
    0.61 * LIMITS.resources,
  );
});

test('with 47 resources, each template is smaller than CloudFormation allows', () => {
  expect(Math.max(...synthesized.sizes.map(({ bytes }) => bytes))).toBeLessThan(0.76 * LIMITS.bytes);
});

test('with 47 resources, the API has fewer paths than API Gateway allows', () => {
  expect(countResources(routesOf(SERVICES['of 47']))).toBeLessThan(PATHS);
  expect(synthesized.warnings).not.toContainEqual(expect.stringContaining('Resources per API'));
});

describe('with 39 further collections, the user pool and 16 partitions of each list', () => {
  let service: Synthesis;
  beforeAll(async () => {
    service = await synthesize({ shards: '16', program: 'all', observability: 'full' }, 'with 39 more');
  }, 60_000);

  test('each template has less than 0.76 MB and 63 % of the resources that CloudFormation allows', () => {
    expect(Math.max(...service.sizes.map(({ bytes }) => bytes))).toBeLessThan(760_000);
    expect(Math.max(...service.sizes.map(({ resources }) => resources))).toBeLessThan(
      0.63 * LIMITS.resources,
    );
  });

  test('at most ten canaries are under way at the same time', () => {
    const groups = service.parts('AWS::CodeDeploy::DeploymentGroup');
    expect(groups.length).toBeGreaterThan(50);
    const waitsFor = ({ DependsOn = [] }: Part) =>
      groups.filter(({ id }) => [DependsOn].flat().some((one) => id.startsWith(one)));
    const done = new Set<Part>();
    const together: number[] = [];
    while (done.size < groups.length) {
      const next = groups.filter(
        (one) => !done.has(one) && waitsFor(one).every((before) => done.has(before)),
      );
      together.push(next.length);
      for (const one of next) done.add(one);
      if (next.length === 0) break;
    }
    expect(done.size).toBe(groups.length);
    expect(Math.max(...together)).toBeLessThanOrEqual(10);
  });

  // AWS Lambda Developer Guide, "Lambda quotas": 4 KB of environment variables.
  test('no function has more than 3 KB of variables', () => {
    const sizeOf = (names: Readonly<Record<string, unknown>>) =>
      Object.entries(names).reduce((sum, [name, value]) => sum + name.length + textOf(value).length, 0);
    const sizes = service
      .parts('AWS::Lambda::Function')
      .map(
        ({ Properties }) => (Properties.Environment as { Variables?: object } | undefined)?.Variables ?? {},
      )
      .map((variables) => sizeOf(variables as Record<string, unknown>));
    expect(Math.max(...sizes)).toBeLessThan(3 * 1024);
    expect(Object.keys(tablesIn(service, 'worker'))).toEqual(expect.arrayContaining(['things0', 'things38']));
  });

  // Amazon Cognito Developer Guide, "Quotas in Amazon Cognito".
  test('the clients of the pool may use every path, and keep the scopes of the released resources', () => {
    const clients = service.parts('AWS::Cognito::UserPoolClient');
    expect(clients).toHaveLength(2);
    for (const { Properties } of clients) {
      const scopes = (Properties.AllowedOAuthScopes as unknown[]).map((one) => textOf(one).split('/').at(-1));
      expect(scopes.length).toBeLessThanOrEqual(50);
      expect(scopes).toEqual(
        expect.arrayContaining(['all:read', 'all:write', ...registry.flatMap(scopesOf)]),
      );
    }
    expect(variablesOf(service, 'signin')).toMatchObject({
      SIGN_IN_SCOPES: 'all:read all:write changes:undo',
    });
    const { Scopes } = service.one('AWS::Cognito::UserPoolResourceServer').Properties;
    const offered = (Scopes as { ScopeName: string }[]).map(({ ScopeName }) => ScopeName);
    expect(offered.length).toBeLessThanOrEqual(100);
    expect(offered).toEqual(expect.arrayContaining(['things0:read', 'things38:write', 'audit:read']));
  });
});

test('more paths than API Gateway allows lead to a warning that names the quota', async () => {
  const { warnings } = await synthesize(OTHER_ISSUER, 'with too many paths');
  expect(warnings).toContainEqual(expect.stringMatching(/\d+ resources of API Gateway.*"Resources per API"/));
});

test('more scopes than the user pool can have end the synthesis with a sentence', async () => {
  await expect(synthesize({}, 'with too many scopes')).rejects.toThrow(
    'a resource server of the user pool has at most 100: set issuer',
  );
});

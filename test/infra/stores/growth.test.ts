import { beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from '../../../api/connect.ts';
import { resource, text } from '../../../api/index.ts';
import { customers } from '../../../functions/customers.ts';
import { countResources, routesOf } from '../../../infra/gateway/routing.ts';
import { registry } from '../../../service/registry.ts';
import { scopesOf } from '../../../shared/resource/access/scopes.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { synthesizeStack } from '../cdk.ts';
import { look, type Synthesis } from '../synthesis.ts';
import { tablesIn, textOf, variablesOf } from '../variables.ts';

/** CloudFormation's limits of one template. Source: AWS CloudFormation User Guide, "CloudFormation quotas". */
const LIMITS = { resources: 500, bytes: 1_000_000 };
/** API Gateway's limit of one API. Source: API Gateway Developer Guide, "API Gateway quotas". */
const PATHS = 300;

/**
 * A collection with bulk requests, binary properties and forms, which has the code of `customers`. Every fifth one has
 * `onChange` and keeps versions.
 */
const collection = (name: string, at: number): Resource => ({
  ...customers,
  name,
  ...(at % 5 === 0 ? { onChange: async () => {} } : { history: undefined }),
  routes: customers.routes
    .filter(
      ({ path }) => path.startsWith('/customers') && (at % 5 === 0 || !/\/(?:versions|removed)\b/.test(path)),
    )
    .map((route) => ({ ...route, path: route.path.replace('/customers', `/${name}`) })),
});

const collections = Array.from({ length: 48 - registry.length }, (_, at) => collection(`things${at}`, at));
const OTHER_ISSUER = { issuer: 'https://id.example.com/', audience: 'urn:api', signInClient: 'pages' };
const synthesized = await synthesizeStack('service', OTHER_ISSUER, [...registry, ...collections]);

test('with 48 resources, each stack needs less than 61 % of the resources that CloudFormation allows', () => {
  expect(Math.max(...synthesized.sizes.map(({ resources }) => resources))).toBeLessThan(
    0.61 * LIMITS.resources,
  );
});

test('with 48 resources, each template is smaller than CloudFormation allows', () => {
  expect(Math.max(...synthesized.sizes.map(({ bytes }) => bytes))).toBeLessThan(0.76 * LIMITS.bytes);
});

test('with 48 resources, the API has fewer paths than API Gateway allows', () => {
  expect(countResources(routesOf([...registry, ...collections]))).toBeLessThan(PATHS);
  expect(synthesized.warnings).not.toContainEqual(expect.stringContaining('Resources per API'));
});

/** Collections as `npm run new` writes them, in a service with the user pool and pages. */
const small = Array.from({ length: 44 }, (_, at) =>
  resource(`things${at}`, {
    about: 'Things.',
    singular: `thing${at}`,
    fields: { name: text({ required: true, sortable: true }) },
  }),
);
connect(small);

describe('with 40 further collections, the user pool and 16 partitions of each list', () => {
  let service: Synthesis;
  beforeAll(async () => {
    service = look(await synthesizeStack('service', { shards: '16' }, [...registry, ...small.slice(0, 40)]));
  }, 60_000);

  test('each template has less than 0.75 MB and 63 % of the resources that CloudFormation allows', () => {
    expect(Math.max(...service.sizes.map(({ bytes }) => bytes))).toBeLessThan(750_000);
    expect(Math.max(...service.sizes.map(({ resources }) => resources))).toBeLessThan(
      0.63 * LIMITS.resources,
    );
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
    expect(Object.keys(tablesIn(service, 'worker'))).toEqual(expect.arrayContaining(['things0', 'things39']));
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
    expect(variablesOf(service, 'signin')).toMatchObject({ SIGN_IN_SCOPES: 'all:read all:write' });
    const { Scopes } = service.one('AWS::Cognito::UserPoolResourceServer').Properties;
    const offered = (Scopes as { ScopeName: string }[]).map(({ ScopeName }) => ScopeName);
    expect(offered.length).toBeLessThanOrEqual(100);
    expect(offered).toEqual(expect.arrayContaining(['things0:read', 'things39:write', 'audit:read']));
  });
});

test('more paths than API Gateway allows lead to a warning that names the quota', async () => {
  const more = Array.from({ length: 20 }, (_, at) => collection(`others${at}`, 1));
  const { warnings } = await synthesizeStack('service', OTHER_ISSUER, [...registry, ...collections, ...more]);
  expect(warnings).toContainEqual(expect.stringMatching(/\d+ resources of API Gateway.*"Resources per API"/));
});

test('more scopes than the user pool can have end the synthesis with a sentence', async () => {
  await expect(synthesizeStack('service', {}, [...registry, ...small])).rejects.toThrow(
    'a resource server of the user pool has at most 100: set issuer',
  );
});

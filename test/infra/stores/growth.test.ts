import { expect, test } from '@jest/globals';
import { customers } from '../../../functions/customers.ts';
import { registry } from '../../../service/registry.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { synthesizeStack } from '../cdk.ts';
import { definitionOf } from '../definition.ts';
import { look } from '../synthesis.ts';

/** CloudFormation's limits of one template. Source: AWS CloudFormation User Guide, "CloudFormation quotas". */
const LIMITS = { resources: 500, bytes: 1_000_000 };
/** API Gateway's limit of one API. Source: API Gateway Developer Guide, "API Gateway quotas". */
const PATHS = 300;

/**
 * A collection with bulk requests, binary properties and forms, which has the code of `customers`. Every fifth one has
 * `onChange`.
 */
const collection = (name: string, at: number): Resource => ({
  ...customers,
  name,
  ...(at % 5 === 0 ? { onChange: async () => {} } : {}),
  routes: customers.routes
    .filter(({ path }) => path.startsWith('/customers'))
    .map((route) => ({ ...route, path: route.path.replace('/customers', `/${name}`) })),
});

const collections = Array.from({ length: 49 - registry.length }, (_, at) => collection(`things${at}`, at));
const OTHER_ISSUER = { issuer: 'https://id.example.com/', audience: 'urn:api', signInClient: 'pages' };
const synthesized = await synthesizeStack('service', OTHER_ISSUER, [...registry, ...collections]);

test('with 49 resources, each stack needs less than 60 % of the resources that CloudFormation allows', () => {
  expect(Math.max(...synthesized.sizes.map(({ resources }) => resources))).toBeLessThan(
    0.6 * LIMITS.resources,
  );
});

test('with 49 resources, each template is smaller than CloudFormation allows', () => {
  expect(Math.max(...synthesized.sizes.map(({ bytes }) => bytes))).toBeLessThan(0.8 * LIMITS.bytes);
});

test('with 49 resources, the API has fewer paths than API Gateway allows', () => {
  const prefixes = Object.keys(definitionOf(look(synthesized)).paths).flatMap((path) =>
    path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/')),
  );
  expect(new Set(prefixes).size).toBeLessThan(PATHS);
});

// Amazon Cognito Developer Guide, "Quotas in Amazon Cognito": 50 scopes of a client.
test('with the user pool, 18 further collections fit, and one more ends the synthesis with a sentence', async () => {
  await expect(
    synthesizeStack('service', {}, [...registry, ...collections.slice(0, 18)]),
  ).resolves.toBeDefined();
  await expect(synthesizeStack('service', {}, [...registry, ...collections.slice(0, 19)])).rejects.toThrow(
    'a client of the user pool has at most 50: set issuer',
  );
});

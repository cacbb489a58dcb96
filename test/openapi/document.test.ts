import { describe, expect, test } from '@jest/globals';
import { openApi } from '../../openapi/document.ts';
import { type Json, resolver } from '../../openapi/evolution/json.ts';
import type { OperationObject } from '../../openapi/model.ts';
import { problemStatuses, stepsWithoutRule } from '../../openapi/responses/statuses.ts';
import { orNull } from '../../openapi/schemas/fields.ts';
import { pathsOf } from '../../openapi/targets.ts';
import { registry } from '../../service/registry.ts';
import { addressOf } from '../../shared/resource/route.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { document, placeOf, schemaFaults } from './contract.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation with its path and method. */
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) =>
    item[method] ? [{ path, method, operation: item[method] as OperationObject }] : [],
  ),
);
const named = operations.map(({ path, method, operation }) => ({
  name: `${method} ${path}`,
  path,
  method,
  operation,
}));

/** Every object within a value, with its place. */
function* objectsIn(
  value: unknown,
  at: readonly string[] = [],
): Generator<{ at: readonly string[]; object: Json }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { at, object: value as Json };
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, [...at, name]);
}
const everything = [...objectsIn(document)];

test('the description covers exactly the routes but forms, and the door for agents', () => {
  const routed = registry.flatMap(({ name, routes }) =>
    (name === 'mcp' ? [] : routes)
      .filter(({ binary, endpoints: { GET } }) => {
        const isForm = GET?.form && GET.form !== 'transition' && GET.form !== 'action';
        return binary?.kind !== 'undeclared' && !isForm;
      })
      .flatMap((route) =>
        Object.entries(route.endpoints)
          .filter(([, { shape }]) => shape !== 'form')
          .map(([method]) => `${method.toLowerCase()} ${addressOf(route)}`),
      ),
  );
  expect(named.map(({ name }) => name).sort()).toEqual(routed.sort());
});

test('every operation has a success', () => {
  const successes = named.filter(({ operation: { responses } }) =>
    Object.keys(responses).some((status) => status < '400'),
  );
  expect(successes).toHaveLength(named.length);
});

test('every step of the flow has a rule, and operations have the outcomes that their steps declare', () => {
  expect(stepsWithoutRule()).toEqual([]);
  const target = pathsOf(registry)
    .find(({ path }) => path === '/members/{id}')
    ?.methods.get('PATCH');
  expect(problemStatuses(target as NonNullable<typeof target>, true)).toEqual([
    400, 401, 403, 404, 406, 409, 412, 413, 415, 422, 429, 500, 503,
  ]);
});

test('operationIds are unique, and each operation has summary, description, tag and a default response', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.map(({ name }) => name);
  for (const { operation } of atLeastOne(operations)) {
    expect(operation.summary.length * operation.description.length).toBeGreaterThan(0);
    expect(operation.tags.filter((tag) => !tags.includes(tag))).toEqual([]);
    expect(operation.responses).toHaveProperty('default');
  }
});

test.each([
  ['POST', '/customers', 'Create one or several customers'],
  ['PUT', '/customers', 'Replace several customers'],
  ['PUT', '/customers/{id}', 'Replace a customer'],
  ['PUT', '/customers/{id}/orders', 'Replace several orders of a customer'],
  ['PUT', '/products/{id}/productImage', 'Store the productImage of a product'],
  ['DELETE', '/operations/{id}', 'Cancel an operation'],
  ['POST', '/orders/{id}/pay', 'Pay an order'],
  ['GET', '/health', 'Check whether the service works'],
] as const)('the summary of %s %s is "%s"', (method, path, summary) => {
  expect(document.paths[path]).toHaveProperty([method.toLowerCase(), 'summary'], summary);
});

// Specification 17.6
test('operations name the formats that have other values than JSON', () => {
  const others = pathsOf(registry).flatMap(({ path, methods }) =>
    [...methods].flatMap(([method, { endpoint }]) => (endpoint.plain ? [{ path, method, endpoint }] : [])),
  );
  expect(others.map(({ endpoint }) => endpoint.plain)).toContain('application/cloudevents-batch+json');
  for (const { path, method, endpoint } of atLeastOne(others)) {
    const described = named.find(({ name }) => name === `${method.toLowerCase()} ${path}`);
    expect(described?.operation.description).toContain(`\`Accept: ${endpoint.plain}\``);
  }
});

test('no summary repeats a path', () => {
  expect(operations.map(({ operation }) => operation.summary).filter((text) => /\/\w/.test(text))).toEqual(
    [],
  );
});

test('every reference has a target, and every component is in use', () => {
  const resolve = resolver(document as unknown as Json);
  const references = everything.flatMap(({ object: { $ref } }) => (typeof $ref === 'string' ? [$ref] : []));
  expect(references.filter(($ref) => resolve({ $ref }) === undefined)).toEqual([]);
  const components = Object.entries(document.components).flatMap(([kind, all]) =>
    kind === 'securitySchemes' ? [] : Object.keys(all).map((name) => `#/components/${kind}/${name}`),
  );
  expect(components.filter((name) => !references.includes(name))).toEqual([]);
});

test('every example matches its schema', () => {
  let examples = 0;
  for (const { at, object } of atLeastOne(everything)) {
    if ('example' in object && 'schema' in object) {
      examples += 1;
      expect({ at, faults: schemaFaults([...at, 'schema'], object.example) }).toEqual({ at, faults: [] });
    }
    if (!Array.isArray(object.examples) || at.includes('example')) continue;
    for (const example of atLeastOne(object.examples)) {
      examples += 1;
      expect({ at, faults: schemaFaults(at, example) }).toEqual({ at, faults: [] });
    }
  }
  expect(examples).toBeGreaterThan(200);
});

describe('a deployment’s own description', () => {
  const deployed = JSON.stringify(openApi(registry, { basePath: '/v1' }));
  test('has its address and its own examples', () => {
    expect(JSON.parse(deployed).servers).toEqual([expect.objectContaining({ url: '/v1' })]);
    expect(deployed).toContain('"/v1/problems/not-found"');
  });
});

test('the security scheme is a bearer token in the form of a JWT', () => {
  const { bearer } = openApi(registry).components.securitySchemes as { bearer: object };
  expect(bearer).toMatchObject({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' });
});

test('a place follows its reference', () => {
  expect(placeOf(['paths', '/members', 'get', 'responses', '400'])).toEqual([
    'components',
    'responses',
    'BadRequest',
  ]);
});

/** The properties of the content of POST and PUT that take null, by the name of the schema. */
const nullable = Object.entries(document.components.schemas ?? {}).flatMap(([name, schema]) =>
  name.endsWith('Input')
    ? Object.entries((schema as Json).properties ?? {})
        .filter(([, { type }]) => Array.isArray(type) && type.includes('null'))
        .map(([property]) => [name, property] as const)
    : [],
);

// Specification 2.16
test.each(nullable)('%s: null is valid as %s', (name, property) => {
  expect(schemaFaults(['components', 'schemas', name, 'properties', property], null)).toEqual([]);
});

// Specification 2.16
test.each([
  [{ type: 'string' }, { type: ['string', 'null'] }],
  [
    { type: ['string', 'number'], enum: ['red', 5] },
    { type: ['string', 'number', 'null'], enum: ['red', 5, null] },
  ],
  [
    { oneOf: [{ type: 'integer' }, { type: 'string' }] },
    { oneOf: [{ type: 'integer' }, { type: ['string', 'null'] }] },
  ],
])('the schema %j with null is %j', (schema, expected) => {
  expect(orNull(schema)).toEqual(expected);
});

// Specification 8.3
test('a control URI needs no body, and the description says that the service ignores one', () => {
  expect(document.paths['/orders/{id}/place']?.post).not.toHaveProperty('requestBody');
  expect(document.info.description).toContain('take any content in JSON, XML or a form');
});

test('the responses of a deprecated resource have Deprecation and Sunset', () => {
  const ending = registry.map((one) =>
    one.name === 'members' ? { ...one, lifecycle: { deprecated: 0 } } : one,
  );
  const { paths, components = {} } = openApi(ending);
  const described = JSON.stringify(components.headers);
  for (const name of ['Deprecation', 'Sunset']) {
    expect(JSON.stringify(paths['/members/{id}'])).toContain(`#/components/headers/${name}Header`);
    expect(JSON.stringify(paths['/customers/{id}'])).not.toContain(name);
    expect(described).toContain(`"${name}Header":`);
    expect(JSON.stringify(document)).not.toContain(`"${name}Header":`);
  }
});

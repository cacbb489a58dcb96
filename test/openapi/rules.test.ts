import { describe, expect, test } from '@jest/globals';
import { openApi } from '../../openapi/document.ts';
import { isJson, type Json, resolver } from '../../openapi/evolution/json.ts';
import type { Content, OpenApi, OperationObject, Response } from '../../openapi/model.ts';
import { openApi32 } from '../../openapi/version-3-2.ts';
import { registry } from '../../service/registry.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { registry as ofPackage } from '../fixtures/described/registry.ts';
import { SERVICES } from '../infra/services.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';

/** The descriptions under test. Generators of clients read each of them. */
const DOCUMENTS: readonly (readonly [
  name: string,
  of: readonly Resource[],
  document: OpenApi,
  maximum: number,
])[] = [
  ['this service', registry, openApi(registry), 300_000],
  ['this service behind a stage', registry, openApi(registry, { basePath: '/v1' }), 305_000],
  ['a service of the package', ofPackage, openApi(ofPackage), 300_000],
];

/** Every object within a value, with its place. */
function* objectsIn(value: unknown, at: readonly string[] = []): Generator<readonly [string, Json]> {
  if (Array.isArray(value))
    for (const [index, one] of value.entries()) yield* objectsIn(one, [...at, `${index}`]);
  if (!isJson(value)) return;
  yield [at.join(' '), value];
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, [...at, name]);
}

const placesOf = (value: unknown, breaks: (node: Json, at: string) => boolean): string[] =>
  [...objectsIn(value)].filter(([at, node]) => breaks(node, at)).map(([at]) => at);

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

const operationsOf = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) =>
      item[method] ? [{ method, path, operation: item[method] as OperationObject }] : [],
    ),
  );

/** The contents of requests and of responses, with their places. */
const contentsOf = (document: OpenApi) => {
  const resolve = resolver(document as unknown as Json);
  return operationsOf(document).flatMap(({ method, path, operation: { requestBody, responses } }) => [
    ...(requestBody ? [{ at: `${method} ${path}`, isRequest: true, content: requestBody.content }] : []),
    ...Object.entries(responses).flatMap(([status, response]) => {
      const { content } = resolve(response) as unknown as Response;
      return content ? [{ at: `${method} ${path} ${status}`, isRequest: false, content }] : [];
    }),
  ]);
};

const isBytes = (content: Content): boolean =>
  Object.values(content).some(({ schema: { format } }) => format === 'binary');

const isChoice = (value: unknown): boolean => {
  if (!isJson(value)) return false;
  const branches = value.anyOf ?? value.oneOf;
  if (!Array.isArray(branches)) return false;
  return !(branches.length === 2 && branches.some((one) => isJson(one) && one.type === 'null'));
};

/** Choices without a component. */
const unnamed = (document: OpenApi): string[] =>
  placesOf(document, (node, at) => isChoice(node) && !/^components schemas \w+$/.test(at));

// Specification 12.5; decision 11
describe.each(DOCUMENTS)('the description of %s', (_name, of, document, maximum) => {
  test('is short', () => {
    expect(JSON.stringify(document).length).toBeLessThanOrEqual(maximum);
  });

  test('has paths without a query, and neither HEAD nor OPTIONS', () => {
    expect(atLeastOne(Object.keys(document.paths)).filter((path) => path.includes('?'))).toEqual([]);
    const methods = Object.values(document.paths).flatMap((item) => Object.keys(item));
    expect([...new Set(methods)].sort()).toEqual(['delete', 'get', 'parameters', 'patch', 'post', 'put']);
  });

  test('has no two components whose names differ in case alone', () => {
    const names = Object.values(document.components).flatMap((all) => Object.keys(all));
    const same = [...Map.groupBy(atLeastOne(names), (name) => name.toLowerCase())];
    expect(same.filter(([, all]) => all.length > 1)).toEqual([]);
  });

  test('has no lists of types but with null, and no const', () => {
    const isOther = (type: unknown) => Array.isArray(type) && (type.length !== 2 || type[1] !== 'null');
    expect(placesOf(document, ({ type, ...node }) => isOther(type) || 'const' in node)).toEqual([]);
  });

  // A type with a default is required in clients of openapi-typescript, and does not compile in Go if it has choices.
  test('has the defaults of properties in their descriptions', () => {
    const properties = [...objectsIn(document.components.schemas)].flatMap(([at, node]) =>
      Object.values(isJson(node.properties) ? node.properties : {}).map((one) => ({ at, one })),
    );
    expect(atLeastOne(properties).filter(({ one }) => isJson(one) && 'default' in one)).toEqual([]);
    expect(JSON.stringify(document.components.schemas)).toMatch(/The default is \w+\./);
  });

  test('has a schema for each media type, and a range of them never first', () => {
    for (const { at, content } of atLeastOne(contentsOf(document))) {
      expect([at, Object.values(content).filter(({ schema }) => !isJson(schema))]).toEqual([at, []]);
      expect([at, Object.keys(content)[0]]).not.toEqual([at, expect.stringMatching(/\/\*$/)]);
    }
  });

  test('has a name for each choice of schemas, and none in a parameter', () => {
    expect(unnamed(document)).toEqual([]);
    const parameters = [
      document.components.parameters,
      ...operationsOf(document).map(({ operation }) => operation.parameters),
      ...Object.values(document.paths).map((item) => item.parameters),
    ];
    expect(parameters.flatMap((one) => placesOf(one ?? {}, isChoice))).toEqual([]);
    expect(JSON.stringify(parameters)).not.toContain('#/components/schemas/');
  });

  test('has no array in a choice of schemas', () => {
    const choices = [...objectsIn(document)].filter(([, node]) => isChoice(node));
    const branches = atLeastOne(choices).flatMap(([at, { anyOf, oneOf }]) =>
      [anyOf ?? oneOf].flat().flatMap((one) => (isJson(one) ? [{ at, type: one.type }] : [])),
    );
    expect(branches.filter(({ type }) => type === 'array')).toEqual([]);
  });

  test('has merge patches first', () => {
    const patches = operationsOf(document).filter(({ method }) => method === 'patch');
    for (const { operation } of atLeastOne(patches))
      expect(Object.keys(operation.requestBody?.content ?? {})).toEqual([
        'application/merge-patch+json',
        'application/json-patch+json',
      ]);
  });

  test('has one schema for all formats of a response, and JSON before XML', () => {
    const shown = contentsOf(document).filter(({ isRequest, content }) => !isRequest && !isBytes(content));
    for (const { at, content } of atLeastOne(shown)) {
      const schemas = new Set(Object.values(content).map(({ schema }) => JSON.stringify(schema)));
      expect([at, schemas.size]).toEqual([at, 1]);
      expect(Object.keys(content).filter((type) => /^text\/xml|html|csv|jsonl/.test(type))).toEqual(
        at.startsWith('get /docs') || at.startsWith('get /assets') ? expect.anything() : [],
      );
    }
  });

  test('has of the problems those that a client handles, with one schema', () => {
    for (const { operation } of atLeastOne(operationsOf(document))) {
      const statuses = Object.keys(operation.responses).filter((status) => !/^[23]/.test(status));
      expect(['400', '404', '409', '412', 'default']).toEqual(expect.arrayContaining(statuses));
    }
    const problems = contentsOf(document).filter(({ at }) => / (?:4\d\d|default)$/.test(at));
    const schemas = atLeastOne(problems).flatMap(({ content }) => Object.values(content));
    expect(new Set(schemas.map(({ schema }) => JSON.stringify(schema)))).toEqual(
      new Set(['{"$ref":"#/components/schemas/Problem"}']),
    );
  });

  test('has no examples but in schemas, and no links', () => {
    expect(placesOf(document, (node, at) => 'example' in node || at.endsWith(' links operationId'))).toEqual(
      [],
    );
  });

  test('keeps these rules in OpenAPI 3.2', () => {
    const later = openApi32(document, of) as OpenApi;
    expect(Object.keys(later.paths)).toEqual(Object.keys(document.paths));
    expect(unnamed(later)).toEqual([]);
    const lines = placesOf(later, (node) => 'itemSchema' in node);
    expect(atLeastOne(lines).filter((at) => !at.endsWith(' content application/jsonl'))).toEqual([]);
  });
});

// Generators and pages read the whole description.
test('the description of a service with 40 further collections has less than 2.5 MB', () => {
  const further = SERVICES['with 39 more'];
  expect(further.length).toBeGreaterThan(50);
  expect(JSON.stringify(openApi(further)).length).toBeLessThan(2_500_000);
});

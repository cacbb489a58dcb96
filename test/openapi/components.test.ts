import { describe, expect, test } from '@jest/globals';
import { shareComponents } from '../../openapi/components.ts';
import { type Json, resolver } from '../../openapi/evolution/json.ts';
import type { OpenApi, OperationObject, PathItem, Response } from '../../openapi/model.ts';
import { document } from './contract.ts';

const item = (description: string, schema = 'Member', more: Partial<Response> = {}): Response => ({
  description,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  ...more,
});
const none = (description: string, ...headers: string[]): Response => ({
  description,
  headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
});

const operation = (responses: OperationObject['responses']): OperationObject => ({
  operationId: 'x',
  summary: 'x',
  description: 'x',
  tags: [],
  security: [],
  parameters: [],
  responses,
});

/** A document with these paths and without components. */
const withPaths = (paths: Record<string, PathItem>): OpenApi => ({ ...document, paths, components: {} });

/** The names of the response components, by path and method, of operations with one response each. */
function componentNames(responses: Record<string, Record<string, Record<string, Response>>>) {
  const paths = Object.entries(responses).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, operation(one)])),
  ]);
  return Object.keys(shareComponents(withPaths(Object.fromEntries(paths))).components.responses ?? {});
}

/** The document with its responses and parameters in the places that refer to them. */
function inlined(one: OpenApi): OpenApi {
  const resolve = resolver(one as unknown as Json);
  const paths = JSON.parse(JSON.stringify(one.paths), (name, value: Json) =>
    name === 'responses'
      ? Object.fromEntries(Object.entries(value).map(([status, response]) => [status, resolve(response)]))
      : name === 'parameters' && Array.isArray(value)
        ? value.map(resolve)
        : value,
  );
  return { ...one, paths, components: { ...one.components, responses: {}, parameters: {} } };
}

describe('the names of shared responses', () => {
  test('have the schema and the status', () => {
    expect(componentNames({ '/a': { get: { 200: item('A') }, post: { 200: item('A') } } })).toEqual([
      'MemberOK',
    ]);
  });

  test('leave a response of a single operation in its place', () => {
    expect(componentNames({ '/a': { get: { 200: item('A') }, post: { 201: item('A') } } })).toEqual([]);
  });

  const changed = { 204: none('The service has changed it. It has a new tag.', 'ETag') };
  const removed = { 204: none('The service has removed it.') };
  const byForm = { 204: none('The service has removed it.', 'Idempotency-Replayed') };
  const three = {
    '/a': { put: changed, delete: removed, post: byForm },
    '/b': { put: changed, delete: removed, post: byForm },
  };

  test('have the words and the header fields that differ', () => {
    expect(componentNames(three)).toEqual([
      'NoContentChanged',
      'NoContentRemoved',
      'NoContentRemovedWithIdempotencyReplayed',
    ]);
  });

  test('do not depend on the order of paths and methods', () => {
    const { put, delete: gone, post } = three['/a'];
    expect(componentNames({ '/b': { post, delete: gone, put }, '/a': { post, put, delete: gone } })).toEqual(
      componentNames(three),
    );
  });
});

test('sharing changes no response and no parameter of the description', () => {
  const whole = inlined(document);
  const shared = shareComponents(whole);
  expect(inlined(shared).paths).toEqual(whole.paths);
  expect(JSON.stringify(shared.paths).length).toBeLessThan(JSON.stringify(whole.paths).length / 2);
});

test('no two operations of the description repeat a response or parameter', () => {
  expect(shareComponents(document)).toEqual(document);
});

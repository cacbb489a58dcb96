import { describe, expect, test } from '@jest/globals';
import { files } from '../../../functions/files.ts';
import { members } from '../../../functions/members.ts';
import { writtenBy } from '../../../shared/lambda/logs/written-numbers.ts';
import type { Resource } from '../../../shared/resource/resource.ts';

const written = (
  httpMethod: string,
  pathParameters: Record<string, string> | null,
  Location?: string,
  resource: Resource = members,
) =>
  writtenBy(
    resource,
    { httpMethod, pathParameters },
    { headers: Location === undefined ? {} : { Location } },
  );

// Specification 11.14
describe('the log line of a write', () => {
  test.each([
    ['POST', null, '/v1/members/5', { id: 5 }],
    ['POST', { id: '4' }, '/orders/5', { id: 5 }],
    ['PUT', { id: '4' }, undefined, { id: 4 }],
    ['DELETE', { id: '4' }, '/operations/9', { id: 4, operationId: 9 }],
    ['DELETE', null, '/operations/9', { operationId: 9 }],
    ['DELETE', null, '/v1/operations/9', { operationId: 9 }],
    ['POST', null, '/cooperations/12', { id: 12 }],
    ['POST', null, undefined, {}],
    ['PUT', { id: 'x%20y' }, undefined, {}],
    ['GET', { id: '4' }, undefined, {}],
  ] as const)('of %s at %j with Location %s has %j', (method, parameters, location, result) => {
    expect(written(method, parameters, location)).toEqual(result);
  });

  test('names no file, also if its name is a number', () => {
    expect(written('PUT', { filename: '7' }, '/files/7', files)).toEqual({});
    expect(written('POST', null, '/operations/9', files)).toEqual({ operationId: 9 });
  });
});

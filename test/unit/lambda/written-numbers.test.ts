import { describe, expect, test } from '@jest/globals';
import { files } from '../../../functions/files.ts';
import { members } from '../../../functions/members.ts';
import { orders } from '../../../functions/orders.ts';
import { writtenBy } from '../../../shared/lambda/logs/written-numbers.ts';
import type { Resource } from '../../../shared/resource/resource.ts';

const written = (
  httpMethod: string,
  pathParameters: Record<string, string> | null,
  Location?: string,
  resource: Resource = members,
  template = `/${resource.name}/{id}`,
) =>
  writtenBy(
    resource,
    { httpMethod, pathParameters, resource: template },
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
    ['POST', null, '/v1/members/5?:done=created', { id: 5 }],
    ['POST', null, '/v1/members?:done=created&limit=5', {}],
    ['POST', { id: '4' }, '/operations/9?:done=deleted', { id: 4, operationId: 9 }],
    ['POST', null, undefined, {}],
    ['PUT', { id: 'x%20y' }, undefined, {}],
    ['GET', { id: '4' }, undefined, {}],
  ] as const)('of %s at %j with Location %s has %j', (method, parameters, location, result) => {
    expect(written(method, parameters, location)).toEqual(result);
  });

  test('names the item in whose list it is, and no other item of the resource', () => {
    const list = '/customers/{id}/orders';
    expect(written('DELETE', { id: '7' }, '/operations/9', orders, list)).toEqual({
      parentId: 7,
      operationId: 9,
    });
    expect(written('POST', { id: '7' }, '/orders/5', orders, list)).toEqual({ id: 5, parentId: 7 });
  });

  test('names an operation that has ended', () => {
    const headers = { Location: '/v1/members/5', 'Content-Location': '/v1/operations/9' };
    const request = { httpMethod: 'POST', pathParameters: null, resource: '/members' };
    expect(writtenBy(members, request, { headers })).toEqual({ id: 5, operationId: 9 });
  });

  test('names no file, also if its name is a number', () => {
    expect(written('PUT', { filename: '7' }, '/files/7', files)).toEqual({});
    expect(written('POST', null, '/operations/9', files)).toEqual({ operationId: 9 });
  });
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { add as sums } from '../../../functions/add.ts';
import { registry } from '../../../service/registry.ts';
import { serve } from '../../../shared/lambda/serve.ts';
import type { Resource } from '../../../shared/resource/resource.ts';

const add = serve(sums);
const root = serve(registry.find(({ name }) => name === 'root') as Resource);

/** The functions' own authorization check, independent of API Gateway. */
beforeAll(() => {
  process.env.AUTH = 'token';
});
afterAll(() => {
  delete process.env.AUTH;
});

const NOW = 1_800_000_000_000;
const event = (path: string, authorizer?: object) =>
  ({
    httpMethod: 'GET',
    path,
    resource: path === '/problems/not-found' ? '/problems/{type}' : path,
    pathParameters: path === '/problems/not-found' ? { type: 'not-found' } : null,
    multiValueHeaders: { Accept: ['application/json'] },
    multiValueQueryStringParameters: path === '/add' ? { operand1: ['1'], operand2: ['2'] } : null,
    body: null,
    isBase64Encoded: true,
    requestContext: { requestId: 'r', requestTimeEpoch: NOW, ...(authorizer ? { authorizer } : {}) },
  }) as unknown as APIGatewayProxyEvent;
const statusOf = async (handler: typeof add, path: string, authorizer?: object) =>
  (await handler(event(path, authorizer), {} as Context)).statusCode;

const expires = NOW / 1000 + 60;

test('a request without a decision of the authorizer gets 401', async () => {
  expect(await statusOf(add, '/add')).toBe(401);
  expect(await statusOf(root, '/')).toBe(401);
  expect(await statusOf(add, '/add', { principalId: 7 })).toBe(401);
});

test('public resources are public', async () => {
  expect(await statusOf(root, '/health')).toBe(200);
  expect(await statusOf(root, '/problems/not-found')).toBe(200);
});

test('a caller needs the scope only if the resource requires one', async () => {
  expect(await statusOf(add, '/add', { principalId: 'ada', scope: 'add:read', expires })).toBe(200);
  expect(await statusOf(add, '/add', { principalId: 'ada', scope: 'add:reader', expires })).toBe(403);
  expect(await statusOf(add, '/add', { principalId: 'ada', expires })).toBe(403);
  expect(await statusOf(root, '/', { principalId: 'ada', scope: '', expires })).toBe(200);
});

test("API Gateway's cached decision ends with the token", async () => {
  const known = { principalId: 'ada', scope: 'add:read' };
  expect(await statusOf(add, '/add', { ...known, expires: NOW / 1000 })).toBe(401);
  expect(await statusOf(add, '/add', { ...known, expires: String(NOW / 1000 + 1) })).toBe(200);
});

test('without the option, every request is allowed', async () => {
  delete process.env.AUTH;
  expect(await statusOf(serve(sums), '/add')).toBe(200);
  process.env.AUTH = 'token';
});

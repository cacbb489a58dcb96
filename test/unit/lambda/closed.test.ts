import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { handler as add } from '../../../functions/add/handler.ts';
import { handler as root } from '../../../functions/root/handler.ts';

/** The functions' own judgement, whatever stands in front of them. */
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

test('nobody is let in whom no authorizer has judged', async () => {
  expect(await statusOf(add, '/add')).toBe(401);
  expect(await statusOf(root, '/')).toBe(401);
  expect(await statusOf(add, '/add', { principalId: 7 })).toBe(401);
});

test('what is open is open', async () => {
  expect(await statusOf(root, '/health')).toBe(200);
  expect(await statusOf(root, '/problems/not-found')).toBe(200);
});

test('a caller is let in with the scope, and without one where none is needed', async () => {
  expect(await statusOf(add, '/add', { principalId: 'ada', scope: 'add:read', expires })).toBe(200);
  expect(await statusOf(add, '/add', { principalId: 'ada', scope: 'add:reader', expires })).toBe(403);
  expect(await statusOf(add, '/add', { principalId: 'ada', expires })).toBe(403);
  expect(await statusOf(root, '/', { principalId: 'ada', scope: '', expires })).toBe(200);
});

test('what API Gateway remembers of a token ends with the token', async () => {
  const known = { principalId: 'ada', scope: 'add:read' };
  expect(await statusOf(add, '/add', { ...known, expires: NOW / 1000 })).toBe(401);
  expect(await statusOf(add, '/add', { ...known, expires: String(NOW / 1000 + 1) })).toBe(200);
});

test('without the word everybody may do everything', async () => {
  delete process.env.AUTH;
  expect(await statusOf(add, '/add')).toBe(200);
  process.env.AUTH = 'token';
});

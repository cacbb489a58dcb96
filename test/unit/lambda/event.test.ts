import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { toRequest } from '../../../shared/lambda/event.ts';

const event = {
  httpMethod: 'GET',
  resource: '/files/{filename}',
  path: '/files/a%2520b',
  pathParameters: { filename: 'a%2520b' },
  multiValueQueryStringParameters: null,
  multiValueHeaders: { Accept: ['a/b', 'c/d'] },
  body: null,
  isBase64Encoded: false,
  requestContext: { requestId: 'the one', requestTimeEpoch: 1000, stage: 'v1', domainName: 'example.org' },
} as unknown as APIGatewayProxyEvent;

const before = process.env.AWS_SAM_LOCAL;
afterEach(() => {
  if (before === undefined) delete process.env.AWS_SAM_LOCAL;
  else process.env.AWS_SAM_LOCAL = before;
});

test('API Gateway: its identifier, its clock, parameters decoded once', () => {
  delete process.env.AWS_SAM_LOCAL;
  expect(toRequest(event)).toMatchObject({
    requestId: 'the one',
    receivedAt: 1000,
    parameters: { filename: 'a%20b' },
    headers: { accept: 'a/b, c/d' },
    repeated: new Set(['accept']),
  });
});

// SAM 1.170.0 tells each request the identifier and the time that it had when it started.
describe('sam local', () => {
  beforeEach(() => {
    process.env.AWS_SAM_LOCAL = 'true';
  });

  test('each request has an identifier of its own: it is the key of the form that it shows', () => {
    const [one, two] = [toRequest(event), toRequest(event)];
    expect(one.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(two.requestId).not.toBe(one.requestId);
  });

  test('the clock goes on', () => {
    const start = Date.now();
    expect(toRequest(event).receivedAt).toBeGreaterThanOrEqual(start);
  });

  test('parameters were decoded', () => {
    expect(toRequest(event).parameters).toEqual({ filename: 'a%2520b' });
  });
});

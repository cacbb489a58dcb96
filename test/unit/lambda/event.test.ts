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

test('an event of API Gateway has its identifier, its clock and parameters decoded once', () => {
  delete process.env.AWS_SAM_LOCAL;
  expect(toRequest(event)).toMatchObject({
    requestId: 'the one',
    receivedAt: 1000,
    parameters: { filename: 'a%20b' },
    headers: { accept: 'a/b, c/d' },
    repeated: new Set(['accept']),
  });
});

// RFC 9113 §8.2.3: HTTP/2 may send a field for each cookie.
test('an event with several fields of cookies has one, with semicolons', () => {
  const cookies = { ...event, multiValueHeaders: { Cookie: ['a=1', 'b=2'] } };
  expect(toRequest(cookies).headers.cookie).toBe('a=1; b=2');
});

// SAM 1.170.0 sends the identifier and the time of its own start with each request.
describe('sam local', () => {
  beforeEach(() => {
    process.env.AWS_SAM_LOCAL = 'true';
  });

  test('gives each request its own identifier, which is the key of the form in its response', () => {
    const [one, two] = [toRequest(event), toRequest(event)];
    expect(one.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(two.requestId).not.toBe(one.requestId);
  });

  test('uses a running clock', () => {
    const start = Date.now();
    expect(toRequest(event).receivedAt).toBeGreaterThanOrEqual(start);
  });

  test('decodes parameters once', () => {
    expect(toRequest(event).parameters).toEqual({ filename: 'a%2520b' });
  });
});

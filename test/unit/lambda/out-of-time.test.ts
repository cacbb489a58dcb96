import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { configureLog } from '../../../shared/aws/log.ts';
import { serve } from '../../../shared/lambda/serve.ts';
import { resource } from '../../../shared/resource/resource.ts';
import { document } from '../../../shared/resource/styles/document.ts';
import { collectLog } from '../../engines/collected-log.ts';

const event = {
  httpMethod: 'GET',
  path: '/slow',
  resource: '/slow',
  pathParameters: null,
  multiValueHeaders: {},
  multiValueQueryStringParameters: null,
  body: null,
  isBase64Encoded: true,
  requestContext: { requestId: 'r', requestTimeEpoch: 1_800_000_000_000 },
} as unknown as APIGatewayProxyEvent;

test('a request that does not end before the time of the function gets 504 and can be repeated', async () => {
  collectLog();
  const slow = resource({
    name: 'slow',
    title: 'Slow',
    about: 'Never responds.',
    routes: () => document('/slow', { id: 'slow.read', run: () => new Promise<never>(() => undefined) }),
  });
  const context = { getRemainingTimeInMillis: () => 120 } as Context;
  const { statusCode, headers, body } = await serve(slow)(event, context);
  expect(statusCode).toBe(504);
  expect(headers).toMatchObject({ 'Retry-After': '1', 'Content-Type': 'application/problem+json' });
  expect(JSON.parse(body)).toMatchObject({ type: '/problems/timeout', status: 504, requestId: 'r' });
  configureLog();
});

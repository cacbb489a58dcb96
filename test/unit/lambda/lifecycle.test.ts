import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { configureLog } from '../../../shared/aws/log.ts';
import { Unavailable } from '../../../shared/http/problem.ts';
import { serve } from '../../../shared/lambda/serve.ts';
import { found } from '../../../shared/resource/actions/outcome.ts';
import { resource } from '../../../shared/resource/resource.ts';
import { document } from '../../../shared/resource/styles/document.ts';
import { collectLog } from '../../engines/collected-log.ts';

beforeAll(() => {
  collectLog();
});
afterAll(() => configureLog());

const STATE = { kind: 'document', members: {} } as const;

/** The way in which the resource responds. */
let run: () => Promise<never> | ReturnType<typeof found>;

const handler = serve(
  resource({
    name: 'old',
    title: 'Old',
    about: 'Ends soon.',
    lifecycle: {
      deprecated: Date.UTC(2026, 5, 30, 23, 59, 59),
      sunset: Date.UTC(2027, 5, 30, 23, 59, 59),
      notice: '/docs',
      successor: '/new',
    },
    routes: () => document('/old', { id: 'old.read', run: () => run() }),
  }),
);

const responseTo = (httpMethod: string, headers: Record<string, string[]> = {}) =>
  handler(
    {
      httpMethod,
      path: '/old',
      resource: '/old',
      pathParameters: null,
      multiValueHeaders: headers,
      multiValueQueryStringParameters: null,
      body: null,
      isBase64Encoded: true,
      requestContext: { requestId: 'r', requestTimeEpoch: 1_800_000_000_000, path: '/v/old' },
    } as unknown as APIGatewayProxyEvent,
    { getRemainingTimeInMillis: () => 150 } as Context,
  );

// Specification 12.3
test.each([
  ['a success', 200, 'GET', () => found(STATE)],
  ['a method that is not allowed', 405, 'DELETE', () => found(STATE)],
  ['a defect', 500, 'GET', () => Promise.reject(new TypeError('a defect'))],
  ['an engine that fails', 503, 'GET', () => Promise.reject(new Unavailable(new Error('down')))],
  ['the end of the time', 504, 'GET', () => new Promise<never>(() => undefined)],
] as const)('%s announces the end of the resource and its successor', async (_about, status, method, how) => {
  run = how as typeof run;
  const { statusCode, headers } = await responseTo(method);
  expect(statusCode).toBe(status);
  expect(headers).toMatchObject({ Deprecation: '@1782863999', Sunset: 'Wed, 30 Jun 2027 23:59:59 GMT' });
  expect(headers?.Link).toContain('/docs>; rel="deprecation"');
  expect(headers?.Link).toContain('/new>; rel="successor-version"');
});

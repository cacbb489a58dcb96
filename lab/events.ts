/** Makes events of API Gateway, so that functions run without it. */

import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request to a function. */
export interface SentRequest {
  readonly method?: string;
  readonly template: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The header fields that API Gateway and most clients send. */
export const USUAL = {
  Accept: 'application/json',
  Host: 'abc123.execute-api.eu-west-1.amazonaws.com',
  'User-Agent': 'curl/8.5.0',
  'X-Amzn-Trace-Id': 'Root=1-5e1b4151-5ac6c58f5b5d5e6f00000000',
  'X-Forwarded-For': '203.0.113.7',
  'X-Forwarded-Port': '443',
  'X-Forwarded-Proto': 'https',
};

const mapped = <From, To>(all: Readonly<Record<string, From>>, to: (one: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, to(one)]));

/** The event of API Gateway for a request. `usual`: the header fields that the request does not have to name. */
export function eventOf(
  { method = 'GET', template, parameters, query, headers, body }: SentRequest,
  usual: Readonly<Record<string, string>> = {},
): APIGatewayProxyEvent {
  const path = template.replace(/{(\w+)}/g, (_, name: string) => parameters?.[name] ?? '');
  const fields = { ...usual, ...headers };
  const event = {
    path,
    resource: template,
    httpMethod: method,
    headers: fields,
    multiValueHeaders: mapped(fields, (value) => [value]),
    queryStringParameters: query ? mapped(query, ([value]) => value) : null,
    multiValueQueryStringParameters: query ?? null,
    pathParameters: parameters ?? null,
    stageVariables: null,
    body: body === undefined ? null : Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
    requestContext: {
      accountId: '123456789012',
      apiId: 'abc123',
      domainName: USUAL.Host,
      // Some routers read the method from the context.
      httpMethod: method,
      identity: { sourceIp: '203.0.113.7', userAgent: USUAL['User-Agent'] },
      path: `/v1${path}`,
      protocol: 'HTTP/1.1',
      requestId: CONTEXT.awsRequestId,
      // A removal covers the items that existed at the time of the request.
      requestTimeEpoch: Date.now(),
      resourcePath: template,
      stage: 'v1',
    },
  };
  return event as unknown as APIGatewayProxyEvent;
}

export const CONTEXT = {
  awsRequestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  functionName: 'bench',
  getRemainingTimeInMillis: () => 29_000,
};

import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The API Gateway events for every variant: GET of an item, GET of a list of 25, PATCH with If-Match. */
interface More {
  readonly multiValueHeaders: Readonly<Record<string, string[]>>;
  readonly event: Partial<APIGatewayProxyEvent>;
}

const event = (more: More) => ({
  path: '/members/7',
  resource: '/members/{id}',
  httpMethod: 'GET',
  headers: {},
  multiValueHeaders: {
    Accept: ['application/json'],
    Host: ['abc123.execute-api.eu-west-1.amazonaws.com'],
    'User-Agent': ['curl/8.5.0'],
    'X-Amzn-Trace-Id': ['Root=1-5e1b4151-5ac6c58f5b5d5e6f00000000'],
    'X-Forwarded-For': ['203.0.113.7'],
    'X-Forwarded-Port': ['443'],
    'X-Forwarded-Proto': ['https'],
    ...more.multiValueHeaders,
  },
  queryStringParameters: null,
  multiValueQueryStringParameters: null,
  pathParameters: { id: '7' },
  stageVariables: null,
  body: null,
  isBase64Encoded: true,
  requestContext: {
    accountId: '123456789012',
    apiId: 'abc123',
    domainName: 'abc123.execute-api.eu-west-1.amazonaws.com',
    httpMethod: 'GET',
    identity: { sourceIp: '203.0.113.7', userAgent: 'curl/8.5.0' },
    path: '/v1/members/7',
    protocol: 'HTTP/1.1',
    requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
    requestTimeEpoch: 1_780_000_000_000,
    resourcePath: '/members/{id}',
    stage: 'v1',
  },
  ...more.event,
});

const withHeaders = (
  fields: Readonly<Record<string, string>>,
  rest: Partial<APIGatewayProxyEvent>,
): APIGatewayProxyEvent => {
  const multiValueHeaders = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, [value]]),
  );
  const made = event({ multiValueHeaders, event: rest }) as unknown as APIGatewayProxyEvent;
  made.headers = Object.fromEntries(
    Object.entries(made.multiValueHeaders).map(([name, all]) => [name, all?.[0]]),
  );
  return made;
};

export const EVENTS = {
  'GET item': withHeaders({}, {}),
  'GET list of 25': withHeaders(
    {},
    {
      path: '/members',
      resource: '/members',
      pathParameters: null,
      queryStringParameters: { limit: '25' },
      multiValueQueryStringParameters: { limit: ['25'] },
    },
  ),
  'PATCH with If-Match': withHeaders(
    { 'Content-Type': 'application/merge-patch+json', 'If-Match': '"1.2-json"' },
    { httpMethod: 'PATCH', body: Buffer.from('{"name":"Ada Lovelace"}').toString('base64') },
  ),
};

const posted = (type: string, body: string) =>
  withHeaders(
    { 'Content-Type': type },
    {
      path: '/members',
      resource: '/members',
      httpMethod: 'POST',
      pathParameters: null,
      body: Buffer.from(body).toString('base64'),
    },
  );

/** Events for the first request of a function in each format. */
export const FORMATS = {
  'GET item as JSON': withHeaders({}, {}),
  'GET item as XML': withHeaders({ Accept: 'application/xml' }, {}),
  'GET item as HTML': withHeaders({ Accept: 'text/html' }, {}),
  'POST of JSON': posted('application/json', '{"name":"Ada"}'),
  'POST of XML': posted('application/xml', '<member><name>Ada</name></member>'),
  'POST of a form, urlencoded': posted('application/x-www-form-urlencoded', 'name=Ada'),
  'POST of a form, multipart': posted(
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n--b--\r\n',
  ),
};

/** Some routers read the method from the context. */
for (const one of Object.values(EVENTS)) one.requestContext.httpMethod = one.httpMethod;

export const CONTEXT = {
  awsRequestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  functionName: 'bench',
  getRemainingTimeInMillis: () => 29_000,
};

import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Match } from '../../infra/gateway/routing.ts';

/** The stage of the API, which can be the first path segment that clients see. */
export interface Stage {
  readonly name: string;
  /** True if URIs begin with the stage, as at `{api}.execute-api.{region}.amazonaws.com`. */
  readonly inPath: boolean;
}

/** Header fields that API Gateway does not pass on. Source: LocalStack's header rules, checked against AWS. */
const DROPPED = new Set([
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'transfer-encoding',
  'trailer',
  'upgrade',
  'www-authenticate',
]);

/** Returns all values of each header field, with names as sent. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = Object.create(null);
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (DROPPED.has(name.toLowerCase())) continue;
    const known = Object.keys(headers).find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
    headers[known] ??= [];
    headers[known].push(rawHeaders[at + 1] as string);
  }
  return headers;
}

/**
 * Returns the decoded query parameters; undefined if there are none. `;` separates them as well as `&`. Source: API
 * Gateway Developer Guide, "Known issues" (semicolons).
 */
function queryOf(query: string): Record<string, string[]> | undefined {
  if (query === '') return undefined;
  const parameters: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query.replaceAll(';', '&'))) {
    parameters[name] ??= [];
    parameters[name].push(value);
  }
  return parameters;
}

const last = (values: Record<string, string[]>): Record<string, string> =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) as string])),
  );

/**
 * Returns the event of a REST API's Lambda proxy integration, with all media types as binary. The body is therefore
 * always base64. The path stays percent-encoded and has no stage.
 *
 * Source: API Gateway Developer Guide, "Input format of a Lambda function for proxy integration".
 */
export function proxyEvent(
  incoming: IncomingMessage,
  { path, query, body }: { path: string; query: string; body: Buffer },
  { template, parameters }: Match,
  { stage, requestId, now }: { stage: Stage; requestId: string; now: number },
): APIGatewayProxyEvent {
  const method = incoming.method as string;
  const multiValueHeaders = headersOf(incoming);
  const queryParameters = queryOf(query);
  const hasParameters = Object.keys(parameters).length > 0;
  return {
    resource: template,
    path,
    httpMethod: method,
    headers: last(multiValueHeaders),
    multiValueHeaders,
    queryStringParameters: queryParameters ? last(queryParameters) : null,
    multiValueQueryStringParameters: queryParameters ?? null,
    pathParameters: hasParameters ? { ...parameters } : null,
    stageVariables: null,
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: true,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      authorizer: undefined,
      // The functions read from the host name whether the path contains the stage.
      domainName: stage.inPath ? 'local.execute-api.localhost' : 'localhost',
      domainPrefix: 'local',
      extendedRequestId: requestId,
      httpMethod: method,
      identity: {
        sourceIp: incoming.socket.remoteAddress ?? '',
        userAgent: incoming.headers['user-agent'] ?? null,
      },
      path: `${stage.inPath ? `/${stage.name}` : ''}${path}`,
      protocol: `HTTP/${incoming.httpVersion}`,
      requestId,
      requestTime: new Date(now).toUTCString(),
      requestTimeEpoch: now,
      resourceId: template,
      resourcePath: template,
      stage: stage.name,
    } as APIGatewayProxyEvent['requestContext'],
  };
}

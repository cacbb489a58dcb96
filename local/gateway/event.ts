import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Match } from '../../infra/gateway/routing.ts';

/** The stage of the API, which can be the first path segment that clients see. */
export interface Stage {
  readonly name: string;
  /** True if URIs begin with the stage, as at `{api}.execute-api.{region}.amazonaws.com`. */
  readonly inPath: boolean;
  readonly variables?: Readonly<Record<string, string>>;
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

/** Returns all values of each header field, under the name that the client sent first. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = Object.create(null);
  const known = new Map<string, string[]>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    const lower = name.toLowerCase();
    if (DROPPED.has(lower)) continue;
    const values = known.get(lower);
    if (values) values.push(value);
    else {
      headers[name] = [value];
      known.set(lower, headers[name]);
    }
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
  // The function refuses malformed percent-encoding, whose place U+FFFD takes.
  const readable = query.replaceAll(';', '&').replace(/%(?![0-9a-f]{2})/gi, '\uFFFD');
  for (const [name, value] of new URLSearchParams(readable)) {
    parameters[name] ??= [];
    parameters[name].push(value);
  }
  return parameters;
}

function last(values: Record<string, string[]>): Record<string, string> {
  const all: Record<string, string> = Object.create(null);
  for (const name of Object.keys(values)) all[name] = values[name]?.at(-1) ?? '';
  return all;
}

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
    stageVariables: stage.variables ? { ...stage.variables } : null,
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

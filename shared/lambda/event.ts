import type { APIGatewayProxyEvent } from 'aws-lambda';
import { currentTime } from '../aws/clock.ts';
import { config, type GatewaySettings } from '../aws/config.ts';
import { isAllowedOrigin } from '../http/origin.ts';
import { decodeSegment } from '../http/paths.ts';
import type { Principal, Request } from '../http/request.ts';
import { SIGN_IN_CLIENT } from '../http/sign-in.ts';

/**
 * Converts an API Gateway REST proxy event to a request. The flow routes by `resource` and path parameters. `path`
 * contains the base path of a custom domain, and never the stage. Path parameters are percent-encoded on API
 * Gateway and already decoded in SAM. This function decodes them exactly once. `gateway`: its settings, if the caller
 * has read them before.
 *
 * Source: API Gateway Developer Guide, "Input format of a Lambda function for proxy integration".
 */
export function toRequest(event: APIGatewayProxyEvent, gateway: GatewaySettings = config.gateway()): Request {
  const { requestContext, isBase64Encoded, body } = event;
  const headers = headersOf(event);
  let content: Uint8Array | undefined;
  return {
    method: event.httpMethod,
    template: event.resource,
    path: withoutPrefix(event.path, gateway.basePath),
    parameters: parametersOf(event, gateway),
    query: queryOf(event),
    headers,
    repeated: repeatedOf(event),
    content: () => {
      if (body) content ??= Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
      return content;
    },
    basePath: basePathOf(event, gateway),
    principal: principalOf(event),
    isFromAllowedOrigin: isAllowedOrigin(gateway.allowedOrigin, headers.origin),
    keepsContentLength: gateway.keepsContentLength,
    isClosed: gateway.isClosed,
    signInClient: event.stageVariables?.[SIGN_IN_CLIENT],
    // SAM's local gateway gives every request the id and the time of its own start.
    requestId: gateway.isSam ? crypto.randomUUID() : requestContext.requestId,
    receivedAt: gateway.isSam ? currentTime() : requestContext.requestTimeEpoch,
  };
}

/**
 * Returns the caller that the authorizer identified; undefined without an authorizer, and if the token has expired
 * since the authorizer's result was cached.
 *
 * Source: `functions/authorizer/authorizer.ts`.
 */
function principalOf({ requestContext }: APIGatewayProxyEvent): Principal | undefined {
  const { authorizer, requestTimeEpoch } = requestContext;
  if (typeof authorizer?.principalId !== 'string') return undefined;
  const { principalId: subject, scope, tenant, expires } = authorizer;
  if (Number(expires ?? Number.POSITIVE_INFINITY) * 1000 <= requestTimeEpoch) return undefined;
  const scopes = typeof scope === 'string' ? scope.split(' ') : [];
  return { subject, scopes, ...(typeof tenant === 'string' ? { tenant } : {}) };
}

/** The part of an event that names the host and the stage. */
export interface Placed {
  readonly requestContext: { readonly domainName?: string | undefined; readonly stage: string };
}

/**
 * Returns the prefix of the service's own paths for clients. Locations and links begin with it. The service never
 * derives them from Host.
 */
export function basePathOf(
  { requestContext }: Placed,
  { basePath, isSam }: GatewaySettings = config.gateway(),
): string {
  if (basePath !== undefined) return basePath;
  if (isSam) return '';
  return requestContext.domainName?.includes('.execute-api.') ? `/${requestContext.stage}` : '';
}

const withoutPrefix = (path: string, prefix: string | undefined): string =>
  prefix && (path === prefix || path.startsWith(`${prefix}/`)) ? path.slice(prefix.length) || '/' : path;

const NONE: Request['parameters'] = {};

function parametersOf(
  { pathParameters }: APIGatewayProxyEvent,
  { isSam }: GatewaySettings,
): Request['parameters'] {
  if (!pathParameters) return NONE;
  const decode = isSam ? (raw: string) => raw : decodeSegment;
  const parameters: Record<string, string | undefined> = {};
  for (const name of Object.keys(pathParameters)) parameters[name] = decode(pathParameters[name] ?? '');
  return parameters;
}

const NO_QUERY: Request['query'] = new Map();

function queryOf({ multiValueQueryStringParameters: query }: APIGatewayProxyEvent): Request['query'] {
  return query ? new Map(Object.entries(query).map(([name, values]) => [name, values ?? []])) : NO_QUERY;
}

/** Joins fields with one name. Source: RFC 9110 §5.3; RFC 9113 §8.2.3 (cookies). */
function headersOf({ multiValueHeaders, headers }: APIGatewayProxyEvent): Request['headers'] {
  const fields: Record<string, string | undefined> = Object.create(null);
  if (multiValueHeaders) {
    for (const name in multiValueHeaders) {
      const lower = name.toLowerCase();
      fields[lower] = multiValueHeaders[name]?.join(lower === 'cookie' ? '; ' : ', ');
    }
  } else {
    for (const name in headers) fields[name.toLowerCase()] = headers[name];
  }
  return fields;
}

const NO_NAMES: ReadonlySet<string> = new Set();

function repeatedOf({ multiValueHeaders }: APIGatewayProxyEvent): ReadonlySet<string> {
  let names: Set<string> | undefined;
  for (const name in multiValueHeaders) {
    if ((multiValueHeaders[name]?.length ?? 0) < 2) continue;
    names ??= new Set();
    names.add(name.toLowerCase());
  }
  return names ?? NO_NAMES;
}

import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { config } from '../aws/config.ts';
import { formatHttpDate } from '../http/conditional/http-date.ts';
import { formatLinks } from '../http/fields/link.ts';
import { allowOrigin } from '../http/origin.ts';
import { EXPOSED_FIELDS } from '../http/response-fields.ts';
import type { Lifecycle } from '../resource/facts.ts';
import type { Resource } from '../resource/resource.ts';
import { basePathOf } from './event.ts';

/** Header fields of every response. Source: Fetch standard §3.7. */
export const PROTECTIVE = { 'X-Content-Type-Options': 'nosniff' };

/** Header fields of every response over TLS, valid for two years. Source: RFC 6797 §6.1, §7.2. */
export const TRANSPORT = { 'Strict-Transport-Security': 'max-age=63072000' };

/** The value of `Access-Control-Expose-Headers`. */
export const EXPOSED = EXPOSED_FIELDS.join(', ');

/** Header fields that scripts of other origins may send. */
const ALLOWED = [
  'Accept',
  'Accept-Datetime',
  'Authorization',
  'Cache-Control',
  'Content-Type',
  'Content-Digest',
  'Content-Encoding',
  'Repr-Digest',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'If-Range',
  'Pragma',
  'Prefer',
  'Range',
  'Traceparent',
  'X-Requested-With',
].join(', ');

/** Seconds that a browser may cache the response to a preflight. */
const MAXIMUM_AGE = '7200';

type Headers = NonNullable<APIGatewayProxyResult['headers']>;
type Invocation = { event: APIGatewayProxyEvent; response?: APIGatewayProxyResult | null };

/**
 * Middleware that adds header fields to every response, also to errors: for browsers, of the lifecycle, and of the group
 * in caches.
 */
export function everyAnswer({
  name,
  description,
  lifecycle,
}: Pick<Resource, 'name' | 'description' | 'lifecycle'>): MiddlewareObj<
  APIGatewayProxyEvent,
  APIGatewayProxyResult
> {
  const add = ({ event, response }: Invocation) => {
    if (!response?.headers) return;
    if (lifecycle) addLifecycle(response.headers, event, lifecycle);
    if (description && response.statusCode < 400 && event.httpMethod !== 'OPTIONS')
      addGroup(response.headers, event.httpMethod, name);
    addForBrowsers(response.headers, event);
  };
  return { after: add, onError: add };
}

/**
 * Adds the group of a resource: a response that a cache may store, and that can change, belongs to it. A change
 * invalidates it.
 *
 * Source: RFC 9875 §2, §3; Specification 3.9.
 */
function addGroup(headers: Headers, method: string, name: string): void {
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead) headers['Cache-Group-Invalidation'] = `"${name}"`;
  else if (!/^$|no-store|immutable/.test(String(headers['Cache-Control'] ?? '')))
    headers['Cache-Groups'] = `"${name}"`;
}

/**
 * Adds the protective header fields and those of CORS. The service allows no credentials: only its own pages may rely
 * on its cookies. API Gateway sets `X-Forwarded-Proto`.
 *
 * Source: Fetch standard, "CORS protocol and HTTP caches"; Specification 11.7.
 */
function addForBrowsers(headers: Headers, { httpMethod, multiValueHeaders }: APIGatewayProxyEvent): void {
  let origin: string | undefined;
  let scheme: string | undefined;
  for (const name in multiValueHeaders) {
    const lower = name.toLowerCase();
    if (lower === 'origin') origin = multiValueHeaders[name]?.at(-1);
    else if (lower === 'x-forwarded-proto') scheme = multiValueHeaders[name]?.at(-1);
  }
  Object.assign(headers, PROTECTIVE, scheme === 'https' && TRANSPORT);
  const allowed = allowOrigin(config.allowedOrigin(), origin);
  if (allowed) headers['Access-Control-Allow-Origin'] = allowed;
  if (allowed && origin !== undefined) headers['Access-Control-Expose-Headers'] = EXPOSED;
  headers.Vary = headers.Vary ? `${headers.Vary}, Origin` : 'Origin';
  if (httpMethod !== 'OPTIONS' || headers.Allow === undefined) return;
  headers['Access-Control-Allow-Methods'] = headers.Allow;
  headers['Access-Control-Allow-Headers'] = ALLOWED;
  headers['Access-Control-Max-Age'] = MAXIMUM_AGE;
}

/**
 * Adds `Deprecation`, `Sunset` and their links to every response of a resource with a lifecycle, also to errors.
 *
 * Source: RFC 9745; RFC 8594; Specification 12.3.
 */
function addLifecycle(
  headers: Headers,
  event: APIGatewayProxyEvent,
  { deprecated, sunset, notice, successor }: Lifecycle,
): void {
  const basePath = basePathOf(event);
  if (deprecated !== undefined) headers.Deprecation = `@${Math.floor(deprecated / 1000)}`;
  if (sunset !== undefined) headers.Sunset = formatHttpDate(sunset);
  const links = [
    ...(notice === undefined ? [] : [{ rel: 'deprecation', href: basePath + notice }]),
    ...(successor === undefined ? [] : [{ rel: 'successor-version', href: basePath + successor }]),
  ];
  if (links.length > 0) headers.Link = [headers.Link, formatLinks(links)].filter(Boolean).join(', ');
}

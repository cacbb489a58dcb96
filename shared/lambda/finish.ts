import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { config } from '../aws/config.ts';
import { log } from '../aws/log.ts';
import { problemResponse } from '../flow/response/problem.ts';
import { formatHttpDate } from '../http/conditional/http-date.ts';
import { formatLinks } from '../http/fields/link.ts';
import { allowOrigin } from '../http/origin.ts';
import { PROBLEMS, type Problem, type ProblemName, problem } from '../http/problem.ts';
import { type Request, SAFE_METHODS } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { EXPOSED_FIELDS } from '../http/response-fields.ts';
import type { Lifecycle } from '../resource/facts.ts';
import type { Resource } from '../resource/resource.ts';
import { basePathOf } from './event.ts';

/** Maximum bytes of a function's result as JSON. Source: Lambda quotas, "Invocation payload". */
const MAXIMUM_RESULT = 6_291_556;
/**
 * Maximum bytes of all header fields of a response. Source: API Gateway quotas, "Total combined size of header
 * values".
 */
const MAXIMUM_FIELDS = 10_240;
/** Bytes of header fields that later steps add: CORS, `Server-Timing`, those of API Gateway. */
const ADDED_FIELDS = 2_000;
/** Maximum bytes of a character in the JSON of a result: `\u0001`. */
const LONGEST_ESCAPE = 6;

/**
 * Returns the result of the function for a response. If Lambda or API Gateway would refuse the response, the function
 * returns another one: without `Link`, without content after a write, or a problem.
 */
export async function withinLimits(response: Response, request: Request): Promise<APIGatewayProxyResult> {
  const candidates = [
    () => response,
    () => ({ ...response, headers: without(response, 'Link') }),
    () => substitute(response, request),
  ];
  for (const candidate of candidates) {
    const result = toResult(await candidate());
    if (fits(result)) return result;
  }
  return toResult({ status: response.status, headers: {} });
}

function fits(result: APIGatewayProxyResult): boolean {
  const cookies = result.multiValueHeaders?.['Set-Cookie'] ?? [];
  const fields = [
    ...Object.entries(result.headers ?? {}),
    ...cookies.map((value): [string, typeof value] => ['Set-Cookie', value]),
  ];
  const bytes = fields.reduce(
    (sum, [name, value]) => sum + name.length + Buffer.byteLength(String(value)),
    0,
  );
  if (bytes > MAXIMUM_FIELDS - ADDED_FIELDS) return false;
  const room = MAXIMUM_RESULT - 2 * MAXIMUM_FIELDS;
  if (result.isBase64Encoded) return result.body.length <= room;
  return (
    result.body.length * LONGEST_ESCAPE <= room || Buffer.byteLength(JSON.stringify(result.body)) <= room
  );
}

/** The substitute of a response that is too large. A write has had its effect, so its response keeps the status. */
function substitute(response: Response, request: Request): Response | Promise<Response> {
  const { status } = response;
  if (status < 400 && !SAFE_METHODS.has(request.method))
    return { status, headers: without(response, 'Link', 'Content-Type', 'Content-Encoding') };
  if (status < 400) {
    const { requestId, template } = request;
    log('error', { requestId, template, message: 'The response is too large to be carried' });
    return problemResponse(problem('internal', 'The response is too large to be sent'), request);
  }
  return problemResponse(briefProblem(status), request);
}

/** Returns a problem of this status, without details of the request. */
function briefProblem(status: number): Problem {
  const names = Object.keys(PROBLEMS) as ProblemName[];
  const name = status === 400 ? 'validation-error' : names.find((one) => PROBLEMS[one].status === status);
  return problem(
    name ?? 'internal',
    'The request has too many faults to name them. Send less in one request',
  );
}

/**
 * A text with more characters than this is sent as base64. A JSON string escapes each quote and backslash, and a
 * function's result has at most 6 MB. Base64 adds only a third to the size.
 */
const LARGE_TEXT = 1_000_000;

/**
 * Returns the result of a function with an API Gateway proxy integration. Source: API Gateway Developer Guide, "Output
 * format".
 */
export function toResult({ status, headers, cookies, body }: Response): APIGatewayProxyResult {
  const plain = typeof body === 'string' && body.length <= LARGE_TEXT;
  return {
    statusCode: status,
    headers: { ...headers },
    ...(cookies ? { multiValueHeaders: { 'Set-Cookie': [...cookies] } } : {}),
    body:
      body === undefined || plain
        ? ((body as string | undefined) ?? '')
        : Buffer.from(body as string).toString('base64'),
    isBase64Encoded: body !== undefined && !plain,
  };
}

const without = ({ headers }: Response, ...names: readonly string[]): Response['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

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
  'Baggage',
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
  'Tracestate',
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
  let allowed: string | undefined;
  const add = ({ event, response }: Invocation) => {
    if (!response?.headers) return;
    allowed ??= config.allowedOrigin();
    if (lifecycle) addLifecycle(response.headers, event, lifecycle);
    if (description && response.statusCode < 400 && event.httpMethod !== 'OPTIONS')
      addGroup(response.headers, event.httpMethod, name);
    addForBrowsers(response.headers, event, allowed);
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
function addForBrowsers(
  headers: Headers,
  { httpMethod, multiValueHeaders }: APIGatewayProxyEvent,
  origins: string,
): void {
  let origin: string | undefined;
  let scheme: string | undefined;
  for (const name in multiValueHeaders) {
    const lower = name.toLowerCase();
    if (lower === 'origin') origin = multiValueHeaders[name]?.at(-1);
    else if (lower === 'x-forwarded-proto') scheme = multiValueHeaders[name]?.at(-1);
  }
  Object.assign(headers, PROTECTIVE, scheme === 'https' && TRANSPORT);
  const allowed = allowOrigin(origins, origin);
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

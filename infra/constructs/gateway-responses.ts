import { type GatewayResponseOptions, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { PROBLEMS, type ProblemName } from '../../shared/http/problem.ts';
import type { Options } from '../options.ts';

interface Refusal {
  readonly problem: ProblemName;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const LATER = { 'Retry-After': '1' };
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="api"' };
const SCOPE_CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="api", error="insufficient_scope"' };
/** Only methods that API Gateway does not route are refused by it: TRACE, and names that no standard has. */
const ROUTED = { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' };

const defect = { problem: 'internal', detail: 'The service is not set up correctly' } as const;
const refused = { problem: 'forbidden', detail: 'The request was refused' } as const;

/** The errors that API Gateway makes before or after a function, and which of our problems each is. */
const REFUSALS: ReadonlyMap<ResponseType, Refusal> = new Map<ResponseType, Refusal>([
  [
    ResponseType.UNAUTHORIZED,
    { problem: 'unauthenticated', detail: 'Credentials are needed', headers: CHALLENGE },
  ],
  [
    ResponseType.ACCESS_DENIED,
    { problem: 'forbidden', detail: 'The credentials do not allow this', headers: SCOPE_CHALLENGE },
  ],
  [ResponseType.EXPIRED_TOKEN, { problem: 'forbidden', detail: 'The credentials have expired' }],
  [ResponseType.INVALID_SIGNATURE, { problem: 'forbidden', detail: 'The signature is not valid' }],
  [ResponseType.INVALID_API_KEY, { problem: 'forbidden', detail: 'The API key is not valid' }],
  [ResponseType.WAF_FILTERED, refused],
  [
    ResponseType.MISSING_AUTHENTICATION_TOKEN,
    { problem: 'method-not-allowed', detail: 'No resource has this method', headers: ROUTED },
  ],
  [ResponseType.RESOURCE_NOT_FOUND, { problem: 'not-found', detail: 'Nothing is at this path' }],
  [
    ResponseType.THROTTLED,
    { problem: 'too-many-requests', detail: 'More requests came than are served', headers: LATER },
  ],
  [ResponseType.QUOTA_EXCEEDED, { problem: 'too-many-requests', detail: 'The quota is used up' }],
  [ResponseType.REQUEST_TOO_LARGE, { problem: 'payload-too-large', detail: 'The content is too large' }],
  [
    ResponseType.UNSUPPORTED_MEDIA_TYPE,
    { problem: 'unsupported-media-type', detail: 'The media type is not supported' },
  ],
  [ResponseType.BAD_REQUEST_BODY, { problem: 'validation-error', detail: 'The body is not valid' }],
  [
    ResponseType.BAD_REQUEST_PARAMETERS,
    { problem: 'validation-error', detail: 'The parameters are not valid' },
  ],
  [ResponseType.INTEGRATION_FAILURE, { problem: 'bad-gateway', detail: 'The function gave no valid answer' }],
  [
    ResponseType.INTEGRATION_TIMEOUT,
    { problem: 'timeout', detail: 'The function did not answer in time', headers: LATER },
  ],
  [ResponseType.AUTHORIZER_FAILURE, defect],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, defect],
  [ResponseType.API_CONFIGURATION_ERROR, defect],
]);

/**
 * States API Gateway's own errors as problem details. The rest keep their status, whatever it is: a status here
 * would replace every one of them.
 *
 * Source: API Gateway Developer Guide, "Gateway response types"; RFC 9457 §3, §4.2.1; RFC 9110 §11.6.1.
 */
export function addGatewayResponses(
  api: RestApi,
  { stage, basePath = `/${stage}`, allowedOrigin = '*' }: Options,
): void {
  for (const [type, { problem, detail, headers }] of REFUSALS) {
    const { status, title } = PROBLEMS[problem];
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(status),
      ...answer({ type: `${basePath}/problems/${problem}`, title, status, detail }, allowedOrigin, headers),
    });
  }
  for (const type of [ResponseType.DEFAULT_4XX, ResponseType.DEFAULT_5XX]) {
    const title = type === ResponseType.DEFAULT_4XX ? 'The request was refused' : 'The service failed';
    api.addGatewayResponse(type.responseType, {
      type,
      ...answer({ type: 'about:blank', title }, allowedOrigin),
    });
  }
}

/** The template's key names a media type to choose by, not the one that is sent. Header values stand in quotes. */
function answer(
  members: Readonly<Record<string, string | number>>,
  allowedOrigin: string,
  headers: Readonly<Record<string, string>> = {},
): Pick<GatewayResponseOptions, 'responseHeaders' | 'templates'> {
  const all = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': allowedOrigin,
    ...headers,
  };
  const where = { instance: 'urn:request:$context.requestId', requestId: '$context.requestId' };
  return {
    responseHeaders: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, `'${value}'`])),
    templates: { 'application/json': JSON.stringify({ ...members, ...where }) },
  };
}

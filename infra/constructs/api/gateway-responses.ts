import { type GatewayResponseOptions, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { PROBLEMS } from '../../../shared/http/problem.ts';
import { EXPOSED } from '../../../shared/lambda/cors.ts';
import { PROTECTIVE, TRANSPORT } from '../../../shared/lambda/protective.ts';
import { limitsOf, rateHeaders } from '../../gateway/limits.ts';
import { REFUSALS } from '../../gateway/refusals.ts';
import { type Options, pathPrefix } from '../../options.ts';

/**
 * Returns API Gateway's own errors as problem details. The two defaults set no status, because a status there would
 * replace the status of every other error.
 *
 * Source: API Gateway Developer Guide, "Gateway response types"; RFC 9457 §3, §4.2.1; RFC 9110 §11.6.1.
 */
export function addGatewayResponses(api: RestApi, options: Options): void {
  const { allowedOrigin = '*' } = options;
  const basePath = pathPrefix(options);
  for (const [type, { problem, detail, headers, members }] of REFUSALS) {
    const { status, title } = PROBLEMS[problem];
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      statusCode: String(status),
      ...answer(
        { type: `${basePath}/problems/${problem}`, title, status, detail, ...members?.(basePath) },
        allowedOrigin,
        { ...headers, ...(type === 'THROTTLED' ? rateHeaders(limitsOf(options)) : {}) },
      ),
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

/**
 * API Gateway selects a template by the media type in its key; the response still has the given Content-Type. API
 * Gateway requires quotes around header values.
 */
function answer(
  members: Readonly<Record<string, unknown>>,
  allowedOrigin: string,
  headers: Readonly<Record<string, string>> = {},
): Pick<GatewayResponseOptions, 'responseHeaders' | 'templates'> {
  const all = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': allowedOrigin,
    'Access-Control-Expose-Headers': EXPOSED,
    ...PROTECTIVE,
    ...TRANSPORT,
    ...headers,
  };
  const where = { instance: 'urn:request:$context.requestId', requestId: '$context.requestId' };
  return {
    responseHeaders: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, `'${value}'`])),
    templates: { 'application/json': JSON.stringify({ ...members, ...where }) },
  };
}
